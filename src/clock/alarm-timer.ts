import type { AlarmQueue } from './alarm-queue.ts'
import type { SystemClock } from './system-clock.ts'
import type { Slices } from './turns.ts'

/** What the timer reads of the clock whose alarms it fires. */
interface RunningClock {
  nowMs(): number
  readonly isRunning: boolean
}

/** Fires the alarms of a running clock by one timer of the machine, which is set for the next. */
export class AlarmTimer {
  private timer: { atMs: number; cancel: () => void } | null = null
  private isFiring = false
  private stopped = false

  constructor(
    private readonly alarms: AlarmQueue,
    private readonly clock: RunningClock,
    private readonly systemClock: SystemClock,
    private readonly inTurns: (work: Slices<void>) => unknown,
  ) {}

  /** After alarms were added, or the clock was set. */
  rearm(): void {
    if (this.stopped || this.isFiring || !this.clock.isRunning) return
    const nextMs = this.alarms.nextMs()
    if (this.timer && this.timer.atMs === nextMs) return
    this.timer?.cancel()
    this.timer = null
    if (nextMs === undefined) return
    const cancel = this.systemClock.startTimer(nextMs - this.clock.nowMs(), () => this.fireDue())
    this.timer = { atMs: nextMs, cancel }
  }

  /** For good. */
  stop(): void {
    this.stopped = true
    this.timer?.cancel()
  }

  private fireDue(): void {
    this.timer = null
    if (this.isFiring || !this.clock.isRunning) return
    this.isFiring = true
    this.inTurns(this.firing(this.clock.nowMs()))
  }

  /** Whatever was due when the timer went off; a clock that is moved meanwhile fires the rest. */
  private *firing(nowMs: number): Slices<void> {
    try {
      while (this.clock.isRunning) {
        const due = this.alarms.takeDue(nowMs)
        if (!due) break
        due.task()
        yield
      }
    } finally {
      this.isFiring = false
      this.rearm()
    }
  }
}
