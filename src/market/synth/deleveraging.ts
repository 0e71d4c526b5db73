/** Positions that are given up when a price runs: by hand, by stops, before they are liquidated. */

/** What is known of it, as plain data. */
export interface DeleveragingState {
  /** Logarithm of the price a minute ago; null before the first minute. */
  log: number | null
  /** Move of the last hour or so. */
  hour: number
  /** Part of the open interest that such moves have cost already. */
  shed: number
  /** Lots that are yet to be closed. */
  pending: number
}

/** A move of an hour that nobody gives up for. */
const BORNE = 0.01
/** Part of the open interest that is given up for each part of one beyond that. */
const SHED = { fall: 0.9, rise: 0.45 }
const FORGETTING = 1 / 60
/** Part of what is traded by which positions can be closed beyond those that always are. */
const CLOSING_SHARE = 0.6

export const newDeleveraging = (): DeleveragingState => ({
  log: null,
  hour: 0,
  shed: 0,
  pending: 0,
})

/** A minute begins at that price, with so many lots of open interest. */
export function noteMinute(state: DeleveragingState, log: number, interest: number): void {
  const move = state.log === null ? 0 : log - state.log
  state.log = log
  state.hour += move - FORGETTING * state.hour
  state.shed -= FORGETTING * state.shed
  const beyond = Math.max(0, Math.abs(state.hour) - BORNE)
  const wanted = beyond * (state.hour < 0 ? SHED.fall : SHED.rise)
  if (wanted <= state.shed) return
  state.pending += (wanted - state.shed) * interest
  state.shed = wanted
}

/** So many lots are traded: how many of them close what was given up. */
export function closedBy(state: DeleveragingState, lots: number): number {
  const closed = Math.round(Math.min(state.pending, CLOSING_SHARE * lots))
  state.pending -= closed
  return closed
}
