/** B: the taker bought, A: the taker sold. */
export type TakerSide = 'B' | 'A'

/** A price level of a book; one without lots is gone. */
export interface BookLevel {
  /** In whole units of 10^-pxDecimals, as all prices of events. */
  px: number
  lots: number
  orders: number
}

interface Happening {
  timeMs: number
  coin: string
}

/** One fill of a maker's order. */
export interface SynthTrade extends Happening {
  kind: 'trade'
  side: TakerSide
  px: number
  lots: number
  tid: number
  /** Of the order from outside that it belongs to. */
  tag?: number
}

/** The full book, or the levels of it that have changed, each side from the touch outward. */
export interface SynthLevels extends Happening {
  kind: 'book' | 'delta'
  bids: BookLevel[]
  asks: BookLevel[]
}

/** Mark and oracle price. */
export interface SynthMark extends Happening {
  kind: 'mark'
  mark: number
  oracle: number
}

/** The hourly funding rate and the premium that it follows from, in units of 10^-RATE_DECIMALS. */
export interface SynthFunding extends Happening {
  kind: 'funding'
  rate: number
  premium: number
}

/** Open interest. */
export interface SynthInterest extends Happening {
  kind: 'interest'
  lots: number
}

/** A liquidation; the trades that carry it out follow at once. */
export interface SynthLiquidation extends Happening {
  kind: 'liquidation'
  /** Side of the position that is closed. */
  position: 'long' | 'short'
  lots: number
  mark: number
  tids: number[]
}

/** What happens in a synthesised market: prices and sizes are whole numbers. */
export type SynthEvent =
  | SynthTrade
  | SynthLevels
  | SynthMark
  | SynthFunding
  | SynthInterest
  | SynthLiquidation

/** Decimals of rates. */
export const RATE_DECIMALS = 10
