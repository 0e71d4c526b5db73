/** Query strings, before their parameters are read. */

/** A query string as a record of all values, in the order in which they were sent. */
export function parseQueryLists(query: string): Record<string, string[]> {
  const read: Record<string, string[]> = Object.create(null)
  for (const [name, value] of new URLSearchParams(query)) {
    read[name] ??= []
    read[name].push(value)
  }
  return read
}
