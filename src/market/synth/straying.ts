import { pathAt } from '../bars/hashed-noise.ts'

/** A part of what strays and comes back: how far, and in which time. */
export interface StrayingPart {
  sd: number
  periodMs: number
}

/**
 * How far something has strayed at an instant that did not stray at `sinceMs`, by a salt. `power`
 * is that of its exponential whose mean stays one: 0 for what is no logarithm.
 */
export function straying(
  salt: number,
  parts: readonly StrayingPart[],
  sinceMs: number,
  timeMs: number,
  power: number,
): number {
  let sum = 0
  for (const { sd, periodMs } of parts) {
    const kept = Math.exp(-(timeMs - sinceMs) / periodMs)
    const ownSalt = salt ^ periodMs
    const here = pathAt(ownSalt, periodMs, timeMs)
    const known = kept > 1e-3 ? kept * pathAt(ownSalt, periodMs, sinceMs) : 0
    sum += sd * (here - known) - (power / 2) * sd ** 2 * (1 - kept ** 2)
  }
  return sum
}
