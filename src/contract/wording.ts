/** What a schema takes, in the words of a refusal. */
import type { TSchema } from './schema.ts'

/** What would be right, in words. */
export function wording(schema: TSchema): string {
  if (schema.enum) return `one of ${(schema.enum as string[]).join(', ')}`
  if (schema['x-span']) return `a span such as 15m, from ${schema['x-span'].join(' to ')}`
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.anyOf) return (schema.anyOf as TSchema[]).map(wording).join(' or ')
  if (schema.type === 'array') return `an array, each item ${wording(schema.items)}`
  if (schema.pattern?.includes('{40}')) return 'an address: 0x and 40 hexadecimal digits'
  if (schema.pattern?.startsWith('^-?\\d+(')) return 'a decimal number'
  const kind = KINDS[schema.type as string] ?? 'of the documented form'
  if (schema.exclusiveMinimum !== undefined) return `${kind} above ${schema.exclusiveMinimum}`
  if (schema.minimum !== undefined && schema.maximum !== undefined)
    return `${kind} from ${schema.minimum} to ${schema.maximum}`
  return schema.minimum === undefined ? kind : `${kind}, ${schema.minimum} or more`
}

const KINDS: Record<string, string> = {
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  string: 'text',
  object: 'an object',
  null: 'null',
}
