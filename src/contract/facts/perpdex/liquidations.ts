/** Queries about liquidations on the perpetual venue. */
import type {
  CoinLiquidationStat,
  LiquidatedPosition,
  LiquidationColumn,
  LiquidationMap,
  LiquidationStat,
} from '../../records/liquidation.ts'

export interface LiquidationsFacts {
  /** Over the last `interval`; all coins when none is named. */
  stat(query: { coin?: string | undefined; interval?: string | undefined }): LiquidationStat
  /** Only coins that had any, by value, largest first. */
  byCoin(query: { interval?: string | undefined }): CoinLiquidationStat[]
  /** By intervals of `interval`, newest first, at most `limit`. */
  history(query: { coin?: string | undefined; interval: string; limit: number }): LiquidationStat[]
  /** By value, largest first. */
  topPositions(query: { coin: string; interval: string; limit: number }): LiquidatedPosition[]
  /** By time and price, oldest first; only intervals that had any. */
  columns(query: { coin: string; interval: string }): LiquidationColumn[]
  /** Open positions by their liquidation price; null for a coin that has no price. */
  map(query: { coin: string; interval?: string | undefined }): LiquidationMap | null
}
