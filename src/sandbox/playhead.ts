/**
 * Where in the tape the market is: a pure function of the session clock and an anchor.
 *
 * Every change makes a new anchor (session time, tape time, speed, shift), so pacing never drifts.
 * At speed `max` the position is moved by the player, as fast as subscribers take it. At another
 * speed it waits where the player is, or where the market has been grown to.
 */
import { type TapeMs, tapeMs } from '../clock/instant.ts'
import type { Sandbox } from './sandbox.ts'

export type Epoch = 'live' | 'tape'

/** Tape time, how often the tape was restarted, and how much later clients are shown it. */
export interface TapePosition {
  atMs: TapeMs
  lap: number
  shiftMs: number
}

/** As it can be written down. */
export interface SavedPlayhead extends Anchor {
  end: EndBehaviour
}

export class Playhead {
  private anchor: Anchor
  private readonly lag = new PlayheadLag()
  end: EndBehaviour
  /** One lap: longer than the tape, so that its last instant is played, in whole seconds. */
  readonly lapMs: number

  constructor(
    readonly span: TapeSpan,
    readonly epoch: Epoch,
    sessionMs: number,
    from: { atMs?: number; speed?: Speed; end?: EndBehaviour } = {},
  ) {
    this.end = from.end ?? 'continue'
    this.lapMs = lapMsOf(span)
    const atMs = this.placeOf(from.atMs ?? span.startMs)
    this.anchor = {
      sessionMs,
      travelledMs: atMs - span.startMs,
      speed: from.speed ?? 1,
      shiftMs: this.shiftFor(sessionMs, atMs),
    }
  }

  get saved(): SavedPlayhead {
    return { ...this.anchor, ...this.lag.waiting, end: this.end }
  }

  /** Goes on where another one of the same tape was saved. */
  restore({ end, ...anchor }: SavedPlayhead): void {
    this.end = end
    this.anchor = anchor
    this.lag.reset()
  }

  get speed(): Speed {
    return this.anchor.speed
  }

  /** The position at an instant of the session clock. */
  positionAt(sessionMs: number): TapePosition {
    return this.positionAfter(this.travelledAt(sessionMs))
  }

  /**
   * Tape time travelled since the start of the first lap, as far as it can go: that of the player
   * while it is behind.
   */
  travelledAt(sessionMs: number): number {
    return this.lag.waiting?.travelledMs ?? this.dueAt(sessionMs)
  }

  /** The same as its speed asks for. */
  dueAt(sessionMs: number): number {
    return Math.min(this.availableMs, this.wantedAt(sessionMs))
  }

  /** The same, however far the market has been grown. */
  wantedAt = (sessionMs: number) => Math.min(this.limitMs, travelledBy(this.anchor, sessionMs))

  /** When the clock will show that much travelled; undefined when it never will by itself. */
  sessionMsOf(travelledMs: number): number | undefined {
    if (this.limitMs < travelledMs) return undefined
    return sessionMsAt(this.anchor, travelledMs)
  }

  /** The position after so much travelled time. */
  positionAfter(travelledMs: number): TapePosition {
    const { startMs, tapeEndMs } = this.span
    const lap = this.end === 'loop' ? Math.floor(travelledMs / this.lapMs) : 0
    const lastMs = this.end === 'loop' ? tapeEndMs : startMs + this.availableMs
    const atMs = tapeMs(Math.min(lastMs, startMs + travelledMs - lap * this.lapMs))
    return { atMs, lap, shiftMs: this.anchor.shiftMs + lap * this.lapMs }
  }

  /** At speed `max`: the player has come this far. */
  advanceTo(travelledMs: number): void {
    if (this.anchor.speed === 'max')
      this.anchor.travelledMs = Math.min(this.availableMs, travelledMs)
  }

  /** Whether it waits for the market to be grown. */
  isAheadAt = (sessionMs: number) => this.wantedAt(sessionMs) > this.availableMs

  /** Whether it waits for the player. */
  get isWaiting(): boolean {
    return this.lag.waiting !== null
  }

  /**
   * It stands where the player has come to. Of what is due no more is owed than can be caught up;
   * the result is whether something was given up.
   */
  waitAt(sessionMs: number, travelledMs: number): boolean {
    this.lag.waiting = { sessionMs, travelledMs }
    const excessMs = this.owedMs(sessionMs) - OWED_MAX_MS
    if (excessMs <= 0) return false
    this.lag.givenUpMs += excessMs
    this.anchor = { ...this.anchor, sessionMs: this.anchor.sessionMs + excessMs }
    return true
  }

  /** The player has caught up. */
  goOn(): void {
    this.lag.waiting = null
  }

  /** Gives up what is owed: it goes on from where it waited, as of then. */
  giveUp(): void {
    if (!this.lag.waiting) return
    this.lag.givenUpMs += this.owedMs(this.lag.waiting.sessionMs)
    this.anchor = { ...this.anchor, ...this.lag.waiting }
    this.lag.waiting = null
  }

  /** How much session time it is behind what was asked for since it was set. */
  lagMs(sessionMs: number): number {
    return this.lag.givenUpMs + this.owedMs(sessionMs)
  }

  /** Changes what is given from this instant on. A new position is a new epoch. */
  set(sessionMs: number, to: { atMs?: number; speed?: Speed; end?: EndBehaviour }): void {
    const here = this.positionAt(sessionMs)
    this.end = to.end ?? this.end
    // What holds beyond the tape's end holds where it is.
    const wantedMs = to.atMs ?? here.atMs
    const atMs = to.atMs === undefined && this.end === 'hold' ? wantedMs : this.placeOf(wantedMs)
    this.anchor = {
      sessionMs,
      travelledMs: atMs - this.span.startMs,
      speed: to.speed ?? this.anchor.speed,
      shiftMs: to.atMs === undefined ? here.shiftMs : this.shiftFor(sessionMs, atMs),
    }
    this.lag.reset()
  }

  /**
   * The session clock is about to be moved, and the market stays where it is: it is shown as of
   * the new now from this instant on.
   */
  stay(sessionMs: number, byMs: number): void {
    const travelledMs = this.travelledAt(sessionMs)
    const shiftMs = this.anchor.shiftMs + (this.epoch === 'tape' ? 0 : byMs)
    this.anchor = { ...this.anchor, sessionMs: sessionMs + byMs, travelledMs, shiftMs }
    this.lag.reset()
  }

  private owedMs(sessionMs: number): number {
    return this.lag.owedMs(this.travelledAt(sessionMs), this.wantedAt(sessionMs), this.anchor.speed)
  }

  /** How far it may ever go. */
  private get limitMs(): number {
    const { goesOn } = this.span
    if (this.end === 'loop' || (this.end === 'continue' && goesOn)) return Number.POSITIVE_INFINITY
    return Math.max(this.span.tapeEndMs - this.span.startMs, this.anchor.travelledMs)
  }

  private get availableMs(): number {
    return availableMs(this.span, this.end)
  }

  /** An absolute tape time, or an offset from the tape's start, where that can be gone to. */
  placeOf(atMs: number): number {
    return placeIn(this.span, this.end, atMs)
  }

  private shiftFor(sessionMs: number, atMs: number): number {
    return this.epoch === 'tape' ? 0 : Math.floor((sessionMs - atMs) / 1000) * 1000
  }
}

// How far a playhead is behind what was asked of it.

/**
 * Session time by which what is due may be late and is still caught up. What is later than that is
 * given up: the playhead goes on from where the market stands.
 */
const OWED_MAX_MS = 2_000

class PlayheadLag {
  /** Where the player had come to, and when; null while it is not behind. */
  waiting: { sessionMs: number; travelledMs: number } | null = null
  /** Session time given up since the playhead was set. */
  givenUpMs = 0

  /** What is wanted and not there, session time; both are travelled time. */
  owedMs(travelledMs: number, wantedMs: number, speed: number | 'max'): number {
    return speed === 'max' || speed === 0 ? 0 : Math.max(0, (wantedMs - travelledMs) / speed)
  }

  reset(): void {
    this.waiting = null
    this.givenUpMs = 0
  }
}

/** Where a playhead was last set, from which every later position follows. */
export type Speed = number | 'max'

export interface Anchor {
  sessionMs: number
  /** Tape time counted on through the laps, from the start of the first. */
  travelledMs: number
  speed: Speed
  shiftMs: number
}

/** Tape time travelled by an instant of the session clock, however far there is any. */
export function travelledBy(from: Anchor, sessionMs: number): number {
  const { speed, travelledMs } = from
  if (speed === 'max') return travelledMs
  // A tiny amount is added: dividing by the speed and multiplying by it again may fall short.
  const ran = Math.floor((sessionMs - from.sessionMs) * speed + 1e-6)
  return travelledMs + Math.max(0, ran)
}

/** When the clock will show that much travelled; undefined when it never will by itself. */
function sessionMsAt(from: Anchor, travelledMs: number): number | undefined {
  const { speed, sessionMs } = from
  if (speed === 'max' || speed === 0) return undefined
  const whenMs = sessionMs + Math.max(0, travelledMs - from.travelledMs) / speed
  // Instants are known to a quarter of a microsecond: an alarm that fired that much too early
  // would find nothing due, and fire at the same instant for ever.
  return travelledBy(from, whenMs) < travelledMs ? whenMs + 2 ** -10 : whenMs
}

/** Places along a tape that one may want to go to. */
interface PlayheadMark {
  /** Tape time, ms. */
  at: number
  /** Where it ends; the same but for gaps. */
  until: number
  kind: 'bookmark' | 'gap' | 'fault'
  what: string
}

/** Faults that are listed: the newest. */
const FAULTS_MAX = 1_000

/** Gaps of the tape, what scenarios did and bookmarks, in order of time. */
export function marksOf(sandbox: Sandbox): PlayheadMark[] {
  const gaps = (sandbox.world.gaps ?? []).map(({ fromMs, toMs, why }): PlayheadMark => {
    return { at: fromMs, until: toMs, kind: 'gap', what: why }
  })
  const bookmarks = [...sandbox.bookmarks].map(([name, at]) => markAt(at, 'bookmark', name))
  const marks = [...gaps, ...bookmarks, ...faultsOf(sandbox)]
  return marks.sort((a, b) => a.at - b.at)
}

/** One for each rule and instant. */
function faultsOf({ journal }: Sandbox): PlayheadMark[] {
  const marks = new Map<string, PlayheadMark>()
  for (const { kind, rule, tapeMs } of journal.after(0))
    if (rule !== null && kind !== 'market')
      marks.set(`${rule} ${tapeMs}`, markAt(tapeMs, 'fault', rule))
  return [...marks.values()].slice(-FAULTS_MAX)
}

const markAt = (atMs: number, kind: PlayheadMark['kind'], what: string): PlayheadMark => {
  const at = Math.floor(atMs)
  return { at, until: at, kind, what }
}

// Where a playhead may be: on a tape, and after it.

/** What happens at the end of the tape. */
export type EndBehaviour = 'continue' | 'hold' | 'loop'

export interface TapeSpan {
  readonly startMs: number
  readonly tapeEndMs: number
  /** How far the market has gone on after the tape. */
  readonly endMs: number
  /** Whether it can go on. */
  readonly goesOn: boolean
}

/** One lap: longer than the tape, so that its last instant is played, in whole seconds. */
const lapMsOf = ({ startMs, tapeEndMs }: TapeSpan): number =>
  (Math.floor((tapeEndMs - startMs) / 1000) + 1) * 1000

/** Travelled time that there is at present. */
const availableMs = ({ startMs, endMs }: TapeSpan, end: EndBehaviour): number =>
  end === 'loop' ? Number.POSITIVE_INFINITY : endMs - startMs

/**
 * The instant of an absolute tape time or an offset from the tape's start: of the tape, or also
 * after it where the market goes on.
 */
export function placeIn(span: TapeSpan, end: EndBehaviour, atMs: number): number {
  const { startMs, tapeEndMs, goesOn } = span
  const placeMs = Math.max(startMs, Math.floor(atMs < OFFSETS_BELOW ? startMs + atMs : atMs))
  return end === 'continue' && goesOn ? placeMs : Math.min(tapeEndMs, placeMs)
}

/** Times are of this century. */
const OFFSETS_BELOW = 1e10

/**
 * Who is waited for when a subscriber is slow. `paced`: at the recorded speed and below nobody,
 * faster than that everybody, but no longer than a client takes something now and then.
 * `lossless`: everybody at any speed, however long it takes, so that nothing is lost. `live`:
 * nobody, so that slow clients lose what does not fit into their queues.
 */
export type Delivery = 'paced' | 'lossless' | 'live'

export const DELIVERIES: readonly Delivery[] = ['paced', 'lossless', 'live']

/** What holds for a sandbox at present. */
export class DeliverySetting {
  constructor(public mode: Delivery = 'paced') {}

  /** Whether the tape waits for subscribers at a speed. */
  waitsAt(speed: Speed): boolean {
    return this.mode === 'lossless' || (this.mode === 'paced' && !(Number(speed) <= 1))
  }

  /** Whether one who takes nothing is waited for as long as it lasts. */
  get isPatient(): boolean {
    return this.mode === 'lossless'
  }
}
