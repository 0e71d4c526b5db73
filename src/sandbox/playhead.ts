/**
 * Where in the tape the market is: a pure function of the session clock and an anchor.
 *
 * Every change makes a new anchor (session time, tape time, speed, shift), so pacing never drifts.
 * At speed `max` the position is moved by the player, as fast as subscribers take it. At another
 * speed it waits where the player is, while that cannot follow.
 */
import { type TapeMs, tapeMs } from '../clock/instant.ts'
import { OWED_MAX_MS, PlayheadLag } from './playhead-lag.ts'

export type Speed = number | 'max'
export type EndBehaviour = 'loop' | 'hold' | 'end'
export type Epoch = 'live' | 'tape'

export interface TapeSpan {
  startMs: number
  endMs: number
}

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

interface Anchor {
  sessionMs: number
  /** Tape time counted on through the laps, from the start of the first. */
  travelledMs: number
  speed: Speed
  shiftMs: number
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
    this.end = from.end ?? 'loop'
    this.lapMs = (Math.floor((span.endMs - span.startMs) / 1000) + 1) * 1000
    const atMs = this.clampToTape(from.atMs ?? span.startMs)
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
   * Tape time travelled since the start of the first lap, held at the end unless it loops: that of
   * the player while it is behind.
   */
  travelledAt(sessionMs: number): number {
    return this.lag.waiting?.travelledMs ?? this.dueAt(sessionMs)
  }

  /** The same as its speed asks for. */
  dueAt(sessionMs: number): number {
    const { speed, travelledMs, sessionMs: since } = this.anchor
    if (speed === 'max') return travelledMs
    // A tiny amount is added: dividing by the speed and multiplying by it again may fall short.
    const ran = Math.floor((sessionMs - since) * speed + 1e-6)
    return this.clampTravelled(travelledMs + Math.max(0, ran))
  }

  /** When the clock will show that much travelled; undefined when it never will by itself. */
  sessionMsOf(travelledMs: number): number | undefined {
    const { speed, sessionMs, travelledMs: since } = this.anchor
    if (speed === 'max' || speed === 0) return undefined
    if (this.clampTravelled(travelledMs) < travelledMs) return undefined
    const whenMs = sessionMs + Math.max(0, travelledMs - since) / speed
    // Instants are known to a quarter of a microsecond: an alarm that fired that much too early
    // would find nothing due, and fire at the same instant for ever.
    return this.dueAt(whenMs) < travelledMs ? whenMs + 2 ** -10 : whenMs
  }

  /** The position after so much travelled time. */
  positionAfter(travelledMs: number): TapePosition {
    const { startMs, endMs } = this.span
    const lap = this.end === 'loop' ? Math.floor(travelledMs / this.lapMs) : 0
    const atMs = tapeMs(Math.min(endMs, startMs + travelledMs - lap * this.lapMs))
    return { atMs, lap, shiftMs: this.anchor.shiftMs + lap * this.lapMs }
  }

  /** At speed `max`: the player has come this far. */
  advanceTo(travelledMs: number): void {
    if (this.anchor.speed === 'max') this.anchor.travelledMs = this.clampTravelled(travelledMs)
  }

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
    const atMs = to.atMs === undefined ? here.atMs : this.clampToTape(to.atMs)
    this.end = to.end ?? this.end
    this.anchor = {
      sessionMs,
      travelledMs: atMs - this.span.startMs,
      speed: to.speed ?? this.anchor.speed,
      shiftMs: to.atMs === undefined ? here.shiftMs : this.shiftFor(sessionMs, atMs),
    }
    this.lag.reset()
  }

  private owedMs(sessionMs: number): number {
    return this.lag.owedMs(this.dueAt(sessionMs), this.anchor.speed)
  }

  private clampTravelled(travelledMs: number): number {
    return this.end === 'loop'
      ? travelledMs
      : Math.min(this.span.endMs - this.span.startMs, travelledMs)
  }

  /** An absolute tape time, or an offset from the tape's start. */
  clampToTape(atMs: number): number {
    const absolute = atMs < 1e10 ? this.span.startMs + atMs : atMs
    return Math.min(this.span.endMs, Math.max(this.span.startMs, Math.floor(absolute)))
  }

  private shiftFor(sessionMs: number, atMs: number): number {
    return this.epoch === 'tape' ? 0 : Math.floor((sessionMs - atMs) / 1000) * 1000
  }
}
