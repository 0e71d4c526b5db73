/** Changes to data, at any depth. What is passed in is not changed. */

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

/** The empty form of data: an empty list, an object of empty lists, or null. */
export function emptied(data: unknown): unknown {
  if (Array.isArray(data)) return []
  if (typeof data !== 'object' || data === null) return null
  const lists = Object.entries(data).filter(([, value]) => Array.isArray(value))
  return lists.length === 0 ? null : { ...data, ...Object.fromEntries(lists.map(([n]) => [n, []])) }
}

/** The same data with every list cut to `length` items. */
export function truncatedLists(data: unknown, length: number): unknown {
  if (Array.isArray(data)) return data.slice(0, length).map((one) => truncatedLists(one, length))
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, truncatedLists(value, length)]),
  )
}
