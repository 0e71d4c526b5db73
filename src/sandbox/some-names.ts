const NAMES_SHOWN = 20

/** The first names of a map as text, and the number of the others; `none` for an empty one. */
export function someNames(entries: ReadonlyMap<string, unknown>): string {
  const names: string[] = []
  for (const name of entries.keys()) {
    if (names.length === NAMES_SHOWN) break
    names.push(name)
  }
  const more = entries.size - names.length
  return (names.join(', ') || 'none') + (more > 0 ? ` and ${more} more` : '')
}
