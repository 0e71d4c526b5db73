/** How long is waited before something is tried again. */

const START_MS = 250
const MAX_MS = 30_000

/**
 * Doubles each time, up to half a minute; a random value between half of it and all of it, so that
 * a thousand clients do not come back in the same second.
 *
 * @param attempt from 1
 * @param random in [0, 1)
 */
export function backoffMs(attempt: number, random: number): number {
  const fullMs = Math.min(MAX_MS, START_MS * 2 ** (attempt - 1))
  return fullMs * (0.5 + random / 2)
}
