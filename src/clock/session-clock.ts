/**
 * The clock of one sandbox: it runs with the machine or is held and moved by hand.
 *
 * Alarms fire in order of time, then of setting; while one fires, `nowMs` is its own time when the
 * clock is held. A running clock is anchored to the monotonic clock, so delays never add up.
 */
import { waitUntilSignaturesDiffer } from './signature-second.ts'
import { hostClock, type SystemClock } from './system-clock.ts'
import { isSlices, runToEnd, runWaiting, type Slices } from './turns.ts'

export type ClockState = 'running' | 'held'

export class SessionClock {
  private readonly alarms = new AlarmQueue()
  private readonly timer: AlarmTimer
  private anchor: { sessionMs: number; monotonicMs: number }
  /** The move in progress: the state after it, and a promise of its end. */
  private move: { state: ClockState; ended: PromiseWithResolvers<void> } | null = null
  private readonly adjustments: ClockAdjustments
  /** The destination of the move, which `saved` already has. */
  destination: SavedClock | null = null

  constructor(
    private mode: ClockState,
    startMs?: number,
    private readonly systemClock: SystemClock = hostClock,
    /** Runs the work of due alarms. */
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

  /** Whether it runs at present: not while it is moved. */
  get isRunning(): boolean {
    return this.mode === 'running'
  }

  /** Whether due alarms fire: it runs, or is being moved. */
  get firesAlarms(): boolean {
    return this.isRunning || this.move !== null
  }

  /** Its stored form; a running clock continues with the machine meanwhile. */
  get saved(): SavedClock {
    if (this.destination) return this.destination
    const adjustments = [...this.adjustments.list]
    return { state: this.state, nowMs: this.nowMs(), wallMs: this.systemClock.nowMs(), adjustments }
  }

  /** Continues from a saved clock; it must be new, without alarms. */
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
  at(timeMs: number, task: AlarmTask, what?: string): () => void {
    const cancel = this.alarms.add(timeMs, task, what)
    this.timer.rearm()
    return cancel
  }

  after(delayMs: number, task: () => void): () => void {
    return this.at(this.nowMs() + delayMs, task)
  }

  /** Runs as soon as the machine is free, or after machine time, independent of this clock. */
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
    yield* this.idle()
    if (to.nowMs !== undefined && to.nowMs > this.nowMs())
      yield* this.advancing(to.nowMs - this.nowMs(), backPressure)
    const before = this.nowMs()
    this.anchor = { sessionMs: to.nowMs ?? before, monotonicMs: this.systemClock.monotonicMs() }
    this.mode = to.state ?? this.mode
    this.recordAdjustment(Math.min(0, this.anchor.sessionMs - before))
    this.timer.rearm()
  }

  /**
   * Moves it forward and fires every due alarm in order. `backPressure` is awaited between alarms,
   * so that slow subscribers keep up. Returns the fired alarms.
   */
  advance(byMs: number, backPressure?: BackPressure): Promise<FiredAlarms> {
    return runWaiting(this.advancing(byMs, backPressure))
  }

  /** The same in slices, with at most one alarm each. A move waits for the end of another. */
  *advancing(byMs: number, backPressure?: BackPressure): Slices<FiredAlarms> {
    yield* this.idle()
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
        const work = due.task()
        if (isSlices(work)) yield* work as Slices<void>
        yield backPressure?.()
      }
      this.anchor.sessionMs = targetMs
    } finally {
      end()
    }
    return fired
  }

  /**
   * The clock's time since a machine instant, which is the age of a signature of then. Before the
   * sandbox was made it counts as having run with the machine; later instants give a negative age.
   */
  elapsedSinceMs(machineMs: number): number {
    return this.adjustments.elapsedMs(this.systemClock.nowMs(), machineMs)
  }

  /** Waits until signatures from before the latest moves are distinguishable from new ones. */
  waitUntilSignaturesDiffer(): Promise<void> {
    return waitUntilSignaturesDiffer(this.adjustments, this.systemClock)
  }

  /** Stops all alarms for good. */
  stop(): void {
    this.timer.stop()
    this.alarms.close()
  }

  /** Waits for the end of a move, and of an alarm that has begun. */
  private *idle(): Slices<void> {
    for (;;) {
      const awaited = this.move?.ended.promise ?? this.timer.underway
      if (!awaited) return
      yield awaited
    }
  }

  /** From now on only its alarms move it; the result ends the move at the present time. */
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

/** The settable state of a clock. */
export interface ClockTime {
  state: ClockState
  nowMs: number
}

/** The stored form of a clock. */
export interface SavedClock extends ClockTime {
  /** Wall time of the machine when it was saved. */
  wallMs: number
  adjustments: ClockAdjustment[]
}

/** An alarm that fired while a clock was moved. */
interface FiredAlarm {
  /** Session time. */
  timeMs: number
  /** Its purpose. */
  what: string
}

/** In order; for a very long move the first alarms and the number of the others. */
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

/** Fires the alarms of a running clock by one timer of the machine, set for the next alarm. */
class AlarmTimer {
  /** Resolves at the end of the alarm that is done in slices; null without one. */
  underway: Promise<void> | null = null
  private timer: { atMs: number; cancel: () => void } | null = null
  private isFiring = false
  private stopped = false

  constructor(
    private readonly alarms: AlarmQueue,
    private readonly clock: Pick<SessionClock, 'nowMs' | 'isRunning'>,
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

  /** Stops it for good. */
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

  /** Fires alarms due at the timer's instant; a clock that is moved meanwhile fires the rest. */
  private *firing(nowMs: number): Slices<void> {
    try {
      while (this.clock.isRunning) {
        const due = this.alarms.takeDue(nowMs)
        if (!due) break
        const work = due.task()
        if (isSlices(work)) yield* this.finishing(work as Slices<void>)
        yield
      }
    } finally {
      this.isFiring = false
      this.rearm()
    }
  }

  private *finishing(work: Slices<void>): Slices<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.underway = promise
    try {
      yield* work
    } finally {
      this.underway = null
      resolve()
    }
  }
}

/** The work of an alarm. Slices that it returns are run, and later alarms wait for their end. */
type AlarmTask = () => unknown

/** Tasks in order of their time, then of setting: a binary heap. */
class AlarmQueue {
  private heap: Alarm[] = []
  private closed = false
  private addedCount = 0

  /** @param what purpose of the alarm; the result cancels it. */
  add(timeMs: number, task: AlarmTask, what = 'alarm'): () => void {
    const alarm: Alarm = { timeMs, order: this.addedCount++, task, what }
    if (this.closed) return () => {}
    this.heap.push(alarm)
    this.siftUp(this.heap.length - 1)
    return () => {
      alarm.task = null
    }
  }

  /** Removes all alarms, and accepts no more. */
  close(): void {
    this.closed = true
    this.heap = []
  }

  /** Time of the next alarm; undefined when there is none. */
  nextMs(): number | undefined {
    while (this.heap[0]?.task === null) this.pop()
    return this.heap[0]?.timeMs
  }

  /** Removes and returns the next task that is due by `timeMs`. */
  takeDue(timeMs: number): { timeMs: number; task: AlarmTask; what: string } | undefined {
    const next = this.nextMs()
    if (next === undefined || next > timeMs) return undefined
    const { task, what } = this.pop() as Alarm
    return { timeMs: next, task: task as AlarmTask, what }
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
  task: AlarmTask | null
  what: string
}

// Waiting during the move of a clock.

/**
 * Awaited between two alarms of a long step; undefined when there is nothing to wait for. An error
 * ends the step there.
 */
export type BackPressure = () => Promise<void> | undefined

/**
 * Called before the clock is moved to an instant: the result is awaited, and then it is called
 * again; undefined when everything is ready.
 */
type Readiness = (timeMs: number) => Promise<void> | undefined

/** Waits for everything required by an instant, and in between for back pressure. */
function* untilReady(
  readiness: Readiness,
  timeMs: number,
  backPressure?: BackPressure,
): Slices<void> {
  for (let awaited = readiness(timeMs); awaited; awaited = readiness(timeMs)) {
    yield awaited
    yield backPressure?.()
  }
}

// The adjustments of a session clock against the machine's time.

/** From a machine instant on: the total adjustment of the clock, and whether it runs. */
interface ClockAdjustment {
  machineMs: number
  movedMs: number
  running: boolean
}

const ADJUSTMENTS_MAX = 512

export class ClockAdjustments {
  list: ClockAdjustment[]

  constructor(first: ClockAdjustment) {
    this.list = [first]
  }

  /** Adds an adjustment: from now on it runs or is held, after a move of so much. */
  add(machineMs: number, movedMs: number, running: boolean): void {
    this.followSetBack(machineMs)
    this.list = adjustmentsAfter(this.list, machineMs, movedMs, running)
  }

  /** Corrects the latest move, which went further, or less far, than recorded at its beginning. */
  amendLast(byMs: number): void {
    const { last } = this
    this.list[this.list.length - 1] = { ...last, movedMs: last.movedMs + byMs }
  }

  /** Time of the clock since a machine instant; before the first adjustment it ran. */
  elapsedMs(nowMs: number, machineMs: number): number {
    this.followSetBack(nowMs)
    const movedBy = (instant: number): number => {
      const adjustment = this.list.findLast((candidate) => candidate.machineMs <= instant)
      if (!adjustment) return instant - (this.list[0] as ClockAdjustment).machineMs
      return adjustment.movedMs + (adjustment.running ? instant - adjustment.machineMs : 0)
    }
    return movedBy(nowMs) - movedBy(Math.min(machineMs, nowMs)) - Math.max(0, machineMs - nowMs)
  }

  /** Total of the adjustments made since a machine instant. */
  adjustedMs(machineMs: number): number {
    const since = this.list.filter((adjustment) => adjustment.machineMs >= machineMs)
    const before = this.list[this.list.length - since.length - 1] ?? this.list[0]
    return this.last.movedMs - (before as ClockAdjustment).movedMs
  }

  /**
   * When the machine's clock was set back, earlier adjustments are shifted with it, so that none
   * lies in the future.
   */
  private followSetBack(nowMs: number): void {
    if (this.last.machineMs <= nowMs) return
    // A signature of this second names its beginning.
    const byMs = this.last.machineMs - 1000 * Math.floor(nowMs / 1000)
    this.list = this.list.map(({ machineMs, movedMs, running }) => ({
      machineMs: machineMs - byMs,
      movedMs,
      running,
    }))
  }

  private get last(): ClockAdjustment {
    return this.list.at(-1) as ClockAdjustment
  }
}

/** Adjustments with one more: from then on it runs or is held, after a move of so much. */
export function adjustmentsAfter(
  list: readonly ClockAdjustment[],
  machineMs: number,
  movedMs: number,
  running: boolean,
): ClockAdjustment[] {
  const last = list.at(-1) as ClockAdjustment
  const ran = last.running ? machineMs - last.machineMs : 0
  const next = { machineMs, movedMs: last.movedMs + ran + movedMs, running }
  return [...list.slice(1 - ADJUSTMENTS_MAX), next]
}
