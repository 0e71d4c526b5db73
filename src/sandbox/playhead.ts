/**
 * The position of the market in the tape: a pure function of the session clock and an anchor.
 *
 * Every change makes a new anchor (session time, tape time, speed, shift), so pacing never drifts.
 * At speed `max` the player moves the position, as fast as subscribers take the frames. At another
 * speed the position waits for the player, and for the growth of the market.
 */
import { type TapeMs, tapeMs } from '../clock/instant.ts'
import type { Sandbox } from './sandbox.ts'

export type Epoch = 'live' | 'tape'

/** A position: tape time, lap, and the shift to shown time. */
export interface TapePosition {
  atMs: TapeMs
  lap: number
  shiftMs: number
}

/** The stored form of a playhead. */
export interface SavedPlayhead extends Anchor {
  end: EndBehaviour
}

export class Playhead {
  private anchor: Anchor
  private readonly lag = new PlayheadLag()
  end: EndBehaviour
  /** Length of a lap, ms: longer than the tape, to play its last instant, in whole seconds. */
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

  /** Continues from a saved playhead of the same tape. */
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
   * Tape time travelled since the start of the first lap; that of the player while it is behind.
   */
  travelledAt(sessionMs: number): number {
    return this.lag.waiting?.travelledMs ?? this.dueAt(sessionMs)
  }

  /** The travelled time that the speed asks for, up to the end of the grown market. */
  dueAt(sessionMs: number): number {
    return Math.min(this.availableMs, this.wantedAt(sessionMs))
  }

  /** The travelled time that the speed asks for, however far the market has been grown. */
  wantedAt = (sessionMs: number) => Math.min(this.limitMs, travelledBy(this.anchor, sessionMs))

  /** The session time at which so much is travelled; undefined when it never will be. */
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

  /** Moves the position at speed `max`. */
  advanceTo(travelledMs: number): void {
    if (this.anchor.speed === 'max')
      this.anchor.travelledMs = Math.min(this.availableMs, travelledMs)
  }

  /** Whether it waits for the market's growth. */
  isAheadAt = (sessionMs: number) => this.wantedAt(sessionMs) > this.availableMs

  /** Whether it waits for the player. */
  get isWaiting(): boolean {
    return this.lag.waiting !== null
  }

  /**
   * Waits at the player's position. At most the time that can be caught up stays due; whether some
   * was given up.
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
  resume(): void {
    this.lag.waiting = null
  }

  /** Gives up what is due: it continues from where it waited, as of then. */
  giveUp(): void {
    if (!this.lag.waiting) return
    this.lag.givenUpMs += this.owedMs(this.lag.waiting.sessionMs)
    this.anchor = { ...this.anchor, ...this.lag.waiting }
    this.lag.waiting = null
  }

  /** Lag in session time since it was set, ms. */
  lagMs(sessionMs: number): number {
    return this.lag.givenUpMs + this.owedMs(sessionMs)
  }

  /** Changes the given settings from this instant on. A new position is a new epoch. */
  set(sessionMs: number, to: { atMs?: number; speed?: Speed; end?: EndBehaviour }): void {
    const here = this.positionAt(sessionMs)
    this.end = to.end ?? this.end
    // A playhead that held beyond the tape's end stays where it is.
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
   * Keeps the market in place while the session clock is moved: from this instant on it is shown as
   * of the new time.
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

  /** The farthest travelled time. */
  private get limitMs(): number {
    const { canContinue } = this.span
    if (this.end === 'loop' || (this.end === 'continue' && canContinue))
      return Number.POSITIVE_INFINITY
    return Math.max(this.span.tapeEndMs - this.span.startMs, this.anchor.travelledMs)
  }

  private get availableMs(): number {
    return availableMs(this.span, this.end)
  }

  /** The tape time of an absolute time or an offset from the tape's start, if it can be reached. */
  placeOf(atMs: number): number {
    return placeIn(this.span, this.end, atMs)
  }

  private shiftFor(sessionMs: number, atMs: number): number {
    return this.epoch === 'tape' ? 0 : Math.floor((sessionMs - atMs) / 1000) * 1000
  }
}

// The lag of a playhead behind its speed.

/**
 * Session time by which the playhead may lag and still catch up. Any more is given up: the playhead
 * continues from the market's position.
 */
const OWED_MAX_MS = 2_000

class PlayheadLag {
  /** The position of the player, and when it fell behind; null while it is not behind. */
  waiting: { sessionMs: number; travelledMs: number } | null = null
  /** Session time given up since the playhead was set. */
  givenUpMs = 0

  /** The lag in session time; both arguments are travelled time. */
  owedMs(travelledMs: number, wantedMs: number, speed: number | 'max'): number {
    return speed === 'max' || speed === 0 ? 0 : Math.max(0, (wantedMs - travelledMs) / speed)
  }

  reset(): void {
    this.waiting = null
    this.givenUpMs = 0
  }
}

/** Speed of a playhead: tape time per session time, or as fast as possible. */
export type Speed = number | 'max'

/** The setting of a playhead from which its later positions follow. */
export interface Anchor {
  sessionMs: number
  /** Tape time over all laps, from the start of the first. */
  travelledMs: number
  speed: Speed
  shiftMs: number
}

/** Tape time travelled at an instant of the session clock, without regard to the market's end. */
export function travelledBy(from: Anchor, sessionMs: number): number {
  const { speed, travelledMs } = from
  if (speed === 'max') return travelledMs
  // A tiny amount is added, as dividing by the speed and multiplying again may fall short.
  const ran = Math.floor((sessionMs - from.sessionMs) * speed + 1e-6)
  return travelledMs + Math.max(0, ran)
}

/** The session time at which so much is travelled; undefined when it never is without a change. */
function sessionMsAt(from: Anchor, travelledMs: number): number | undefined {
  const { speed, sessionMs } = from
  if (speed === 'max' || speed === 0) return undefined
  const whenMs = sessionMs + Math.max(0, travelledMs - from.travelledMs) / speed
  // Instants have a resolution of a quarter of a microsecond: an alarm that fired that much too
  // early would find nothing due, and fire at the same instant for ever.
  return travelledBy(from, whenMs) < travelledMs ? whenMs + 2 ** -10 : whenMs
}

/** A notable place of a tape: a gap, a fault or a bookmark. */
interface PlayheadMark {
  /** Tape time, ms. */
  at: number
  /** Its end; differs from `at` for gaps only. */
  until: number
  kind: 'bookmark' | 'gap' | 'fault'
  what: string
}

/** Maximum number of listed faults: the newest. */
const FAULTS_MAX = 1_000

/** Gaps of the tape, faults and bookmarks, in order of time. */
export function marksOf(sandbox: Sandbox): PlayheadMark[] {
  const gaps = (sandbox.world.gaps ?? []).map(({ fromMs, toMs, why }): PlayheadMark => {
    return { at: fromMs, until: toMs, kind: 'gap', what: why }
  })
  const bookmarks = [...sandbox.bookmarks].map(([name, at]) => markAt(at, 'bookmark', name))
  const marks = [...gaps, ...bookmarks, ...faultsOf(sandbox)]
  return marks.sort((a, b) => a.at - b.at)
}

/** One mark for each rule and instant. */
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

// The reachable places: on the tape, and after it.

/** The behaviour at the end of the tape. */
export type EndBehaviour = 'continue' | 'hold' | 'loop'

export interface TapeSpan {
  readonly startMs: number
  readonly tapeEndMs: number
  /** The present end of the market, tape time. */
  readonly endMs: number
  /** Whether the market can continue after the tape. */
  readonly canContinue: boolean
}

/** Length of a lap, ms: longer than the tape, to play its last instant, in whole seconds. */
const lapMsOf = ({ startMs, tapeEndMs }: TapeSpan): number =>
  (Math.floor((tapeEndMs - startMs) / 1000) + 1) * 1000

/** Travelled time available at present. */
const availableMs = ({ startMs, endMs }: TapeSpan, end: EndBehaviour): number =>
  end === 'loop' ? Number.POSITIVE_INFINITY : endMs - startMs

/**
 * The tape time of an absolute time or an offset from the tape's start; after the tape only where
 * the market continues.
 */
export function placeIn(span: TapeSpan, end: EndBehaviour, atMs: number): number {
  const { startMs, tapeEndMs, canContinue } = span
  const placeMs = Math.max(startMs, Math.floor(atMs < OFFSETS_BELOW ? startMs + atMs : atMs))
  return end === 'continue' && canContinue ? placeMs : Math.min(tapeEndMs, placeMs)
}

/** Smaller values are offsets: times are of this century. */
const OFFSETS_BELOW = 1e10

/**
 * The waiting policy for slow subscribers. `paced`: none at the recorded speed and below; at higher
 * speeds for all that take a frame now and then. `lossless`: for all at any speed, however long it
 * takes, so that nothing is lost. `live`: none, so that slow clients lose what does not fit into
 * their queues.
 */
export type Delivery = 'paced' | 'lossless' | 'live'

export const DELIVERIES: readonly Delivery[] = ['paced', 'lossless', 'live']

/** The present delivery of a sandbox. */
export class DeliverySetting {
  constructor(public mode: Delivery = 'paced') {}

  /** Whether the tape waits for subscribers at a speed. */
  waitsAt(speed: Speed): boolean {
    return this.mode === 'lossless' || (this.mode === 'paced' && !(Number(speed) <= 1))
  }

  /** Whether it waits for a stalled subscriber without limit. */
  get isPatient(): boolean {
    return this.mode === 'lossless'
  }
}
