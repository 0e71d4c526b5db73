/** What has been found at a target, kept for all that reach it by the same transport. */

const found = new WeakMap<object, Map<string, Promise<unknown>>>()

/** What was found under a name, or is now; what could not be found is looked for again. */
export function foundOnce<T>(transport: object, name: string, look: () => Promise<T>): Promise<T> {
  const known = found.get(transport) ?? new Map<string, Promise<unknown>>()
  found.set(transport, known)
  const earlier = known.get(name) as Promise<T> | undefined
  if (earlier) return earlier
  const looked = look()
  known.set(name, looked)
  looked.catch(() => known.delete(name))
  return looked
}
