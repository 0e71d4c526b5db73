/** Telling apart the signatures of one second, which name no more than that. */
import { CLOCKS_APART_MS, type SystemClock } from './system-clock.ts'

/** Shorter moves do not make a signature too old. */
const SIGNATURE_AGEING_MS = 25_000

/** Allowed lag of a signer's clock: both it and this clock may differ from the machine's, ms. */
export const SIGNED_BEHIND_MS = 2 * CLOCKS_APART_MS

/**
 * Waits for the next second when a clock was moved far within this one: a `Timestamp` names a whole
 * second, and signatures from before and after the move must be distinguishable.
 */
export async function waitUntilSignaturesDiffer(
  adjustments: { adjustedMs(sinceMs: number): number },
  systemClock: SystemClock,
): Promise<void> {
  const signedMs = () => systemClock.nowMs() - SIGNED_BEHIND_MS
  const movedMs = () => adjustments.adjustedMs(Math.floor(signedMs() / 1000) * 1000)
  while (movedMs() >= SIGNATURE_AGEING_MS)
    await new Promise<void>((resume) => systemClock.startTimer(1000 - (signedMs() % 1000), resume))
}
