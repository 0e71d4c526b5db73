/** What an operation is asked with, as documents list it. */
import type { Operation } from '../contract/operation.ts'
import type { TSchema } from '../contract/schema.ts'

export interface Parameter {
  place: 'path' | 'query' | 'body'
  name: string
  schema: TSchema
  /** Neither optional nor filled in when it is left out. */
  required: boolean
}

/** Every parameter of an operation: path, query, fields of the body, in this order. */
export function parametersOf({ params }: Operation): Parameter[] {
  return [
    ...fieldsOf('path', params.path),
    ...fieldsOf('query', params.query),
    ...fieldsOf('body', params.body),
  ]
}

/** The fields of a schema as parameters; none when it is not an object's. */
export function fieldsOf(place: Parameter['place'], schema: TSchema | undefined): Parameter[] {
  const required = new Set((schema?.required as string[] | undefined) ?? [])
  const properties = (schema?.properties ?? {}) as Record<string, TSchema>
  return Object.entries(properties).map(([name, field]) => ({
    place,
    name,
    schema: field,
    required: required.has(name) && field.default === undefined,
  }))
}

/** Description, silent limits and other spellings of a parameter, in words. */
export function notes(schema: TSchema): string {
  const aliases = schema['x-alias'] as string[] | undefined
  return [
    schema.description,
    cutting(schema),
    aliases && `also spelled ${aliases.map((alias) => `\`${alias}\``).join(', ')}`,
  ]
    .filter((part) => part)
    .join('; ')
}

/** Whether a value of it can be refused: free text in a path or a query cannot. */
export function canBeWrong({ place, schema }: Parameter): boolean {
  return place === 'body' || !isFreeText(schema)
}

function cutting(schema: TSchema): string | undefined {
  const most = schema['x-cut'] as number | undefined
  if (most === undefined) return undefined
  return schema.type === 'integer'
    ? `more than ${most} is silently cut to ${most}`
    : `everything after the first ${most} is silently cut`
}

const LIMITS = ['enum', 'const', 'pattern', 'maxLength', 'x-span']

function isFreeText(schema: TSchema): boolean {
  const members = schema.anyOf as TSchema[] | undefined
  if (members) return members.some(isFreeText)
  return schema.type === 'string' && LIMITS.every((limit) => schema[limit] === undefined)
}
