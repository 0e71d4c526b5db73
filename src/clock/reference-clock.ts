/** The time of the store, by which the clocks of all replicas run. */
import type { SystemClock } from './system-clock.ts'

/** A measurement: half of the round trip bounds its error. */
interface Sample {
  /** Time of the store minus steady time of this machine, ms. */
  offsetMs: number
  roundTripMs: number
}

/** The best of so many latest measurements counts. */
const SAMPLES_MAX = 16

/** A larger difference is a clock that was set: steady time does not follow it. */
const SET_MS = 1_000

/**
 * A system clock whose time is that of the store. Its steady time follows the drift between both
 * machines, so that running session clocks of all replicas stay together; it never goes back.
 */
export class ReferenceClock implements SystemClock {
  private samples: Sample[] = []
  private offsetMs: number
  /** The part of the offset that steady time leaves out. */
  private baseMs: number
  private latestMs = Number.NEGATIVE_INFINITY

  constructor(private readonly host: SystemClock) {
    this.offsetMs = this.baseMs = host.nowMs() - host.monotonicMs()
  }

  /** Bound of the error of the present time, ms; infinite before the first measurement. */
  get errorMs(): number {
    return Math.min(...this.samples.map(({ roundTripMs }) => roundTripMs / 2))
  }

  /** Takes a measurement: the store's time between two readings of the host's steady time. */
  measure(storeMs: number, sentMs: number, receivedMs: number): void {
    const offsetMs = storeMs - (sentMs + receivedMs) / 2
    const isSet = this.samples.length === 0 || Math.abs(offsetMs - this.offsetMs) > SET_MS
    if (isSet) this.samples = []
    this.samples = [
      ...this.samples.slice(1 - SAMPLES_MAX),
      { offsetMs, roundTripMs: receivedMs - sentMs },
    ]
    const best = this.samples.reduce((one, other) =>
      other.roundTripMs <= one.roundTripMs ? other : one,
    )
    if (isSet) this.baseMs += best.offsetMs - this.offsetMs
    this.offsetMs = best.offsetMs
  }

  nowMs(): number {
    return this.monotonicMs() + this.baseMs
  }

  monotonicMs(): number {
    const nowMs = this.host.monotonicMs() + this.offsetMs - this.baseMs
    if (nowMs > this.latestMs) this.latestMs = nowMs
    return this.latestMs
  }

  startTimer(delayMs: number, task: () => void): () => void {
    return this.host.startTimer(delayMs, task)
  }

  runSoon(task: () => void): () => void {
    return this.host.runSoon(task)
  }

  yieldTurn(): Promise<void> {
    return this.host.yieldTurn()
  }
}
