/**
 * The clock of one sandbox: it runs with the machine or is held and moved by hand.
 *
 * Alarms fire in order of time, then of setting; while one fires, `nowMs` is its own time when the
 * clock is held. A running clock is anchored to the monotonic clock, so delays never add up.
 */
import { AlarmQueue } from './alarm-queue.ts'
import { AlarmTimer } from './alarm-timer.ts'
import { type ClockAdjustment, ClockAdjustments } from './clock-adjustments.ts'
import { type BackPressure, type Readiness, untilReady } from './clock-move.ts'
import { type FiredAlarms, recordFired } from './fired-alarms.ts'
import { waitUntilSignaturesDiffer } from './signature-second.ts'
import { hostClock, type SystemClock } from './system-clock.ts'
import { runToEnd, runWaiting, type Slices } from './turns.ts'

export type ClockState = 'running' | 'held'

export class SessionClock {
  private readonly alarms = new AlarmQueue()
  private readonly timer: AlarmTimer
  private anchor: { sessionMs: number; monotonicMs: number }
  /** While it is moved: the state that it will have again, and who waits for the end. */
  private move: { state: ClockState; ended: PromiseWithResolvers<void> } | null = null
  private readonly adjustments: ClockAdjustments
  /** Where it is being moved to, which `saved` says already. */
  destination: SavedClock | null = null

  constructor(
    private mode: ClockState,
    startMs?: number,
    private readonly systemClock: SystemClock = hostClock,
    /** Does the work of alarms that are due. */
    inTurns: (work: Slices<void>) => unknown = runToEnd,
    private readonly readiness: Readiness = () => undefined,
  ) {
    this.timer = new AlarmTimer(this.alarms, this, systemClock, inTurns)
    const wallMs = systemClock.nowMs()
    this.anchor = { sessionMs: startMs ?? wallMs, monotonicMs: systemClock.monotonicMs() }
    this.adjustments = new ClockAdjustments({
      machineMs: wallMs,
      movedMs: 0,
      running: mode === 'running',
    })
  }

  get state(): ClockState {
    return this.move?.state ?? this.mode
  }

  /** Whether it runs just now: while it is moved it does not. */
  get isRunning(): boolean {
    return this.mode === 'running'
  }

  /** What is needed to go on with it later; a running one goes on with the machine meanwhile. */
  get saved(): SavedClock {
    if (this.destination) return this.destination
    const adjustments = [...this.adjustments.list]
    return { state: this.state, nowMs: this.nowMs(), wallMs: this.systemClock.nowMs(), adjustments }
  }

  /** Goes on where another clock was saved; it must be new, without alarms. */
  restore({ state, nowMs, wallMs, adjustments }: SavedClock): void {
    const passedMs = state === 'running' ? Math.max(0, this.systemClock.nowMs() - wallMs) : 0
    this.anchor = { sessionMs: nowMs + passedMs, monotonicMs: this.systemClock.monotonicMs() }
    this.mode = state
    this.adjustments.list = [...adjustments]
  }

  nowMs(): number {
    if (this.mode === 'held') return this.anchor.sessionMs
    return this.anchor.sessionMs + (this.systemClock.monotonicMs() - this.anchor.monotonicMs)
  }

  /** Fires once at `timeMs`, or as soon as possible when that is past; the result cancels it. */
  at(timeMs: number, task: () => void, what?: string): () => void {
    const cancel = this.alarms.add(timeMs, task, what)
    this.timer.rearm()
    return cancel
  }

  after(delayMs: number, task: () => void): () => void {
    return this.at(this.nowMs() + delayMs, task)
  }

  /** Runs as soon as the machine is free, or after machine time, whatever this clock says. */
  runOnSystemTime(task: () => void, delayMs = 0): () => void {
    return delayMs === 0
      ? this.systemClock.runSoon(task)
      : this.systemClock.startTimer(delayMs, task)
  }

  /**
   * Runs or holds it, and sets its time if one is given. Alarms that fall due by that fire first.
   */
  set(to: Partial<ClockTime>, backPressure?: BackPressure): Promise<void> {
    return runWaiting(this.setting(to, backPressure))
  }

  /** The same in slices. */
  *setting(to: Partial<ClockTime>, backPressure?: BackPressure): Slices<void> {
    while (this.move) yield this.move.ended.promise
    if (to.nowMs !== undefined && to.nowMs > this.nowMs())
      yield* this.advancing(to.nowMs - this.nowMs(), backPressure)
    const before = this.nowMs()
    this.anchor = { sessionMs: to.nowMs ?? before, monotonicMs: this.systemClock.monotonicMs() }
    this.mode = to.state ?? this.mode
    this.recordAdjustment(Math.min(0, this.anchor.sessionMs - before))
    this.timer.rearm()
  }

  /**
   * Moves it forward and fires, in order, every alarm that falls due. `backPressure` is awaited
   * between alarms, so that whoever must keep up can. Returns the alarms that fired.
   */
  advance(byMs: number, backPressure?: BackPressure): Promise<FiredAlarms> {
    return runWaiting(this.advancing(byMs, backPressure))
  }

  /** The same in slices, an alarm at least in each. One move waits for another to end. */
  *advancing(byMs: number, backPressure?: BackPressure): Slices<FiredAlarms> {
    while (this.move) yield this.move.ended.promise
    const fired: FiredAlarms = { alarms: [], more: 0 }
    const targetMs = this.nowMs() + byMs
    const end = this.beginMove(targetMs)
    try {
      for (;;) {
        const nextMs = Math.min(targetMs, this.alarms.nextMs() ?? targetMs)
        yield* untilReady(this.readiness, nextMs, backPressure)
        const due = this.alarms.takeDue(targetMs)
        if (!due) break
        this.anchor.sessionMs = Math.max(this.anchor.sessionMs, due.timeMs)
        recordFired(fired, due)
        due.task()
        yield backPressure?.()
      }
      this.anchor.sessionMs = targetMs
    } finally {
      end()
    }
    return fired
  }

  /**
   * How far this clock has moved since a machine instant: the age of what was signed then.
   * Before the sandbox was made it counts as having run with the machine; later instants give a
   * negative age.
   */
  elapsedSinceMs(machineMs: number): number {
    return this.adjustments.elapsedMs(this.systemClock.nowMs(), machineMs)
  }

  /** Waits until what was signed before the latest moves is told from what is signed now. */
  waitUntilSignaturesDiffer(): Promise<void> {
    return waitUntilSignaturesDiffer(this.adjustments, this.systemClock)
  }

  /** No alarm fires after this. */
  stop(): void {
    this.timer.stop()
    this.alarms.close()
  }

  /** From now on only its alarms move it; the result ends the move where it has come to. */
  private beginMove(targetMs: number): () => void {
    const move = { state: this.mode, ended: Promise.withResolvers<void>() }
    const startMs = this.nowMs()
    this.anchor.sessionMs = startMs
    this.mode = 'held'
    this.move = move
    this.recordAdjustment(targetMs - startMs)
    return () => {
      const { sessionMs } = this.anchor
      this.anchor.monotonicMs = this.systemClock.monotonicMs()
      this.mode = move.state
      this.move = null
      this.adjustments.amendLast(sessionMs - targetMs)
      if (this.isRunning) this.recordAdjustment(0)
      this.timer.rearm()
      move.ended.resolve()
    }
  }

  private recordAdjustment(movedMs: number): void {
    this.adjustments.add(this.systemClock.nowMs(), movedMs, this.isRunning)
  }
}

/** What a clock can be set to. */
export interface ClockTime {
  state: ClockState
  nowMs: number
}

/** A clock as it can be written down. */
export interface SavedClock extends ClockTime {
  /** When it was saved, wall time of the machine. */
  wallMs: number
  adjustments: ClockAdjustment[]
}
