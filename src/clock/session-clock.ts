/**
 * The clock of one sandbox: it runs with the machine or is held and moved by hand.
 *
 * Alarms ring in order of time, then of setting; while one rings, `nowMs` is its own time when the
 * clock is held. A running clock is anchored to the monotonic clock, so delays never add up.
 */
import { Alarms } from './alarms.ts'
import { type Machine, machine } from './machine.ts'
import { type Move, Moves } from './moves.ts'

export type ClockState = 'running' | 'held'

/** Awaited between two alarms of a long step; undefined when there is nothing to wait for. */
export type Settle = () => Promise<void> | undefined

export interface RungAlarm {
  /** Session time. */
  timeMs: number
  /** What it was for, in words. */
  what: string
}

/** What rang in a step, in order; of a very long one the first alarms and a count of the rest. */
export interface Rung {
  alarms: RungAlarm[]
  more: number
}

const RUNG_TOLD = 1_000

export class SessionClock {
  private alarms = new Alarms()
  private anchor: { sessionMs: number; monotonicMs: number }
  private wake: { atMs: number; cancel: () => void } | null = null
  private ringing = false
  private readonly moves: Moves
  private stopped = false

  constructor(
    private mode: ClockState,
    startMs?: number,
    private readonly by: Machine = machine,
  ) {
    const wallMs = by.nowMs()
    this.anchor = { sessionMs: startMs ?? wallMs, monotonicMs: by.monotonicMs() }
    this.moves = new Moves({ machineMs: wallMs, movedMs: 0, running: mode === 'running' })
  }

  get state(): ClockState {
    return this.mode
  }

  /** What is needed to go on with it later; a running one goes on with the machine meanwhile. */
  get saved(): SavedClock {
    const { mode: state, moves, by } = this
    return { state, nowMs: this.nowMs(), wallMs: by.nowMs(), moves: [...moves.list] }
  }

  /** Goes on where another clock was saved; it must be new, without alarms. */
  resume({ state, nowMs, wallMs, moves }: SavedClock): void {
    const passedMs = state === 'running' ? Math.max(0, this.by.nowMs() - wallMs) : 0
    this.anchor = { sessionMs: nowMs + passedMs, monotonicMs: this.by.monotonicMs() }
    this.mode = state
    this.moves.list = [...moves]
  }

  nowMs(): number {
    if (this.mode === 'held') return this.anchor.sessionMs
    return this.anchor.sessionMs + (this.by.monotonicMs() - this.anchor.monotonicMs)
  }

  /** Rings once at `timeMs`, or as soon as possible when that is past; the answer takes it back. */
  at(timeMs: number, task: () => void, what?: string): () => void {
    const cancel = this.alarms.set(timeMs, task, what)
    this.rearm()
    return cancel
  }

  after(delayMs: number, task: () => void): () => void {
    return this.at(this.nowMs() + delayMs, task)
  }

  /** Rings as soon as the machine is free, or after machine time, whatever this clock says. */
  soon(task: () => void, delayMs = 0): () => void {
    return delayMs === 0 ? this.by.soon(task) : this.by.timer(delayMs, task)
  }

  /**
   * Runs or holds it, and sets its time if one is given. Alarms that fall due by that ring first.
   */
  async set(to: { state?: ClockState; nowMs?: number }, settle?: Settle): Promise<void> {
    if (to.nowMs !== undefined && to.nowMs > this.nowMs())
      await this.advance(to.nowMs - this.nowMs(), settle)
    const before = this.nowMs()
    this.anchor = { sessionMs: to.nowMs ?? before, monotonicMs: this.by.monotonicMs() }
    this.mode = to.state ?? this.mode
    this.note(Math.min(0, this.anchor.sessionMs - before))
    this.rearm()
  }

  /**
   * Moves it forward and rings, in order, every alarm that falls due. `settle` is awaited between
   * alarms, so that whoever must keep up can. The answer is what rang.
   */
  async advance(byMs: number, settle?: Settle): Promise<Rung> {
    const rung: Rung = { alarms: [], more: 0 }
    const targetMs = this.nowMs() + byMs
    const running = this.mode === 'running'
    this.note(byMs)
    this.mode = 'held'
    for (let due = this.alarms.due(targetMs); due; due = this.alarms.due(targetMs)) {
      this.anchor.sessionMs = Math.max(this.anchor.sessionMs, due.timeMs)
      note(rung, due)
      due.task()
      const waiting = settle?.()
      if (waiting) await waiting
    }
    this.anchor = { sessionMs: targetMs, monotonicMs: this.by.monotonicMs() }
    if (running) this.mode = 'running'
    this.rearm()
    return rung
  }

  /**
   * How far this clock has moved since a machine instant: the age of what was signed then.
   * Before the sandbox was made it counts as having run with the machine; later instants give a
   * negative age.
   */
  movedSinceMs(machineMs: number): number {
    return this.moves.sinceMs(this.by.nowMs(), machineMs)
  }

  /**
   * A `Timestamp` names a whole second. When the clock was moved far within this one, waits for the
   * next, so that what was signed before and what is signed after are told apart.
   */
  async untilSignaturesDiffer(): Promise<void> {
    const second = Math.floor(this.by.nowMs() / 1000)
    const movedMs = this.moves.fromMs(second * 1000)
    if (movedMs < AGEING_MS) return
    while (Math.floor(this.by.nowMs() / 1000) === second)
      await new Promise<void>((resume) => this.by.timer(1000 - (this.by.nowMs() % 1000), resume))
  }

  /** No alarm rings after this. */
  stop(): void {
    this.stopped = true
    this.wake?.cancel()
    this.alarms = new Alarms()
  }

  private note(movedMs: number): void {
    this.moves.note(this.by.nowMs(), movedMs, this.mode === 'running')
  }

  private rearm(): void {
    if (this.stopped || this.ringing || this.mode === 'held') return
    const nextMs = this.alarms.nextMs()
    if (this.wake && this.wake.atMs === nextMs) return
    this.wake?.cancel()
    this.wake = null
    if (nextMs === undefined) return
    const cancel = this.by.timer(nextMs - this.nowMs(), () => this.ring())
    this.wake = { atMs: nextMs, cancel }
  }

  private ring(): void {
    this.wake = null
    this.ringing = true
    try {
      const nowMs = this.nowMs()
      for (let due = this.alarms.due(nowMs); due; due = this.alarms.due(nowMs)) due.task()
    } finally {
      this.ringing = false
      this.rearm()
    }
  }
}

function note(rung: Rung, { timeMs, what }: RungAlarm): void {
  if (rung.alarms.length < RUNG_TOLD) rung.alarms.push({ timeMs, what })
  else rung.more++
}

/** A clock as it can be written down. */
export interface SavedClock {
  state: ClockState
  nowMs: number
  /** When it was saved, wall time of the machine. */
  wallMs: number
  moves: Move[]
}

/** Moves shorter than this make no signature too old. */
const AGEING_MS = 25_000
