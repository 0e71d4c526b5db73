/** The operations of the group `futures`. Written by `bun run generate`. */
// biome-ignore-all format: as it is generated
// biome-ignore-all assist/source/organizeImports: as it is generated
import type { CallGroup, CallOptions } from '../requests/request.ts'
import type {
  EstimatedLiquidation,
  FullDepth,
  FuturesInterest,
  GroupedDepth,
  HistoryCandle,
  LatestDepth,
  LiquidationBucket,
} from './records.ts'

/** Requests of `futures`. */
export interface FuturesCalls {
  /**
   * Open interest of coin-margined contracts. Open interest over all exchanges in contracts settled
   * in the coin. Unit: USD.
   *
   * `GET /futures/open-interest/aggregated-coin-margin-history`, permission
   * `futures:COIN_MARGIN_POSITION`.
   */
  coinMarginInterestHistory(input: {
    query: {
      /** coin symbol, such as BTC */
      symbol: string
      /** length of an interval */
      interval: '1m' | '2m' | '15m' | '30m'
      /** intervals at most */
      limit?: number | undefined
      /** not before the interval that contains this, ms */
      start_time?: number | undefined
      /** not after the interval that contains this, ms */
      end_time?: number | undefined
    }
  }, options?: CallOptions): Promise<HistoryCandle[]>

  /**
   * Estimated liquidations of a pair. Where positions opened in the cycle would be liquidated, by
   * leverage: long ones below the price, short ones above it.
   *
   * `GET /futures/estimated-liquidation/history`, permission
   * `futures:ESTIMATED_LIQUIDATION_HISTORY`.
   */
  estimatedLiquidationHistory(input: {
    query: {
      /** perpetual pair, `symbol:exchange`; lower case `dbkey` */
      dbkey: string
      /** empty returns all */
      leverage?: '10' | '25' | '50' | '100' | undefined
      /** positions opened in that time */
      cycle: '24h' | '7d'
      /** intervals at most */
      limit?: number | undefined
      /** not before the interval that contains this, ms */
      start_time?: number | undefined
      /** not after the interval that contains this, ms */
      end_time?: number | undefined
    }
  }, options?: CallOptions): Promise<EstimatedLiquidation[]>

  /**
   * Whole order book of a pair.
   *
   * `GET /futures/full-depth`, permission `FULL_DEPTH`.
   */
  fullDepth(input: {
    query: {
      /** pair, `symbol:exchange` */
      dbKey: string
    }
  }, options?: CallOptions): Promise<FullDepth>

  /**
   * Funding rates of a pair. Open, highest, lowest and last rate of each interval; raw rates,
   * 0.0001 is 0.01 %.
   *
   * `GET /futures/funding-rate/history`, permission `futures:FUNDING_RATE_HISTORY`.
   */
  fundingRateHistory(input: {
    query: {
      /** perpetual pair, `symbol:exchange` */
      symbol: string
      /** length of an interval */
      interval: '1m' | '3m' | '5m' | '15m' | '30m' | '1h' | '4h' | '6h' | '8h' | '12h' | '1d' | '1w'
      /** intervals at most */
      limit?: number | undefined
      /** not before the interval that contains this, ms */
      start_time?: number | undefined
      /** not after the interval that contains this, ms */
      end_time?: number | undefined
    }
  }, options?: CallOptions): Promise<HistoryCandle[]>

  /**
   * Whole order book of a pair in price intervals.
   *
   * `GET /futures/full-depth/grouped`, permission `FULL_DEPTH_GROUPED`.
   */
  groupedDepth(input: {
    query: {
      /** pair, `symbol:exchange` */
      dbKey: string
      /** width of an interval */
      groupSize: number
    }
  }, options?: CallOptions): Promise<GroupedDepth>

  /**
   * Open interest of perpetual pairs. Perpetual pairs of all exchanges, the largest open interest
   * first.
   *
   * `GET /futures/interest`.
   */
  interest(input?: {
    query?: {
      /** language: 0, 10 or cn Chinese; 11 or en English */
      lan?: number | string | undefined
      /** from 1 */
      page?: number | undefined
      /** pairs a page */
      pageSize?: number | undefined
      /** currency of `trade` */
      currency?: 'cny' | 'usd' | undefined
    }
  }, options?: CallOptions): Promise<{
    list: FuturesInterest[]
  }>

  /**
   * Newest order book of a pair.
   *
   * `GET /futures/latest-depth`, permission `LATEST_DEPTH`.
   */
  latestDepth(input: {
    query: {
      /** pair, `symbol:exchange` */
      dbKey: string
      /** levels a side */
      size?: number | undefined
    }
  }, options?: CallOptions): Promise<LatestDepth>

  /**
   * Liquidations of a pair. Value of the long and of the short positions that were liquidated in
   * each interval.
   *
   * `GET /futures/liquidation/history`, permission `futures:LIQUIDATION_ORDERS`.
   */
  liquidationHistory(input: {
    query: {
      /** perpetual pair, `symbol:exchange` */
      symbol: string
      /** length of an interval */
      interval: '1m' | '2m' | '15m' | '30m'
      /** intervals at most */
      limit?: number | undefined
      /** not before the interval that contains this, ms */
      start_time?: number | undefined
      /** not after the interval that contains this, ms */
      end_time?: number | undefined
    }
  }, options?: CallOptions): Promise<LiquidationBucket[]>

  /**
   * Open interest of stablecoin contracts. Open interest over all exchanges in contracts settled in
   * stablecoins. Unit: the coin.
   *
   * `GET /futures/open-interest/aggregated-stablecoin-history`, permission
   * `futures:STABLECOIN_MARGIN_POSITION`.
   */
  stablecoinInterestHistory(input: {
    query: {
      /** coin symbol, such as BTC */
      symbol: string
      /** length of an interval */
      interval: '1m' | '3m' | '5m' | '15m' | '30m' | '1h' | '4h' | '6h' | '8h' | '12h' | '1d' | '1w'
      /** intervals at most */
      limit?: number | undefined
      /** not before the interval that contains this, ms */
      start_time?: number | undefined
      /** not after the interval that contains this, ms */
      end_time?: number | undefined
    }
  }, options?: CallOptions): Promise<HistoryCandle[]>

  /**
   * Funding rates of a coin over all exchanges. Rates of eight hours, each exchange weighted by its
   * share of the market; raw rates.
   *
   * `GET /futures/funding-rate/vol-weight-history`, permission `futures:WEIGHTED_FUNDING_RATE`.
   */
  weightedFundingRateHistory(input: {
    query: {
      /** aggregated pair without an exchange, such as btcswapusdt; or the coin */
      symbol: string
      /** length of an interval */
      interval: '1m' | '3m' | '5m' | '15m' | '30m' | '1h' | '4h' | '6h' | '8h' | '12h' | '1d' | '1w'
      /** intervals at most */
      limit?: number | undefined
      /** not before the interval that contains this, ms */
      start_time?: number | undefined
      /** not after the interval that contains this, ms */
      end_time?: number | undefined
    }
  }, options?: CallOptions): Promise<HistoryCandle[]>
}

/** How to ask for it. */
export const futures: CallGroup<FuturesCalls> = {
  coinMarginInterestHistory: 'GET /futures/open-interest/aggregated-coin-margin-history',
  estimatedLiquidationHistory: 'GET /futures/estimated-liquidation/history',
  fullDepth: 'GET /futures/full-depth',
  fundingRateHistory: 'GET /futures/funding-rate/history',
  groupedDepth: 'GET /futures/full-depth/grouped',
  interest: 'GET /futures/interest',
  latestDepth: 'GET /futures/latest-depth',
  liquidationHistory: 'GET /futures/liquidation/history',
  stablecoinInterestHistory: 'GET /futures/open-interest/aggregated-stablecoin-history',
  weightedFundingRateHistory: 'GET /futures/funding-rate/vol-weight-history',
}
