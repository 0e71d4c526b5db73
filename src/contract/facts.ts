/**
 * The questions that operations and channels put to the world, as of one moment.
 *
 * Owned by the contract, answered by src/world. Instants are tape time in ms, in both directions:
 * parameters are shifted before they get here and answers after they left (see rebase.ts).
 * Prices, sizes and money are decimal strings.
 */
import type { Answers } from './questions.ts'
import type { AddressState, NativeState, PerpState } from './records/account-state.ts'
import type { Bbo, L2Book } from './records/book.ts'
import type { Candle, TakerCandle } from './records/candle.ts'
import type { CoinItem, CoinTicker } from './records/coin.ts'
import type { FullDepth, GroupedDepth, LatestDepth } from './records/depth.ts'
import type { AddressFill, Fill, TopTrade, Trade, UserFill } from './records/fill.ts'
import type { LedgerUpdate } from './records/ledger.ts'
import type { Meta, SpotMeta } from './records/meta.ts'
import type { FilledOrder, FrontendOrder, OpenOrder, Order } from './records/order.ts'
import type { Static } from './schema.ts'

/** Where the market stands. */
export interface Moment {
  /** The playhead, tape time. Only rows with time <= atMs are true. */
  atMs: number
  /** What is added to a tape time to get the time that clients are shown. */
  shiftMs: number
  /** The answers to the open questions that are in force. */
  answers: Answers
}

export interface BookQuery {
  coin: string
  /**
   * Round prices to so many significant figures, 2 to 5; null or undefined for the book as it is.
   */
  nSigFigs?: number | null
  /** With nSigFigs 5 only: 2 or 5. */
  mantissa?: number | null
}

export interface CandleQuery {
  coin: string
  interval: string
  startTimeMs: number
  endTimeMs?: number | undefined
}

/** Everything that can be asked, one facet a group. */
export interface Facts {
  readonly moment: Moment
  coins: {
    list(): CoinItem[]
    /** Unknown keys are left out. */
    tickers(coinKeys: string[]): CoinTicker[]
  }
  depth: {
    /** Empty levels for a pair that is not known. `size` levels a side. */
    latest(dbKey: string, size: number): LatestDepth
    /** null for a pair that is not known. */
    full(dbKey: string): FullDepth | null
    grouped(dbKey: string, groupSize: number): GroupedDepth | null
  }
  market: {
    /** Last prices of all instruments in listing order. */
    tickers(): { coin: string; price: string }[]
    ticker(coin: string): { coin: string; price: string } | null
    /** Newest trades first, at most `limit`. */
    recentTrades(coin: string, limit: number): Trade[]
    isCoin(coin: string): boolean
  }
  books: {
    /** null for an unknown coin. */
    l2(query: BookQuery): L2Book | null
    bbo(coin: string): Bbo | null
  }
  candles: {
    /**
     * Oldest first; the first is the one that contains startTimeMs; intervals without trades are
     * left out. null for an unknown coin.
     */
    between(query: CandleQuery): Candle[] | null
    /**
     * The candle of the interval that contains `timeMs`, as of now; null when it holds no trade.
     */
    at(coin: string, interval: string, timeMs: number): TakerCandle | null
    /** The newest candle that holds a trade. */
    last(coin: string, interval: string): TakerCandle | null
  }
  fills: {
    /** Oldest first: the latest `limit` fills, ascending by time. */
    ofAddress(address: string, query: { coin?: string | undefined; limit: number }): Fill[]
    ofOrder(oid: number): Fill[]
    /** By value, largest first; only the taker's side of each trade. */
    topTrades(query: { coin: string; intervalMs: number; limit: number }): TopTrade[]
    /** Newest first. */
    native(address: string, limit: number): UserFill[]
    /** Oldest first. */
    nativeBetween(
      address: string,
      query: { startTimeMs: number; endTimeMs?: number | undefined; limit: number },
    ): UserFill[]
  }
  orders: {
    /** Newest first. */
    latest(address: string, query: { coin?: string | undefined; limit: number }): Order[]
    /** Newest first, only those with something filled. */
    filledLatest(address: string, query: { coin?: string | undefined; limit: number }): Order[]
    byId(oid: string): Order | null
    /** null when missing or nothing of it is filled. */
    filledById(oid: string): Order | null
    /** Newest first. `dex` empty for the main dex. */
    open(address: string, dex: string): OpenOrder[]
    frontendOpen(address: string, dex: string): FrontendOrder[]
  }
  accounts: {
    /** The same object with zeros for an unknown address. */
    native(address: string, dex: string): NativeState
    perp(address: string, dex: string): PerpState
    states(addresses: string[], dex: string): AddressState[]
    /** Newest first, at most `limit`. */
    ledger(address: string, limit: number): LedgerUpdate[]
  }
  venue: {
    /** Universe of a dex (shapes 2.1); null for an unknown dex. */
    meta(dex: string): Static<typeof Meta> | null
    /** shapes 2.2 */
    spotMeta(): Static<typeof SpotMeta>
    /** Mid prices by coin (shapes 2.18). */
    allMids(dex: string): Record<string, string>
  }
}

/** What can come true at an instant; each wakes the subscriptions of its topics. */
export type Happening =
  | { kind: 'trade'; timeMs: number; coin: string; trades: Trade[] }
  | { kind: 'book'; timeMs: number; coin: string }
  | { kind: 'bbo'; timeMs: number; coin: string; bbo: Bbo }
  | { kind: 'mark'; timeMs: number; coin: string }
  | { kind: 'fill'; timeMs: number; address: string; fill: AddressFill; native: UserFill }
  | { kind: 'order'; timeMs: number; address: string; dex: string; ended: FilledOrder | null }
  | { kind: 'ledger'; timeMs: number; address: string; update: LedgerUpdate }
