import type { Trading } from '../bars/activity-hours.ts'
import type { BookLevel, TakerSide } from './synth-event.ts'

/**
 * What was seen of one instrument over some time, from which its market is calibrated. Prices are
 * in units of 10^-pxDecimals, sizes in lots; everything in order of time, any part may be empty.
 */
export interface CoinRecord {
  instrument: RecordedInstrument
  fromMs: number
  toMs: number
  trades: readonly RecordedTrade[]
  /** Full books, from the touch outward: as many as are at hand, some dozens are enough. */
  books: readonly RecordedBook[]
  /** Times at which the book changed, in all of the time. */
  bookUpdates: number
  marks: readonly RecordedMark[]
  /** As of the end; null when nothing was told of it. */
  openInterestLots: number | null
  /** Average premium over the oracle as of the end, as a part of one; null when unknown. */
  premium: number | null
  /** Price as of the end when nothing traded and there is no book. */
  lastPx: number
  /** Usual values of weeks before, where they are known. */
  usual?: { volatilityBp?: number | undefined; usdPerS?: number | undefined } | undefined
}

/** The instrument itself. */
export interface RecordedInstrument {
  coin: string
  kind: 'perp' | 'spot'
  pxDecimals: number
  szDecimals: number
  /** Another instrument of the same asset, whose price it tracks. */
  follows?: string | undefined
  trading?: Trading | undefined
}

/** A trade; those of one instant and side are taken for one order. */
export interface RecordedTrade {
  timeMs: number
  side: TakerSide
  px: number
  lots: number
}

/** A full book, or what is known of it. */
export interface RecordedBook {
  timeMs: number
  bids: readonly BookLevel[]
  asks: readonly BookLevel[]
}

/** A mark price. */
export interface RecordedMark {
  timeMs: number
  mark: number
}
