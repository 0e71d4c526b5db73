/** All requests of a run: schedule, liveness of the target, and early end. */
import type { SystemClock } from '../clock/system-clock.ts'
import { SkipCase } from './case-outcome.ts'
import { type Gate, Pace, type Turn } from './pace.ts'

/** A case is skipped or interrupted because the run has ended. */
class RunEnded extends SkipCase {
  constructor(reason: string) {
    super(`the run ended before: ${reason}`)
  }
}

export interface TrafficSettings {
  systemClock: SystemClock
  /** Maximum requests a minute. */
  perMinute?: number
  /**
   * Whether the target answers at all, called after a missing response; patiently where it was slow
   * before.
   */
  isAlive: (isPatient: boolean) => Promise<boolean>
  /** Called when requests begin to wait, or wait longer. */
  onSlower?: () => void
}

/** Number of places with floods that end the run: no fault of one operation. */
const FLOODS = 3

/** Time between two checks of an unresponsive target, ms. */
const SECOND_LOOK_MS = 1_000
/** A slower response indicates a busy machine, which gets more time, ms. */
const SLOW_MS = 3_000

export class Traffic {
  private readonly pace: Pace
  private readonly clock: SystemClock
  private readonly isAlive: TrafficSettings['isAlive']
  private readonly endListeners = new Set<() => void>()
  private readonly overListeners = new Set<() => void>()
  private lookingAfter: Promise<boolean> | null = null
  private readonly floods = new Set<string>()
  private sent = 0
  private hasAnswered = false
  /** Duration of the slowest response, ms. */
  private slowestMs = 0
  private isOver = false
  /** Why the run has ended early; null while it has not. */
  endedBy: string | null = null

  constructor({ systemClock, perMinute, isAlive, onSlower }: TrafficSettings) {
    this.clock = systemClock
    this.isAlive = isAlive
    this.pace = new Pace({
      systemClock,
      ...(perMinute === undefined ? {} : { perMinute }),
      ...(onSlower === undefined ? {} : { onSlower }),
    })
  }

  /** Set once no further case may begin. */
  get ended(): RunEnded | null {
    return this.endedBy === null ? null : new RunEnded(this.endedBy)
  }

  /** Requests a minute; null while unlimited. */
  get perMinute(): number | null {
    return this.pace.perMinute
  }

  /** Estimated time of the remaining cases, ms; null while unlimited. */
  remainingMs(done: number, all: number): number | null {
    const { perMinute } = this.pace
    if (perMinute === null || done === 0) return null
    return ((this.sent / done) * (all - done) * 60_000) / perMinute
  }

  /** Gate of one case's requests; the lowest rank first. */
  gate(rank: number): Gate {
    const { clock, pace } = this
    let [waiting, sinceMs, waitedMs] = [0, 0, 0]
    const spanMs = () => (waiting === 0 ? 0 : clock.monotonicMs() - sinceMs)
    const waitingFor = async <T>(what: () => Promise<T>): Promise<T> => {
      if (waiting++ === 0) sinceMs = clock.monotonicMs()
      try {
        return await what()
      } finally {
        if (waiting === 1) waitedMs += spanMs()
        waiting--
      }
    }
    return {
      get waitedMs() {
        return waitedMs + spanMs()
      },
      turn: () => waitingFor(() => this.turn(rank)),
      ageMs: ({ sentMs }) => clock.monotonicMs() - sentMs,
      answered: (turn) => {
        this.hasAnswered = true
        this.slowestMs = Math.max(this.slowestMs, clock.monotonicMs() - turn.sentMs)
        pace.answered(turn)
      },
      dropped: (turn) => pace.dropped(turn),
      refused: (turn, retryAfterMs) => {
        const hopeless = pace.refused(turn, retryAfterMs)
        if (hopeless !== null) this.end(hopeless)
      },
      unanswered: async (turn) => {
        pace.dropped(turn)
        // A target that has never answered has not stopped: the first request's outcome is
        // reported.
        if (!this.hasAnswered || (await this.answersStill())) return
        this.end('the target no longer answers')
        throw this.ended
      },
      flooded: (where) => this.flooded(where),
      pause: (ms) => waitingFor(() => this.wait(ms)),
    }
  }

  /**
   * Ends the run: waiting requests are rejected at once, running cases have a grace period to
   * restore the target.
   */
  end(reason: string, graceMs = 0): void {
    if (this.endedBy !== null) return
    this.endedBy = reason
    this.pace.stop(this.ended)
    for (const tell of [...this.endListeners]) tell()
    const over = () => {
      this.isOver = true
      for (const tell of [...this.overListeners]) tell()
    }
    if (graceMs === 0) over()
    else this.clock.startTimer(graceMs, over)
  }

  /** Registers a listener for the end of requests; the result removes it. */
  onOver(listener: (ended: RunEnded) => void): () => void {
    const tell = () => listener(new RunEnded(this.endedBy ?? ''))
    this.overListeners.add(tell)
    return () => this.overListeners.delete(tell)
  }

  private async turn(rank: number): Promise<Turn> {
    if (this.isOver) throw this.ended
    this.sent++
    if (this.endedBy !== null) return { sentMs: this.clock.monotonicMs(), isScout: false }
    return this.pace.turn(rank)
  }

  private flooded(where: string): void {
    this.floods.add(where)
    if (this.floods.size >= FLOODS) this.end(`it floods: ${[...this.floods].join('; ')}`)
  }

  /** Repeats the check once on failure; concurrent callers share one check. */
  private answersStill(): Promise<boolean> {
    this.lookingAfter ??= this.look().finally(() => {
      this.lookingAfter = null
    })
    return this.lookingAfter
  }

  private async look(): Promise<boolean> {
    if (await this.isAlive(false)) return true
    await this.wait(SECOND_LOOK_MS)
    return this.isAlive(this.slowestMs > SLOW_MS)
  }

  private wait(ms: number): Promise<void> {
    if (this.endedBy !== null) return Promise.reject(this.ended)
    return new Promise((resolve, reject) => {
      const cancel = this.clock.startTimer(ms, () => {
        this.endListeners.delete(stop)
        resolve()
      })
      const stop = () => {
        cancel()
        this.endListeners.delete(stop)
        reject(this.ended)
      }
      this.endListeners.add(stop)
    })
  }
}
