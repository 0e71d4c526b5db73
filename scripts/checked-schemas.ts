/** The schemas of answers as the client checks them: what a program relies on, and no more. */
import type { TSchema } from '../src/contract/schema.ts'

/** Words about a value, and bounds that say nothing of its form. */
const LEFT_OUT = /^(x-.*|description|title|default|examples|additional\w+|(min|max)(Length|imum))$/

/** Further fields are allowed: a service that says more than it did breaks no client. */
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
