import type { ClockAdjustments } from './clock-adjustments.ts'
import type { SystemClock } from './system-clock.ts'
import { CLOCKS_APART_MS } from './wall-clock.ts'

/** Moves shorter than this make no signature too old. */
const SIGNATURE_AGEING_MS = 25_000

/** This clock may be that much ahead of the machine's, and who signs as much behind it, ms. */
export const SIGNED_BEHIND_MS = 2 * CLOCKS_APART_MS

/**
 * A `Timestamp` names a whole second. When a clock was moved far within this one, waits for the
 * next, so that what was signed before and what is signed after are told apart.
 */
export async function waitUntilSignaturesDiffer(
  adjustments: ClockAdjustments,
  systemClock: SystemClock,
): Promise<void> {
  const signedMs = () => systemClock.nowMs() - SIGNED_BEHIND_MS
  const movedMs = () => adjustments.adjustedMs(Math.floor(signedMs() / 1000) * 1000)
  while (movedMs() >= SIGNATURE_AGEING_MS)
    await new Promise<void>((resume) => systemClock.startTimer(1000 - (signedMs() % 1000), resume))
}
