/** Every parameter of every operation: ignored, misread, or not required. */
import type { Example, Operation } from '../../../../src/contract/operation.ts'
import {
  fullName,
  type Parameter,
  parametersOf,
  typedParametersOf,
} from '../../../../src/contract/parameters.ts'
import type { Deviation, DeviationClass } from '../deviation.ts'
import { answeringOf, type Fetched, readingOf, refusing } from '../requested.ts'
import { given, left, put, remove, spellings } from './given-values.ts'
import { limitDeviations } from './limits.ts'

export function parameterDeviations(operation: Operation): Deviation[] {
  return [
    ...parametersOf(operation).flatMap((parameter) => [
      ...unread(operation, parameter),
      ...misread(operation, parameter),
      ...listedValues(operation, parameter),
      ...aliases(operation, parameter),
      ...limitDeviations(operation, parameter),
    ]),
    ...typedParametersOf(operation).flatMap((parameter) => [
      ...unread(operation, parameter),
      ...misread(operation, parameter),
    ]),
  ]
}

/** A deviation in reading a parameter; `begin` creates a stateless reader. */
const reading = (
  kind: DeviationClass,
  operation: Operation,
  parameter: Parameter,
  what: string,
  begin: () => (requested: Fetched) => void,
): Deviation => ({
  id: `${kind}.${operation.id}.${fullName(parameter)}: ${what}`,
  class: kind,
  of: operation.id,
  change: () => readingOf(operation, begin()),
})

/** An optional one is ignored; a required one always has its first value. */
function unread(operation: Operation, parameter: Parameter): Deviation[] {
  const { place, schema } = parameter
  if (schema.const !== undefined) return []
  if (!parameter.required && place !== 'path')
    return [
      reading(
        'parameter-ignored',
        operation,
        parameter,
        'not read',
        () => (requested) => remove(requested, parameter),
      ),
    ]
  const sticky = reading('parameter-ignored', operation, parameter, 'kept from the first', () => {
    let first: unknown
    return (requested) => {
      first ??= given(requested, parameter)
      if (given(requested, parameter) !== undefined && first !== undefined)
        put(requested, parameter, first)
    }
  })
  const usual = exampleValue(operation.examples[0], parameter)
  if (place === 'path' || parameter.of || usual === undefined) return [sticky]
  const filled = reading('parameter-required', operation, parameter, 'may be missing', () => {
    return (requested) => {
      if (left(requested, parameter)) put(requested, parameter, usual)
    }
  })
  return [sticky, filled]
}

const exampleValue = (example: Example | undefined, { place, name }: Parameter): unknown =>
  (example?.[place] as Record<string, unknown> | undefined)?.[name]

function misread(operation: Operation, parameter: Parameter): Deviation[] {
  const { schema } = parameter
  if (schema.type === 'boolean')
    return [
      reading('parameter-misread', operation, parameter, 'is turned round', () => (requested) => {
        const value = given(requested, parameter)
        if (value !== undefined) put(requested, parameter, String(value) !== 'true')
      }),
    ]
  const unit = schema['x-time'] as string | undefined
  if (unit !== undefined) return misreadTimes(operation, parameter, unit)
  const isCount = schema['x-meaning'] === 'pageSize'
  if (schema.type === 'integer' && !isCount)
    return [
      reading('parameter-misread', operation, parameter, 'is one more', () => (requested) => {
        const value = Number(given(requested, parameter))
        if (Number.isFinite(value)) put(requested, parameter, value + 1)
      }),
    ]
  return usualMisread(operation, parameter)
}

/** Reads a time in the other unit, or a day off. */
function misreadTimes(operation: Operation, parameter: Parameter, unit: string): Deviation[] {
  const isSeconds = unit.startsWith('s')
  const moved = (what: string, change: (value: number) => number) =>
    reading('parameter-misread', operation, parameter, what, () => (requested) => {
      const value = Number(given(requested, parameter))
      if (Number.isFinite(value) && value > 0)
        put(
          requested,
          parameter,
          parameter.place === 'body' ? change(value) : String(change(value)),
        )
    })
  const day = isSeconds ? 86_400 : 86_400_000
  return [
    moved(isSeconds ? 'in ms' : 'in seconds', (value) =>
      Math.floor(isSeconds ? value / 1000 : value * 1000),
    ),
    moved('a day late', (value) => value + day),
  ]
}

/** Uses another default value. */
function usualMisread(operation: Operation, parameter: Parameter): Deviation[] {
  const { schema, required } = parameter
  const words = schema.enum as string[] | undefined
  const other = words?.find((word) => word !== schema.default)
  if (required || schema.default === undefined || other === undefined) return []
  return [
    reading(
      'parameter-misread',
      operation,
      parameter,
      `is ${other} when left out`,
      () => (requested) => {
        if (left(requested, parameter)) put(requested, parameter, other)
      },
    ),
  ]
}

/** Each word of a set is refused, or misread as another one. */
function listedValues(operation: Operation, parameter: Parameter): Deviation[] {
  const words = (parameter.schema.enum as string[] | undefined) ?? []
  if (words.length < 2) return []
  const { name } = parameter
  return words.flatMap((word, at): Deviation[] => {
    const other = words[(at + 1) % words.length] as string
    return [
      {
        id: `value-refused.${operation.id}.${name}=${word}`,
        class: 'value-refused',
        of: operation.id,
        change: () =>
          answeringOf(operation, (received, requested) =>
            given(requested, parameter) === word ? refusing(received, name) : received,
          ),
      },
      ...(isSameWord(word, other)
        ? []
        : [
            reading(
              'value-misread',
              operation,
              parameter,
              `${word} is ${other}`,
              () => (requested) => {
                if (given(requested, parameter) === word) put(requested, parameter, other)
              },
            ),
          ]),
    ]
  })
}

const isSameWord = (one: string, other: string): boolean =>
  one.toLowerCase() === other.toLowerCase()

/** Ignores an alias. */
const aliases = (operation: Operation, parameter: Parameter): Deviation[] =>
  spellings(parameter)
    .slice(1)
    .map((alias) =>
      reading(
        'parameter-ignored',
        operation,
        parameter,
        `not read as ${alias}`,
        () => (requested) => {
          if (parameter.place === 'query') requested.query.delete(alias)
          else if (requested.body) delete requested.body[alias]
        },
      ),
    )
