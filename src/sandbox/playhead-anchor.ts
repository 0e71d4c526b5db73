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
export function sessionMsAt(from: Anchor, travelledMs: number): number | undefined {
  const { speed, sessionMs } = from
  if (speed === 'max' || speed === 0) return undefined
  const whenMs = sessionMs + Math.max(0, travelledMs - from.travelledMs) / speed
  // Instants are known to a quarter of a microsecond: an alarm that fired that much too early
  // would find nothing due, and fire at the same instant for ever.
  return travelledBy(from, whenMs) < travelledMs ? whenMs + 2 ** -10 : whenMs
}
