/** The operations of the group `indicator`. Written by `bun run generate`. */
// biome-ignore-all format: as it is generated
// biome-ignore-all assist/source/organizeImports: as it is generated
import type { CallGroup, CallOptions } from '../requests/request.ts'
import type {
  AnyIndicator,
  TradingPair,
} from './records.ts'

/** Requests of `indicator`. */
export interface IndicatorCalls {
  /**
   * K-line of a pair. Candles of a pair, oldest first: time in seconds, open, high, low, close and
   * volume in the coin. Intervals without trades are omitted.
   *
   * `GET /commonKline/dataRecords`.
   */
  klines(input: {
    query: {
      /** pair, `symbol:exchange` */
      symbol: string
      /** length of an interval, s */
      period?: number | undefined
      /** intervals at most */
      size?: number | undefined
      /** hour of the day in Beijing at which days begin */
      open_time?: 0 | 8 | undefined
      /** the newest interval contains this, s; the present by default */
      since?: number | undefined
    }
  }, options?: CallOptions): Promise<{
    kline_data: ([number, number, number, number, number, number] | [number, string, string, string,
      string, string])[]
  }>

  /**
   * K-line of an indicator. History of an indicator of a pair, oldest first. fundflow: net inflow
   * by takers; ttsi, ttmu: top traders by account and by position; position: open interest; lsur:
   * long and short accounts; tvolume: open interest and turnover; ftbs, bsv: taker volumes; basis:
   * perpetual against spot; mlr: what longs borrow over what shorts borrow; fr: funding rate;
   * aibst: large orders; aili: forced closings; aiaggtrade: each large trade.
   *
   * `GET /indicatorKline/dataRecords`.
   */
  records(input: {
    query: {
      /** pair, `symbol:exchange` */
      symbol: string
      indicator_key: AnyIndicator
      /** length of an interval, s */
      period?: number | undefined
      /** intervals at most */
      size?: number | undefined
      /** hour of the day in Beijing at which days begin */
      open_time?: 0 | 8 | undefined
      /** the newest interval contains this, s; the present by default */
      since?: number | undefined
    }
  }, options?: CallOptions): Promise<{
    kline_data: {
      time?: number[] | undefined
      timestamp?: number[] | undefined
      fundingTime?: number[] | undefined
      fundingRate?: string[] | undefined
      value?: string[] | undefined
      open?: string[] | undefined
      high?: string[] | undefined
      low?: string[] | undefined
      close?: string[] | undefined
      buyAccount?: string[] | undefined
      sellAccount?: string[] | undefined
      buyInterest?: string[] | undefined
      sellInterest?: string[] | undefined
      ratios?: string[] | undefined
      openInterest?: string[] | undefined
      volume?: string[] | undefined
      buyVolume?: string[] | undefined
      sellVolume?: string[] | undefined
      basis?: string[] | undefined
      basisRate?: string[] | undefined
      buySize?: string[] | undefined
      sellSize?: string[] | undefined
      key?: string[] | undefined
      coin_type?: string[] | undefined
      trade_type?: string[] | undefined
      price?: string[] | undefined
      amount?: string[] | undefined
    } | {
      /** beginning of the interval, s */
      time?: number | undefined
      /** beginning of the interval, or time of the trade, s */
      timestamp?: number | undefined
      /** when funding was last charged, s */
      fundingTime?: number | undefined
      /** raw rate when the interval ended */
      fundingRate?: string | undefined
      /** fundflow: bought less sold by takers, USD; aiaggtrade: value, USD */
      value?: string | undefined
      /** open interest when it began, in the coin */
      open?: string | undefined
      /** highest */
      high?: string | undefined
      /** lowest */
      low?: string | undefined
      /** when it ended, or the present one */
      close?: string | undefined
      /** lsur, ttsi: part of the accounts that are long; aibst: accounts that bought */
      buyAccount?: string | undefined
      /** the same, short; accounts that sold */
      sellAccount?: string | undefined
      /** part of the positions of top traders that is long */
      buyInterest?: string | undefined
      /** part that is short */
      sellInterest?: string | undefined
      /** long over short */
      ratios?: string | undefined
      /** value of the open interest when it ended, USD */
      openInterest?: string | undefined
      /** turnover, USD */
      volume?: string | undefined
      /** bought by takers, in the coin */
      buyVolume?: string | undefined
      /** sold by takers, in the coin */
      sellVolume?: string | undefined
      /** price of the perpetual less that of spot */
      basis?: string | undefined
      /** basis over the price of spot */
      basisRate?: string | undefined
      /** value of short positions liquidated, USD */
      buySize?: string | undefined
      /** value of long positions liquidated, USD */
      sellSize?: string | undefined
      /** dbKey of the pair */
      key?: string | undefined
      /** coin key */
      coin_type?: string | undefined
      /** buy or sell (question aggregate-trade-type) */
      trade_type?: string | undefined
      /** average price */
      price?: string | undefined
      /** size, in the coin */
      amount?: string | undefined
    }[]
  }>

  /**
   * Pairs that have an indicator.
   *
   * `GET /indicatorKline/getTradingPair`.
   */
  tradingPairs(input: {
    query: {
      /** coin key or symbol, or the currency of the quote */
      coinType: string
      indicator_key: AnyIndicator
    }
  }, options?: CallOptions): Promise<{
    list: TradingPair[]
  }>
}

/** How to ask for it. */
export const indicator: CallGroup<IndicatorCalls> = {
  klines: 'GET /commonKline/dataRecords',
  records: 'GET /indicatorKline/dataRecords',
  tradingPairs: 'GET /indicatorKline/getTradingPair',
}
