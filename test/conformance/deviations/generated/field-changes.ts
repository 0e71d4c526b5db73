/** Changes of one field, in a response or in a push. */
import type { JsonObject } from '../../../../src/conformance/responses.ts'
import { isNumberText, type TSchema } from '../../../../src/contract/schema.ts'
import type { DeviationClass } from '../deviation.ts'
import type { SchemaField } from './schema-fields.ts'
import { takingTurns } from './turns.ts'

export interface FieldChange {
  class: DeviationClass
  what: string
  /** Changes an object with the field. */
  apply: (holder: JsonObject, name: string) => void
}

/**
 * Changes of a field: one of its name, its value or its form, and that of its unit. `at` is the
 * field's index: kinds alternate from field to field.
 */
export function fieldChanges(
  { schema, required, nullable }: SchemaField,
  at: number,
): FieldChange[] {
  const sorts = [
    [
      ...(required ? [RENAMED] : []),
      ...(isTyped(schema) ? [RETYPED] : []),
      ...(required ? [REMOVED] : []),
      ...(nullable ? [] : [NULLED]),
      ...formChanges(schema),
    ],
    unitChanges(schema),
  ]
  return sorts.flatMap((ways) => takingTurns(ways, at, 1))
}

const RENAMED: FieldChange = {
  class: 'field-name',
  what: 'renamed',
  apply: (holder, name) => {
    holder[`${name}_`] = holder[name]
    delete holder[name]
  },
}

const REMOVED: FieldChange = {
  class: 'field-gone',
  what: 'dropped',
  apply: (holder, name) => {
    delete holder[name]
  },
}

const NULLED: FieldChange = {
  class: 'field-null',
  what: 'null',
  apply: (holder, name) => {
    holder[name] = null
  },
}

const RETYPED: FieldChange = {
  class: 'field-type',
  what: 'of another type',
  apply: (holder, name) => {
    holder[name] = retyped(holder[name])
  },
}

function retyped(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return value !== '' && !Number.isNaN(+value) ? +value : [value]
  if (Array.isArray(value)) return { ...value }
  // False has no type that is also nullable.
  return value === null ? false : [value]
}

/** Whether the schema declares a type. */
const isTyped = ({ type, anyOf, enum: words }: TSchema): boolean =>
  words !== undefined ||
  (type !== undefined && type !== 'null') ||
  ((anyOf as TSchema[] | undefined)?.some(isTyped) ?? false)

const branchesOf = (schema: TSchema): TSchema[] =>
  ((schema.anyOf as TSchema[] | undefined) ?? [schema]).filter(({ type }) => type !== 'null')

/** Another format for a formatted text; an unknown word for a set. */
function formChanges(schema: TSchema): FieldChange[] {
  const branches = branchesOf(schema)
  const put = (what: string, change: (text: string) => unknown): FieldChange => ({
    class: 'field-form',
    what,
    apply: (holder, name) => {
      const value = holder[name]
      if (typeof value === 'string') holder[name] = change(value)
    },
  })
  const isWord = ({ enum: words, const: word }: TSchema) =>
    words !== undefined || typeof word === 'string'
  if (branches.length > 0 && branches.every(isWord))
    return [put('a word of no list', (text) => `${text}x`)]
  if (branches.length === 1 && isNumberText(branches[0] as TSchema))
    return [
      put('with an exponent', (text) => Number(text).toExponential()),
      put('with a unit', (text) => `${text} USD`),
    ]
  return []
}

/** Whether a description declares a fraction, or a percentage. */
const FRACTION = /fraction|\bpart of\b|raw rate/
const PERCENT = /percent(?! = )|times 100/

function unitChanges(schema: TSchema): FieldChange[] {
  const [branch, ...others] = branchesOf(schema)
  if (!branch || others.length > 0) return []
  const unit = branch['x-time'] as string | undefined
  const scaled = (what: string, factor: number): FieldChange => ({
    class: 'unit',
    what,
    apply: (holder, name) => {
      const value = holder[name]
      if (typeof value === 'number') holder[name] = rescaled(value, factor, unit)
      else if (typeof value === 'string' && value !== '' && !Number.isNaN(+value))
        holder[name] = String(rescaled(Number(value), factor, unit))
    },
  })
  if (unit === 'ms' || unit === 'msDigits') return [scaled('in seconds', 1 / 1000)]
  if (unit === 's' || unit === 'sDigits') return [scaled('in milliseconds', 1000)]
  if (unit === 'iso' || unit === 'text') return [otherTimeText(unit)]
  const about = branch.description ?? ''
  if (FRACTION.test(about) && !/times 100/.test(about)) return [scaled('in percent', 100)]
  return PERCENT.test(about) && unit === undefined ? [scaled('as a fraction', 1 / 100)] : []
}

const rescaled = (value: number, factor: number, unit: string | undefined): number =>
  unit === undefined ? Number((value * factor).toPrecision(12)) : Math.floor(value * factor)

const otherTimeText = (unit: 'iso' | 'text'): FieldChange => ({
  class: 'unit',
  what: 'a time of another form',
  apply: (holder, name) => {
    const value = holder[name]
    if (typeof value !== 'string') return
    holder[name] =
      unit === 'iso' ? value.slice(0, 19).replace('T', ' ') : `${value.replace(' ', 'T')}Z`
  },
})
