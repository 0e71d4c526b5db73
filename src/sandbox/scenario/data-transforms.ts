/** Changes to data, at any depth. What is passed in is not changed. */
import { meaningOf } from '../../contract/meaning.ts'
import type { TSchema } from '../../contract/schema.ts'

/** The same data with each object's fields passed through `change`; undefined leaves one out. */
export function mapFields(
  data: unknown,
  change: (name: string, value: unknown) => [name: string, value: unknown] | undefined,
): unknown {
  if (Array.isArray(data)) return data.map((one) => mapFields(one, change))
  if (typeof data !== 'object' || data === null) return data
  const entries = Object.entries(data).flatMap(([name, value]) => {
    const changed = change(name, value)
    return changed ? [[changed[0], mapFields(changed[1], change)]] : []
  })
  return Object.fromEntries(entries)
}

/** The same data with each text in it, the names of fields apart, passed through `change`. */
export function mapTexts(data: unknown, change: (text: string) => string): unknown {
  if (typeof data === 'string') return change(data)
  if (Array.isArray(data)) return data.map((one) => mapTexts(one, change))
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, mapTexts(value, change)]),
  )
}

/**
 * The empty form of data: an empty list, null, or, where a record holds lists, that record with
 * these empty, the names of what it is about, and null for everything else.
 */
export function emptied(data: unknown, schema: TSchema): unknown {
  if (Array.isArray(data)) return []
  if (typeof data !== 'object' || data === null) return null
  const entries = Object.entries(data)
  if (!entries.some(([, value]) => Array.isArray(value))) return null
  const subjects = entries.flatMap(([name, value]) =>
    isSubject(schema, name) ? [[name, value]] : [[name, Array.isArray(value) ? [] : null]],
  )
  return Object.fromEntries(subjects)
}

/** Whether a field of the data says what it is about. */
function isSubject(schema: TSchema, name: string): boolean {
  const members = (schema.anyOf ?? [schema]) as TSchema[]
  return members.some(({ properties = {} }) =>
    ['coin', 'symbol', 'address'].includes(meaningOf(properties[name] ?? {}) ?? ''),
  )
}

/** The same data with every list cut to `length` items. */
export function truncatedLists(data: unknown, length: number): unknown {
  if (Array.isArray(data)) return data.slice(0, length).map((one) => truncatedLists(one, length))
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, truncatedLists(value, length)]),
  )
}
