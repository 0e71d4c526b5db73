/** Where a playhead may be: on a tape, and after it. */

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
export const lapMsOf = ({ startMs, tapeEndMs }: TapeSpan): number =>
  (Math.floor((tapeEndMs - startMs) / 1000) + 1) * 1000

/** Travelled time that there is at present. */
export const availableMs = ({ startMs, endMs }: TapeSpan, end: EndBehaviour): number =>
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
