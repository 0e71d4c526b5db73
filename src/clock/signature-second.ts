import type { ClockAdjustments } from './clock-adjustments.ts'
import type { SystemClock } from './system-clock.ts'
import { CLOCKS_APART_MS } from './wall-clock.ts'

/** Moves shorter than this make no signature too old. */
const SIGNATURE_AGEING_MS = 25_000

/**
 * A `Timestamp` names a whole second. When a clock was moved far within this one, waits for the
 * next, so that what was signed before and what is signed after are told apart.
 */
export async function waitUntilSignaturesDiffer(
  adjustments: ClockAdjustments,
  systemClock: SystemClock,
): Promise<void> {
  // Who signs reads the machine's clock, which may be that much behind.
  const signedMs = () => systemClock.nowMs() - CLOCKS_APART_MS
  const movedMs = () => adjustments.adjustedMs(Math.floor(signedMs() / 1000) * 1000)
  while (movedMs() >= SIGNATURE_AGEING_MS)
    await new Promise<void>((resume) => systemClock.startTimer(1000 - (signedMs() % 1000), resume))
}
