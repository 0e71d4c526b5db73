import type { ClockAdjustments } from './clock-adjustments.ts'
import type { SystemClock } from './system-clock.ts'

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
  const second = Math.floor(systemClock.nowMs() / 1000)
  if (adjustments.adjustedMs(second * 1000) < SIGNATURE_AGEING_MS) return
  while (Math.floor(systemClock.nowMs() / 1000) === second)
    await new Promise<void>((resume) =>
      systemClock.startTimer(1000 - (systemClock.nowMs() % 1000), resume),
    )
}
