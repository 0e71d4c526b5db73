/** How far the two clocks may part before the machine's is taken to have been set, ms. */
export const CLOCKS_APART_MS = 10

/**
 * Wall time with fractions of a millisecond: it runs with a clock that never jumps, and follows the
 * machine's when that one is set, or has gone on while the machine slept.
 *
 * @param wallMs the machine's wall time in whole ms
 * @param steadyMs a count of ms that never jumps
 */
export function wallClock(wallMs: () => number, steadyMs: () => number): () => number {
  let offsetMs = wallMs() - steadyMs()
  return () => {
    const nowMs = steadyMs() + offsetMs
    const machineMs = wallMs()
    if (Math.abs(machineMs - nowMs) < CLOCKS_APART_MS) return nowMs
    offsetMs += machineMs - nowMs
    return machineMs
  }
}
