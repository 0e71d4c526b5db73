/** What a run has found out about its target, once for all cases. */
import type { TargetTransport } from './target-transport.ts'

/** What was found by that name through this transport; looked for again where that failed. */
export function lookedUpOnce<T>(
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

const found = new WeakMap<TargetTransport, Map<string, Promise<unknown>>>()
