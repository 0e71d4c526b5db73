import type { Trading } from '../bars/market-regimes.ts'
import { premiumSpread } from '../bars/market-regimes.ts'
import { tickBp } from './order-matching.ts'
import type { BookLevel, TakerSide } from './synth-event.ts'

/** Parameters of one instrument of a synthesised market, as plain data. */
export interface InstrumentProfile {
  coin: string
  kind: 'perp' | 'spot'
  /** Maximum decimals of a price and a size. */
  pxDecimals: number
  szDecimals: number
  /** Price of the first moment, in dollars. */
  startPx: number
  /** Beta to the whole market. */
  beta: number
  /** Own volatility, in basis points over one second. */
  ownBp: number
  /** Spread in a normal market, in ticks. */
  spreadTicks: number
  /** Mean distance between neighbouring levels, in ticks. */
  gapTicks: number
  /** Typical size of a level where most orders rest, in dollars. */
  levelUsd: number
  /** Size of the best levels of an unusually deep book relative to others; default 1. */
  bookDepth?: number | undefined
  /**
   * Levels of a side, and the distance of the last one from the touch, as a fraction of the price.
   */
  levels: number
  extent: number
  /** Taker orders in a second of a normal market. */
  ordersPerS: number
  /** Usual size of a taker order, in dollars: about a third of the mean. */
  orderUsd: number
  /** Mean size of a taker order over the median; default 18. */
  sizeTail?: number | undefined
  /** Mean number of makers per taker order, where it is higher than usual. */
  fillsPerOrder?: number | undefined
  /** Impact of an order of the usual level's size, relative to the volatility of a second. */
  impact?: number | undefined
  /** Mean time between two updates of the book. */
  refreshMs: number
  /** Open interest of the first moment in dollars; 0 for spot. */
  interestUsd: number
  /** Premium of the perpetual over its oracle, as a fraction. */
  premium: number
  /** Deviation of the premium over hours and days, as a fraction; default none. */
  premiumSpread?: number | undefined
  /** Liquidations in a cascade. */
  liquidations: number
  /** Another instrument on the same asset whose price this one tracks. */
  follows?: string | undefined
  /** Constant price step in units of 10^-pxDecimals; default: five figures. */
  tickUnits?: number | undefined
  /** Trading calendar; default: always open. */
  trading?: Trading | undefined
  /** Initial excess of volatility and activity over the usual; both decay within hours. */
  unusual?: { volatility: number; activity: number } | undefined
}

/** Volatility of an instrument in a normal market, in basis points over one second. */
export function volatilityBp({ beta, ownBp }: InstrumentProfile): number {
  return Math.hypot(MARKET_BP * beta, ownBp)
}

/** Default impact. */
export const IMPACT = 0.85

/** Move by an order of a second's turnover, relative to a second's volatility. */
export const IMPACT_OF_SECOND = 0.2

/** Seen volatility over the fair price's own: jumps, cascades and trades add to it. */
export const SEEN_VOLATILITY = 1.25

/** Volatility of the whole market over one second, in basis points. */
export const MARKET_BP = 0.55

/** The profile at another price, where a tick may be another fraction of it. */
export function atPrice(profile: InstrumentProfile, startPx: number): InstrumentProfile {
  const moved = structuredClone(profile)
  moved.startPx = startPx
  const scale = tickBp(profile) / tickBp(moved)
  // Nearly equal prices stay unchanged, so that rounding does not accumulate.
  if (Math.abs(scale - 1) < 0.5) return moved
  moved.spreadTicks = Math.max(1, profile.spreadTicks * scale)
  moved.gapTicks = Math.max(1, profile.gapTicks * scale)
  return moved
}

/** Default properties of an instrument without observations. */
export interface UsualMarket {
  /** Correlation with the market as a whole. */
  shared: number
  /** Basis points over one second. */
  volatilityBp: number
  /** Turnover, dollars a second, and usual order. */
  usdPerS: number
  orderUsd: number
  levelUsd: number
  spreadBp: number
  refreshMs: number
  /** Deviation of its premium, as a fraction. */
  premiumSpread: number
  /** Open interest in days of turnover. */
  interestDays: number
}

/** Turnover a second of the largest instruments, dollars. */
const LARGEST_USD_PER_S = 15_000
const SMALLEST_USD_PER_S = 5
/** Minimum turnover of any instrument. */
const LEAST_USD_PER_S = 0.2

/** Usual properties of an instrument of this kind at a turnover. */
export function usualMarket(
  { kind, trading, moves }: RecordedInstrument,
  usdPerS: number,
): UsualMarket {
  const turnover = Math.min(LARGEST_USD_PER_S, Math.max(SMALLEST_USD_PER_S, usdPerS))
  // Everything is a power law of the turnover, from the largest to the smallest.
  const rank = Math.log(LARGEST_USD_PER_S / turnover) / Math.log(10)
  const orderUsd = 2600 * 10 ** (-0.18 * rank)
  const isStock = trading === 'stock'
  const unknownBp = isStock ? 0.6 : Math.min(1.7, 1 + 0.22 * rank)
  const dailyVolatility = moves?.dailyVolatility ?? unknownBp * BP_OF_DAY
  const volatilityBp = dailyVolatility / BP_OF_DAY
  return {
    shared: moves?.shared ?? (isStock ? 0.34 : Math.max(0.3, 0.75 - 0.13 * rank)),
    volatilityBp,
    usdPerS: Math.max(LEAST_USD_PER_S, usdPerS),
    orderUsd,
    levelUsd: (kind === 'perp' ? 70_000 : 25_000) * 10 ** (-0.62 * rank),
    spreadBp: 0.15 * 10 ** (0.55 * rank) * (kind === 'perp' ? 1 : 2),
    refreshMs: Math.min(2500, 260 * 10 ** (0.35 * rank)),
    premiumSpread: premiumSpread(dailyVolatility),
    interestDays: 1 + 0.2 * rank,
  }
}

/** A day's volatility per basis point over one second. */
const BP_OF_DAY = SEEN_VOLATILITY * 1e-4 * Math.sqrt(86_400)

/**
 * Observations of one instrument over some time, from which its market is calibrated. Prices are in
 * units of 10^-pxDecimals, sizes in lots; everything in order of time, any part may be empty.
 */
export interface CoinRecord {
  instrument: RecordedInstrument
  fromMs: number
  toMs: number
  trades: readonly RecordedTrade[]
  /** Full books, from the touch outward: as many as are available, some dozens suffice. */
  books: readonly RecordedBook[]
  /** Times at which the book changed, over the whole time. */
  bookUpdates: number
  marks: readonly RecordedMark[]
  /** At the end; null when unknown. */
  openInterestLots: number | null
  /** Average premium over the oracle at the end, as a fraction; null when unknown. */
  premium: number | null
  /** Price at the end without trades and without a book. */
  lastPx: number
  /** Usual values of weeks before, where they are known. */
  usual?: { volatilityBp?: number | undefined; usdPerS?: number | undefined } | undefined
}

/** The instrument itself. */
interface RecordedInstrument {
  coin: string
  kind: 'perp' | 'spot'
  pxDecimals: number
  szDecimals: number
  /** Another instrument of the same asset, whose price it tracks. */
  follows?: string | undefined
  trading?: Trading | undefined
  /** Usual moves, where they are known: volatility of a day, correlation with the whole market. */
  moves?: { dailyVolatility: number; shared: number } | undefined
}

/** A trade; those of one instant and side count as one order. */
export interface RecordedTrade {
  timeMs: number
  side: TakerSide
  px: number
  lots: number
}

/** A full book, or its known part. */
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
