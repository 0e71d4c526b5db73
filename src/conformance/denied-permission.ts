/** Which permission an answer says is missing. */
import type { Received } from './target-transport.ts'

/** Its name; null for any other answer. */
export function deniedPermission(received: Received): string | null {
  if (!('status' in received) || received.status !== 403) return null
  return /Permission denied: ([\w:]+)/.exec(received.text)?.[1] ?? null
}
