/** What is looked for at a target once, and serves whoever looks for it again. */
import type { TargetTransport } from './target-transport.ts'

const found = new WeakMap<TargetTransport, Map<string, Promise<unknown>>>()

/** The same for all who name it so; what could not be found is looked for again. */
export function foundOnce<T>(
  transport: TargetTransport,
  name: string,
  look: () => Promise<T>,
): Promise<T> {
  const known = found.get(transport) ?? new Map<string, Promise<unknown>>()
  found.set(transport, known)
  const earlier = known.get(name) as Promise<T> | undefined
  if (earlier) return earlier
  const looked = look()
  known.set(name, looked)
  looked.catch(() => known.delete(name))
  return looked
}
