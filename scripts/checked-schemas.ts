/** Response schemas as checked by the client: only what programs rely on. */
import type { TSchema } from '../src/contract/schema.ts'

/** Descriptions, and bounds that do not affect the form. */
const LEFT_OUT = /^(x-.*|description|title|default|examples|additional\w+|(min|max)(Length|imum))$/

/** Further fields are allowed: a service with new fields must not break a client. */
export function checkedSchema(schema: TSchema): object {
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([word]) => !LEFT_OUT.test(word))
      .map(([word, value]) => [word, checkedPart(word, value)]),
  )
}

function checkedPart(word: string, value: unknown): unknown {
  if (word === 'properties' || word === 'patternProperties')
    return Object.fromEntries(
      Object.entries(value as Record<string, TSchema>).map(([name, one]) => [
        name,
        checkedSchema(one),
      ]),
    )
  if (word === 'items' && !Array.isArray(value)) return checkedSchema(value as TSchema)
  if (['items', 'anyOf', 'allOf'].includes(word)) return (value as TSchema[]).map(checkedSchema)
  return value
}
