/**
 * Checks values by the part of JSON Schema that the contract's answers are described in, fast
 * enough for every frame of a stream. Further fields are allowed.
 */
import type { Flaw } from './checker.ts'

/** As `scripts/checked-schemas.ts` writes them. */
export interface CheckedSchema {
  type?: string
  const?: unknown
  enum?: unknown[]
  pattern?: string
  properties?: Record<string, CheckedSchema>
  required?: string[]
  patternProperties?: Record<string, CheckedSchema>
  items?: CheckedSchema | CheckedSchema[]
  minItems?: number
  anyOf?: CheckedSchema[]
  allOf?: CheckedSchema[]
}

export type Check = (value: unknown) => boolean

/** A check of a schema, compiled once. */
export function compiledCheck(schema: CheckedSchema): Check {
  const checks = CHECKS.flatMap((part) => part(schema) ?? [])
  const last = checks.pop() ?? (() => true)
  return checks.reduceRight((rest, check) => (value) => check(value) && rest(value), last)
}

/** The first flaw of a value that its check has refused; null where it has none. */
export function flawOf(schema: CheckedSchema, value: unknown, path = ''): Flaw | null {
  for (const [name, inner, part] of innerParts(schema, value)) {
    const flaw = flawOf(inner, part, path + name)
    if (flaw) return flaw
  }
  return compiledCheck(schema)(value) ? null : { path, expected: expectedText(schema) }
}

/** Parts of a value that have a schema of their own. */
function* innerParts(
  { properties, patternProperties, items, allOf, anyOf = [] }: CheckedSchema,
  value: unknown,
): Generator<[name: string, schema: CheckedSchema, part: unknown]> {
  for (const part of allOf ?? []) yield ['', part, value]
  // Where only one of several can be meant, it says what is wrong.
  const [meant, ...others] = anyOf.filter(({ type = '' }) => TYPES[type]?.(value))
  if (meant && others.length === 0) yield ['', meant, value]
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const [index, part] of value.entries()) {
      const inner = Array.isArray(items) ? items[index] : items
      if (inner) yield [`[${index}]`, inner, part]
    }
    return
  }
  const [values] = Object.values(patternProperties ?? {})
  for (const [name, part] of Object.entries(value)) {
    const inner = properties?.[name] ?? values
    if (inner) yield [`.${name}`, inner, part]
  }
}

function expectedText(schema: CheckedSchema): string {
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return `one of ${schema.enum.join(', ')}`
  if (schema.anyOf) return schema.anyOf.map(expectedText).join(' or ')
  const { type = 'a value', pattern, required = [] } = schema
  if (pattern) return `${type} like ${pattern}`
  if (Array.isArray(schema.items)) return `a list of ${schema.items.length}`
  return required.length > 0 ? `${type} with ${required.join(', ')}` : type
}

type Part = (schema: CheckedSchema) => Check | null

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const TYPES: Readonly<Record<string, Check>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: isObject,
}

const CHECKS: readonly Part[] = [
  // What has fields or a form says itself what it is not.
  ({ type = '', pattern, properties }) => (pattern || properties ? null : (TYPES[type] ?? null)),
  ({ pattern }) => {
    if (pattern === undefined) return null
    const expression = new RegExp(pattern)
    return (value) => typeof value === 'string' && expression.test(value)
  },
  (schema) => ('const' in schema ? (value) => value === schema.const : null),
  ({ enum: words }) => (words ? (value) => words.includes(value) : null),
  ({ items, minItems = 0 }) => (items ? itemsCheck(items, minItems) : null),
  ({ properties, required = [] }) => (properties ? fieldsCheck(properties, required) : null),
  ({ patternProperties }) => (patternProperties ? valuesCheck(patternProperties) : null),
  ({ anyOf }) => {
    const some = anyOf?.map(compiledCheck)
    return some ? (value) => some.some((check) => check(value)) : null
  },
  ({ allOf }) => {
    const all = allOf?.map(compiledCheck)
    return all ? (value) => all.every((check) => check(value)) : null
  },
]

function itemsCheck(items: CheckedSchema | CheckedSchema[], minItems: number): Check {
  if (Array.isArray(items)) {
    const each = items.map(compiledCheck)
    return (value) =>
      !Array.isArray(value) ||
      (value.length >= minItems && each.every((check, index) => check(value[index])))
  }
  const check = compiledCheck(items)
  return (value) => !Array.isArray(value) || value.every((one) => check(one))
}

function fieldsCheck(properties: Record<string, CheckedSchema>, required: string[]): Check {
  const fields = Object.entries(properties).map(([name, schema]) => {
    return { name, check: compiledCheck(schema), isRequired: required.includes(name) }
  })
  return (value) => {
    if (!isObject(value)) return false
    for (const { name, check, isRequired } of fields) {
      const field = value[name]
      if (field === undefined ? isRequired : !check(field)) return false
    }
    return true
  }
}

function valuesCheck(patternProperties: Record<string, CheckedSchema>): Check {
  const [schema = {}] = Object.values(patternProperties)
  const check = compiledCheck(schema)
  return (value) => !isObject(value) || Object.values(value).every(check)
}
