/** The fields of a value as a Markdown table: where they are, their type, what they mean. */
import type { TSchema } from '../schema.ts'
import { code, table } from './markdown.ts'

/** One row for each field that holds a value, and for each part that has a description. */
export function fieldTable(root: string, schema: TSchema): string {
  const rows = rowsOf(root, schema).map(({ path, schema: field }) => [
    code(path),
    typeText(field),
    meaning(path, field),
  ])
  return table(['field', 'type', ''], rows)
}

/** What a value is, in few words. */
export function typeText(schema: TSchema): string {
  if (schema['x-time'] !== undefined) return TIMES[schema['x-time'] as string] ?? 'time'
  if (schema.const !== undefined) return code(JSON.stringify(schema.const))
  if (Array.isArray(schema.enum))
    return schema.enum.map((one) => code(JSON.stringify(one))).join(' or ')
  if (Array.isArray(schema.anyOf))
    return [...new Set((schema.anyOf as TSchema[]).map(typeText))].join(' or ')
  if (schema['x-list'] !== undefined) return `list in one text, between them ${schema['x-list']}`
  if (schema['x-span'] !== undefined) return `span, ${schema['x-span'].join(' to ')}`
  if (schema.type === 'string' && typeof schema.pattern === 'string')
    return PATTERNS.find(([start]) => schema.pattern.startsWith(start))?.[1] ?? 'text'
  if (schema.type === 'array' && !Array.isArray(schema.items))
    return `array of ${typeText((schema.items ?? {}) as TSchema)}`
  return TYPES[schema.type as string] ?? 'anything'
}

const TIMES: Record<string, string> = {
  ms: 'time, ms',
  s: 'time, s',
  sOrMs: 'time, s or ms',
  iso: 'time, ISO 8601',
  text: 'time, YYYY-MM-DD HH:mm:ss',
}

/** How the contract's own patterns begin, and what they are. */
const PATTERNS: readonly (readonly [string, string])[] = [
  ['^-?\\d+', 'decimal'],
  ['^0x', 'address'],
]

const TYPES: Record<string, string> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  array: 'tuple',
  null: 'null',
}

/** Nothing for a description that says no more than the name. */
function meaning(path: string, { description = '' }: TSchema): string {
  return path.endsWith(`.${description}`) ? '' : description
}

interface Row {
  path: string
  schema: TSchema
}

function rowsOf(path: string, schema: TSchema): Row[] {
  const inner = innerRows(path, schema)
  if (inner.length === 0) return [{ path, schema }]
  const hasOwnRow = schema.description !== undefined || mayBeNull(schema)
  return hasOwnRow ? [{ path, schema }, ...inner] : inner
}

function mayBeNull({ anyOf = [] }: TSchema): boolean {
  return (anyOf as TSchema[]).some(({ type }) => type === 'null')
}

/** What a value is made of; nothing for a single value. */
function innerRows(path: string, schema: TSchema): Row[] {
  if (Array.isArray(schema.anyOf))
    return (schema.anyOf as TSchema[]).flatMap((member) => innerRows(path, member))
  if (schema.type === 'array') return itemRows(path, schema)
  const required = new Set((schema.required as string[] | undefined) ?? [])
  const fields = Object.entries((schema.properties ?? {}) as Record<string, TSchema>)
  const named = Object.values((schema.patternProperties ?? {}) as Record<string, TSchema>)
  return [
    ...fields.flatMap(([name, field]) =>
      rowsOf(`${path}.${name}${required.has(name) ? '' : '?'}`, field),
    ),
    ...named.flatMap((field) => rowsOf(`${path}.<name>`, field)),
  ]
}

function itemRows(path: string, { items }: TSchema): Row[] {
  if (Array.isArray(items))
    return (items as TSchema[]).flatMap((item, at) => rowsOf(`${path}[${at}]`, item))
  return items === undefined ? [] : rowsOf(`${path}[]`, items as TSchema)
}
