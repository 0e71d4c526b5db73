/** Finds the names in a value, by the meanings of its schema. */
import { type Meaning, meaningOf } from '../contract/meaning.ts'
import type { TSchema } from '../contract/schema.ts'

/**
 * The texts in a value with one of some meanings, as they were sent: a list may be one text, and a
 * field may have another spelling.
 */
export function namesIn(
  schema: TSchema | undefined,
  value: unknown,
  meanings: readonly Meaning[],
): string[] {
  if (schema === undefined || value === undefined || value === null) return []
  const meaning = meaningOf(schema)
  if (meaning !== undefined) return meanings.includes(meaning) ? textsIn(schema, value) : []
  if (schema.anyOf) {
    const members = (schema.anyOf as TSchema[]).flatMap((one) => namesIn(one, value, meanings))
    return [...new Set(members)]
  }
  if (schema.type === 'array') return itemsIn(schema, value, meanings)
  return schema.type === 'object' ? fieldsIn(schema, value, meanings) : []
}

function textsIn(schema: TSchema, value: unknown): string[] {
  const texts = Array.isArray(value) ? value : [value]
  return texts
    .filter((text) => typeof text === 'string')
    .flatMap((text) => (schema['x-list'] ? text.split(schema['x-list']) : text))
    .map((text) => text.trim())
}

function itemsIn({ items, ...list }: TSchema, value: unknown, meanings: readonly Meaning[]) {
  const given = typeof value === 'string' ? value.split(list['x-list'] ?? ',') : value
  if (!Array.isArray(given)) return []
  return given.flatMap((item, at) =>
    namesIn(Array.isArray(items) ? items[at] : items, item, meanings),
  )
}

function fieldsIn({ properties = {} }: TSchema, value: unknown, meanings: readonly Meaning[]) {
  if (typeof value !== 'object' || value === null) return []
  const given = value as Record<string, unknown>
  return Object.entries(properties as Record<string, TSchema>).flatMap(([name, field]) => {
    const spellings = [name, ...((field['x-alias'] as string[] | undefined) ?? [])]
    return namesIn(field, given[spellings.find((one) => one in given) ?? name], meanings)
  })
}
