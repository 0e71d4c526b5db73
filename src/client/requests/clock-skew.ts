/** How far the service's clock is from the machine's, learnt from what it refuses. */
import type { SystemClock } from '../../clock/system-clock.ts'

/** A signature is valid for 30 s: a smaller difference is not why one is refused. */
const SKEW_LEAST_MS = 20_000

/** What became of a signature. An answer that was given before it was looked at says nothing. */
export type SignatureVerdict = 'accepted' | 'refused' | 'unknown'

/** An answer to something signed. */
export interface SignedAnswer {
  verdict: SignatureVerdict
  /** Of the `Date` header. */
  date: string | null
}

export class ClockSkew {
  /** What is added to the machine's time: only what the service has accepted. */
  offsetMs = 0

  constructor(private readonly systemClock: SystemClock) {}

  /**
   * Asks by the clock that is known; where that is refused and the answer's `Date` shows another
   * one, once more by that. A refusal may have other reasons than the clock, and many requests may
   * be refused at once: so each tries for itself, and the others follow only what was accepted.
   *
   * @param ask signs by the machine's time and so many ms, and sends
   */
  async corrected<T extends SignedAnswer>(ask: (offsetMs: number) => Promise<T>): Promise<T> {
    const usedMs = this.offsetMs
    const first = await ask(usedMs)
    const otherMs = first.verdict === 'refused' ? this.otherThan(usedMs, first.date) : null
    if (otherMs === null) return first
    const second = await ask(otherMs)
    if (second.verdict === 'accepted') this.offsetMs = otherMs
    return second
  }

  /** By which offset else to sign; null where the clock is not why it was refused. */
  private otherThan(usedMs: number, date: string | null): number | null {
    const shownMs = date === null ? Number.NaN : Date.parse(date) - this.systemClock.nowMs()
    if (Number.isNaN(shownMs)) return null
    if (Math.abs(shownMs - usedMs) > SKEW_LEAST_MS) return shownMs
    // Refused by its own clock: it signs by another one than it shows.
    return usedMs === 0 ? null : 0
  }
}
