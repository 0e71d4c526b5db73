/**
 * The clock of one sandbox: it runs with the machine or is held and moved by hand.
 *
 * Alarms fire in order of time, then of setting; while one fires, `nowMs` is its own time when the
 * clock is held. A running clock is anchored to the monotonic clock, so delays never add up.
 */
import { AlarmQueue } from './alarm-queue.ts'
import { type ClockAdjustment, ClockAdjustments } from './clock-adjustments.ts'
import { type FiredAlarms, recordFired } from './fired-alarms.ts'
import { hostClock, type SystemClock } from './system-clock.ts'

export type ClockState = 'running' | 'held'

/** Awaited between two alarms of a long step; undefined when there is nothing to wait for. */
export type BackPressure = () => Promise<void> | undefined

export class SessionClock {
  private alarms = new AlarmQueue()
  private anchor: { sessionMs: number; monotonicMs: number }
  private timer: { atMs: number; cancel: () => void } | null = null
  private isFiring = false
  private readonly adjustments: ClockAdjustments
  private stopped = false

  constructor(
    private mode: ClockState,
    startMs?: number,
    private readonly systemClock: SystemClock = hostClock,
  ) {
    const wallMs = systemClock.nowMs()
    this.anchor = { sessionMs: startMs ?? wallMs, monotonicMs: systemClock.monotonicMs() }
    this.adjustments = new ClockAdjustments({
      machineMs: wallMs,
      movedMs: 0,
      running: mode === 'running',
    })
  }

  get state(): ClockState {
    return this.mode
  }

  /** Whether it runs just now: while it is moved it does not. */
  get isRunning(): boolean {
    return this.mode === 'running'
  }

  /** What is needed to go on with it later; a running one goes on with the machine meanwhile. */
  get saved(): SavedClock {
    const { mode: state, adjustments, systemClock } = this
    return {
      state,
      nowMs: this.nowMs(),
      wallMs: systemClock.nowMs(),
      adjustments: [...adjustments.list],
    }
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
    this.rearm()
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
  async set(
    to: { state?: ClockState; nowMs?: number },
    backPressure?: BackPressure,
  ): Promise<void> {
    if (to.nowMs !== undefined && to.nowMs > this.nowMs())
      await this.advance(to.nowMs - this.nowMs(), backPressure)
    const before = this.nowMs()
    this.anchor = { sessionMs: to.nowMs ?? before, monotonicMs: this.systemClock.monotonicMs() }
    this.mode = to.state ?? this.mode
    this.recordAdjustment(Math.min(0, this.anchor.sessionMs - before))
    this.rearm()
  }

  /**
   * Moves it forward and fires, in order, every alarm that falls due. `backPressure` is awaited
   * between alarms, so that whoever must keep up can. Returns the alarms that fired.
   */
  async advance(byMs: number, backPressure?: BackPressure): Promise<FiredAlarms> {
    const fired: FiredAlarms = { alarms: [], more: 0 }
    const targetMs = this.nowMs() + byMs
    const running = this.mode === 'running'
    this.recordAdjustment(byMs)
    this.mode = 'held'
    for (let due = this.alarms.takeDue(targetMs); due; due = this.alarms.takeDue(targetMs)) {
      this.anchor.sessionMs = Math.max(this.anchor.sessionMs, due.timeMs)
      recordFired(fired, due)
      due.task()
      const waiting = backPressure?.()
      if (waiting) await waiting
    }
    this.anchor = { sessionMs: targetMs, monotonicMs: this.systemClock.monotonicMs() }
    if (running) this.mode = 'running'
    this.rearm()
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

  /**
   * A `Timestamp` names a whole second. When the clock was moved far within this one, waits for the
   * next, so that what was signed before and what is signed after are told apart.
   */
  async waitUntilSignaturesDiffer(): Promise<void> {
    const second = Math.floor(this.systemClock.nowMs() / 1000)
    const movedMs = this.adjustments.adjustedMs(second * 1000)
    if (movedMs < SIGNATURE_AGEING_MS) return
    while (Math.floor(this.systemClock.nowMs() / 1000) === second)
      await new Promise<void>((resume) =>
        this.systemClock.startTimer(1000 - (this.systemClock.nowMs() % 1000), resume),
      )
  }

  /** No alarm fires after this. */
  stop(): void {
    this.stopped = true
    this.timer?.cancel()
    this.alarms = new AlarmQueue()
  }

  private recordAdjustment(movedMs: number): void {
    this.adjustments.add(this.systemClock.nowMs(), movedMs, this.mode === 'running')
  }

  private rearm(): void {
    if (this.stopped || this.isFiring || this.mode === 'held') return
    const nextMs = this.alarms.nextMs()
    if (this.timer && this.timer.atMs === nextMs) return
    this.timer?.cancel()
    this.timer = null
    if (nextMs === undefined) return
    const cancel = this.systemClock.startTimer(nextMs - this.nowMs(), () => this.fireDue())
    this.timer = { atMs: nextMs, cancel }
  }

  private fireDue(): void {
    this.timer = null
    this.isFiring = true
    try {
      const nowMs = this.nowMs()
      for (let due = this.alarms.takeDue(nowMs); due; due = this.alarms.takeDue(nowMs)) due.task()
    } finally {
      this.isFiring = false
      this.rearm()
    }
  }
}

/** A clock as it can be written down. */
export interface SavedClock {
  state: ClockState
  nowMs: number
  /** When it was saved, wall time of the machine. */
  wallMs: number
  adjustments: ClockAdjustment[]
}

/** Moves shorter than this make no signature too old. */
const SIGNATURE_AGEING_MS = 25_000
