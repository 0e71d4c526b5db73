/** Shortens responses for the documents. */

/** Kept elements of a list; scalars are short, and may be a tuple. */
const ITEMS_KEPT = 2
const PLAIN_ITEMS_KEPT = 10

/** Truncates lists recursively. */
export function shortened(value: unknown): unknown {
  if (Array.isArray(value))
    return value
      .slice(0, typeof value[0] === 'object' ? ITEMS_KEPT : PLAIN_ITEMS_KEPT)
      .map(shortened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortened(one)]))
}
