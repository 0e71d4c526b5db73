/** Sends no faster than the service has been seen to allow: it learns from refusals. */
import { MINUTE_MS } from '../../../clock/durations.ts'
import type { SystemClock } from '../../../clock/system-clock.ts'

/** Fewer refusals than this do not say what the rate is. */
const RATE_LEAST = 10

/** The wait after a refusal that names none, doubled with each in a row. */
const WAIT_START_MS = 1000
const WAIT_MAX_MS = MINUTE_MS

export class RateLimiter {
  /** Requests a minute; null while nothing was refused. */
  private perMinute: number | null = null
  private readonly sentMs: number[] = []
  private blockedUntilMs = 0
  private refusedInRow = 0
  private raisedMs = 0

  constructor(private readonly systemClock: SystemClock) {}

  /** Resolves when a request may be sent, and counts it. */
  async admitted(signal: AbortSignal): Promise<void> {
    for (let waitMs = this.waitMs(); waitMs > 0; waitMs = this.waitMs())
      await pause(this.systemClock, waitMs, signal)
    this.sentMs.push(this.systemClock.monotonicMs())
  }

  /** A request was refused for the rate. */
  refused(retryAfterS: number | null): void {
    const nowMs = this.systemClock.monotonicMs()
    const ownMs = Math.min(WAIT_MAX_MS, WAIT_START_MS * 2 ** this.refusedInRow++)
    const waitMs = retryAfterS === null ? ownMs : retryAfterS * 1000
    this.blockedUntilMs = Math.max(this.blockedUntilMs, nowMs + waitMs)
    this.forgetBefore(nowMs - MINUTE_MS)
    // The refused one is among them.
    const allowed = Math.max(RATE_LEAST, this.sentMs.length - 1)
    this.perMinute = Math.min(this.perMinute ?? allowed, allowed)
    this.raisedMs = nowMs
  }

  /** A request was answered. */
  answered(): void {
    this.refusedInRow = 0
  }

  private waitMs(): number {
    const nowMs = this.systemClock.monotonicMs()
    if (nowMs < this.blockedUntilMs) return this.blockedUntilMs - nowMs
    this.forgetBefore(nowMs - MINUTE_MS)
    if (this.perMinute === null) return 0
    if (nowMs - this.raisedMs > MINUTE_MS) {
      this.perMinute = Math.ceil(this.perMinute * 1.1)
      this.raisedMs = nowMs
    }
    const [first = nowMs] = this.sentMs.slice(-this.perMinute)
    return this.sentMs.length < this.perMinute ? 0 : Math.max(1, first + MINUTE_MS - nowMs)
  }

  private forgetBefore(timeMs: number): void {
    while ((this.sentMs[0] ?? timeMs) < timeMs) this.sentMs.shift()
  }
}

// Waiting that can be ended.

/** Resolves after a time; rejects with the signal's reason when that comes first. */
export function pause(systemClock: SystemClock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      cancel()
      reject(signal.reason)
    }
    const cancel = systemClock.startTimer(ms, () => {
      signal.removeEventListener('abort', end)
      resolve()
    })
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}
