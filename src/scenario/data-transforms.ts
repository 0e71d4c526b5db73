/** Changes to data, wherever in it a name stands. Nothing given is changed itself. */

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

/** What is left of data when there is nothing: an empty list, an empty object, or null. */
export function emptied(data: unknown): unknown {
  if (Array.isArray(data)) return []
  if (typeof data !== 'object' || data === null) return null
  const lists = Object.entries(data).filter(([, value]) => Array.isArray(value))
  return lists.length === 0 ? null : { ...data, ...Object.fromEntries(lists.map(([n]) => [n, []])) }
}

/** The same data with every list cut to its first so many. */
export function shortened(data: unknown, most: number): unknown {
  if (Array.isArray(data)) return data.slice(0, most).map((one) => shortened(one, most))
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, shortened(value, most)]),
  )
}
