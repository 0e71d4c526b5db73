/** All requests of a run: when they go, whether the target still answers, and when it is enough. */
import type { SystemClock } from '../clock/system-clock.ts'
import { SkipCase } from './case-outcome.ts'
import { type Gate, Pace, type Turn } from './pace.ts'

/** A case is not looked at, or not to its end, because the run has ended. */
export class RunEnded extends SkipCase {
  constructor(reason: string) {
    super(`the run ended before: ${reason}`)
  }
}

export interface TrafficSettings {
  systemClock: SystemClock
  /** Requests a minute at most. */
  perMinute?: number
  /**
   * Whether the target answers at all, asked when it has not answered a request; patiently where it
   * was slow before.
   */
  isAlive: (isPatient: boolean) => Promise<boolean>
  /** Told when requests wait from now on, or wait longer. */
  onSlower?: () => void
}

/** In so many places more is said than is read: that is no fault of one operation. */
const FLOODS = 3

/** Between two looks at a target that does not answer, ms. */
const SECOND_LOOK_MS = 1_000
/** An answer that took longer is of a machine that is busy: it may take its time again, ms. */
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
  /** How long the slowest answer took, ms. */
  private slowestMs = 0
  private isOver = false
  /** Why the run has ended before its end; null while it has not. */
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

  /** Set from when on no further case is begun. */
  get ended(): RunEnded | null {
    return this.endedBy === null ? null : new RunEnded(this.endedBy)
  }

  /** Requests a minute; null while nothing slows them. */
  get perMinute(): number | null {
    return this.pace.perMinute
  }

  /** How long the rest of the cases takes at the present pace, ms; null while nothing slows it. */
  remainingMs(done: number, all: number): number | null {
    const { perMinute } = this.pace
    if (perMinute === null || done === 0) return null
    return ((this.sent / done) * (all - done) * 60_000) / perMinute
  }

  /** What lets the requests of one case go; of the lowest rank first. */
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
        // Who has never answered has not stopped: it is told what became of the first request.
        if (!this.hasAnswered || (await this.answersStill())) return
        this.end('the target no longer answers')
        throw this.ended
      },
      flooded: (where) => this.flooded(where),
      pause: (ms) => waitingFor(() => this.wait(ms)),
    }
  }

  /**
   * Ends the run: what waits gives up at once, and what is being looked at has so long to leave the
   * target as it was.
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

  /** Told when nothing more may be asked; the result takes the listener away. */
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

  /** Twice, when it does not the first time; all who want to know share one look. */
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
