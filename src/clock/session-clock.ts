/**
 * The clock of one sandbox: it runs with the machine or is held and moved by hand.
 *
 * Alarms fire in order of time, then of setting; while one fires, `nowMs` is its own time when the
 * clock is held. A running clock is anchored to the monotonic clock, so delays never add up.
 */
import { type ClockAdjustment, ClockAdjustments } from './clock-adjustments.ts'
import { type BackPressure, type Readiness, untilReady } from './clock-move.ts'
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

/** The alarms that fired while a clock was moved. */
interface FiredAlarm {
  /** Session time. */
  timeMs: number
  /** What it was for, in words. */
  what: string
}

/** In order; of a very long move the first alarms and a count of the rest. */
interface FiredAlarms {
  alarms: FiredAlarm[]
  more: number
}

/** Adds an alarm, or counts it when there are many. */
function recordFired(fired: FiredAlarms, { timeMs, what }: FiredAlarm): void {
  if (fired.alarms.length < FIRED_ALARMS_MAX) fired.alarms.push({ timeMs, what })
  else fired.more++
}

const FIRED_ALARMS_MAX = 1_000

/** What the timer reads of the clock whose alarms it fires. */
interface RunningClock {
  nowMs(): number
  readonly isRunning: boolean
}

/** Fires the alarms of a running clock by one timer of the machine, which is set for the next. */
class AlarmTimer {
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

/** Tasks in order of their time, then of setting: a binary heap. */
class AlarmQueue {
  private heap: Alarm[] = []
  private closed = false
  private addedCount = 0

  /** @param what what it is for, in words; the result cancels the alarm. */
  add(timeMs: number, task: () => void, what = 'alarm'): () => void {
    const alarm: Alarm = { timeMs, order: this.addedCount++, task, what }
    if (this.closed) return () => {}
    this.heap.push(alarm)
    this.siftUp(this.heap.length - 1)
    return () => {
      alarm.task = null
    }
  }

  /** Forgets all of them, and takes no more. */
  close(): void {
    this.closed = true
    this.heap = []
  }

  /** When the next one is due; undefined when there is none. */
  nextMs(): number | undefined {
    while (this.heap[0]?.task === null) this.pop()
    return this.heap[0]?.timeMs
  }

  /** Removes and returns the next task that is due by `timeMs`. */
  takeDue(timeMs: number): { timeMs: number; task: () => void; what: string } | undefined {
    const next = this.nextMs()
    if (next === undefined || next > timeMs) return undefined
    const { task, what } = this.pop() as Alarm
    return { timeMs: next, task: task as () => void, what }
  }

  private pop(): Alarm | undefined {
    const first = this.heap[0]
    const last = this.heap.pop()
    if (last !== undefined && this.heap.length > 0) {
      this.heap[0] = last
      this.siftDown(0)
    }
    return first
  }

  private siftUp(at: number): void {
    let child = at
    while (child > 0) {
      const parent = (child - 1) >> 1
      if (!this.swapIfBefore(child, parent)) return
      child = parent
    }
  }

  private siftDown(at: number): void {
    let parent = at
    for (;;) {
      const left = 2 * parent + 1
      const right = left + 1
      const least = right < this.heap.length && this.before(right, left) ? right : left
      if (least >= this.heap.length || !this.swapIfBefore(least, parent)) return
      parent = least
    }
  }

  private swapIfBefore(a: number, b: number): boolean {
    if (!this.before(a, b)) return false
    const first = this.heap[a] as Alarm
    this.heap[a] = this.heap[b] as Alarm
    this.heap[b] = first
    return true
  }

  private before(a: number, b: number): boolean {
    const [first, second] = [this.heap[a] as Alarm, this.heap[b] as Alarm]
    return (
      first.timeMs < second.timeMs || (first.timeMs === second.timeMs && first.order < second.order)
    )
  }
}

interface Alarm {
  timeMs: number
  order: number
  /** null once cancelled. */
  task: (() => void) | null
  what: string
}
