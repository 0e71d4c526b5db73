/** Derivatives: funding, open interest, liquidations and depth by pair. */
import type { Slices } from '../../clock/turns.ts'
import type { FullDepth, GroupedDepth, LatestDepth } from '../records/depth.ts'
import type {
  EstimatedLiquidation,
  HistoryCandle,
  LiquidationBucket,
} from '../records/futures-history.ts'
import type { FuturesInterest } from '../records/futures-interest.ts'

export interface HistoryQuery {
  /** A pair such as `btcswapusdt:binance`, an aggregated pair or a coin's symbol. */
  symbol: string
  interval: string
  limit: number
  startTimeMs?: number | undefined
  endTimeMs?: number | undefined
}

export interface EstimatedLiquidationQuery extends Omit<HistoryQuery, 'interval'> {
  cycle: '24h' | '7d'
  /** All of them when left out. */
  leverage?: '10' | '25' | '50' | '100' | undefined
}

/** Histories are oldest first; each is null for a symbol that is not known. */
export interface FuturesFacts {
  /** Empty levels for a pair that is not known. `size` levels a side. */
  latestDepth(dbKey: string, size: number): LatestDepth
  /** null for a pair that is not known. */
  fullDepth(dbKey: string): FullDepth | null
  /** null for a pair that is not known. */
  groupedDepth(dbKey: string, groupSize: number): GroupedDepth | null
  /** Past rates of one pair. */
  fundingRates(query: HistoryQuery): Slices<HistoryCandle[] | null>
  /** Rates of eight hours over all exchanges, weighted by their share of the market. */
  weightedFundingRates(query: HistoryQuery): Slices<HistoryCandle[] | null>
  /** Open interest of contracts settled in stablecoins over all exchanges, in the coin. */
  stablecoinOpenInterest(query: HistoryQuery): Slices<HistoryCandle[] | null>
  /** Open interest of contracts settled in the coin over all exchanges, in dollars. */
  coinMarginOpenInterest(query: HistoryQuery): Slices<HistoryCandle[] | null>
  /** Liquidations of one pair. */
  liquidations(query: HistoryQuery): Slices<LiquidationBucket[] | null>
  /** Where positions of one pair would be liquidated, as estimated each 15 minutes. */
  estimatedLiquidations(query: EstimatedLiquidationQuery): Slices<EstimatedLiquidation[] | null>
  /** Perpetual pairs, largest open interest first; pages begin at 1. */
  openInterestList(query: OpenInterestListQuery): Slices<FuturesInterest[]>
}

export interface OpenInterestListQuery {
  language: 'cn' | 'en'
  currency: 'cny' | 'usd'
  page: number
  pageSize: number
}
