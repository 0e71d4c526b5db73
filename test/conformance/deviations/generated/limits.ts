/** Truncated counts and lists: off by one, unlimited, or refused instead of truncated. */

import type { Change } from '../../../../src/conformance/lies/lying-transport.ts'
import { meaningOf } from '../../../../src/contract/meaning.ts'
import type { Operation } from '../../../../src/contract/operation.ts'
import type { Parameter } from '../../../../src/contract/parameters.ts'
import type { Deviation } from '../deviation.ts'
import { answeringOf, type Fetched, readingOf, refusing } from '../requested.ts'
import { given, left, put } from './given-values.ts'
import { rowsChange } from './row-changes.ts'

export function limitDeviations(operation: Operation, parameter: Parameter): Deviation[] {
  const { schema } = parameter
  const max = schema['x-cut'] as number | undefined
  if (schema.type === 'integer' && meaningOf(schema) === 'pageSize')
    return named('limit', operation, parameter, [
      ...counts(operation, parameter),
      ...(max === undefined ? [] : mostRows(operation, parameter, max)),
    ])
  const isList = schema.type === 'array' || schema['x-list'] !== undefined
  if (!isList) return []
  return named('batch', operation, parameter, [
    ...listParts(operation, parameter),
    ...(max === undefined ? [] : listCuts(operation, parameter, max)),
  ])
}

type Named = [what: string, change: Change]

const named = (
  kind: 'limit' | 'batch',
  operation: Operation,
  { name }: Parameter,
  changes: readonly Named[],
): Deviation[] =>
  changes.map(([what, change]) => ({
    id: `${kind}.${operation.id}.${name}: ${what}`,
    class: kind,
    of: operation.id,
    ...(NEEDS_ROWS.test(what) ? { unshown: TOO_FEW } : {}),
    change: () => change,
  }))

const NEEDS_ROWS = /^(its most is one row|by default|one (fewer|more) is given)/

const TOO_FEW = 'nothing in the default world has so many rows'

/** More or fewer rows than requested, or than the default. */
function counts(operation: Operation, parameter: Parameter): Named[] {
  const usual = parameter.schema.default as number | undefined
  const added = (more: number) =>
    readingOf(operation, (requested) => {
      const value = Number(given(requested, parameter))
      if (value + more > 0) put(requested, parameter, value + more)
    })
  const withDefault = (value: number) =>
    readingOf(operation, (requested) => {
      if (left(requested, parameter)) put(requested, parameter, value)
    })
  return [
    ['one fewer is given', added(-1)],
    ['one more is given', added(1)],
    ...(usual === undefined
      ? []
      : ([
          ['by default one fewer', withDefault(usual - 1)],
          ['by default one more', withDefault(usual + 1)],
        ] satisfies Named[])),
  ]
}

/** Above its maximum it is refused, or returns another number of rows. */
function mostRows(operation: Operation, parameter: Parameter, max: number): Named[] {
  const isAbove = (requested: Fetched) => Number(given(requested, parameter)) > max
  const isAtMost = (requested: Fetched) => Number(given(requested, parameter)) >= max
  return [
    [
      'above its most it is refused',
      answeringOf(operation, (received, requested) =>
        isAbove(requested) ? refusing(received, parameter.name) : received,
      ),
    ],
    [
      'its most is one row more',
      rowsChange(operation, (rows, requested) =>
        isAbove(requested) && rows.length === max ? [...rows, rows.at(-1)] : rows,
      ),
    ],
    [
      'its most is one row fewer',
      rowsChange(operation, (rows, requested) =>
        isAtMost(requested) && rows.length === max ? rows.slice(0, -1) : rows,
      ),
    ],
  ]
}

/** Another part of a list is read. */
function listParts(operation: Operation, parameter: Parameter): Named[] {
  return [
    ['only the first is read', listChange(operation, parameter, (items) => items.slice(0, 1))],
    [
      'the last is not read',
      listChange(operation, parameter, (items) => items.slice(0, Math.max(1, items.length - 1))),
    ],
  ]
}

function listCuts(operation: Operation, parameter: Parameter, max: number): Named[] {
  const isAbove = (requested: Fetched) => itemsIn(requested, parameter).length > max
  return [
    [
      'above its most it is refused',
      answeringOf(operation, (received, requested) =>
        isAbove(requested) ? refusing(received, parameter.name) : received,
      ),
    ],
    ['its most is one fewer', listChange(operation, parameter, (items) => items.slice(0, max - 1))],
    [
      'above its most the last are read',
      listChange(operation, parameter, (items) => items.slice(-max)),
    ],
  ]
}

const listChange = (
  operation: Operation,
  parameter: Parameter,
  change: (items: unknown[]) => unknown[],
): Change =>
  readingOf(operation, (requested) => {
    const items = itemsIn(requested, parameter)
    const changed = change(items)
    if (changed.length === items.length && changed.every((item, at) => item === items[at])) return
    put(requested, parameter, parameter.place === 'body' ? changed : changed.join(','))
  })

function itemsIn(requested: Fetched, parameter: Parameter): unknown[] {
  const value = given(requested, parameter)
  if (Array.isArray(value)) return value
  return typeof value === 'string' ? value.split(',') : []
}
