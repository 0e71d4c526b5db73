/** How the part of an event that is done goes with time: slowly at first and at the end. */
export function smoothPart(fromMs: number, toMs: number, atMs: number): number {
  const part = Math.max(0, Math.min(1, (atMs - fromMs) / (toMs - fromMs)))
  return part * part * (3 - 2 * part)
}

/** How much an event bears at an instant: all of it between its beginning and its end, or less. */
export function bearing(fromMs: number, toMs: number, rampMs: number, atMs: number): number {
  if (atMs <= fromMs || atMs >= toMs) return 0
  const rising = Math.min(rampMs, (toMs - fromMs) / 4)
  return smoothPart(0, rising, Math.min(atMs - fromMs, toMs - atMs))
}
