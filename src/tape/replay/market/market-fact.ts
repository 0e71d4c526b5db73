/** What recorded answers and frames say about the market, before it is put in order. */
import type { AccountData } from '../../account-data.ts'
import type { Level, Side } from '../../tape-event.ts'

/** A trade, or one side of it as somebody's fill tells. */
export interface TradeFact {
  kind: 'trade'
  coin: string
  timeMs: number
  /** The taker's. */
  side: Side
  px: string
  sz: string
  tid: number
  hash: string | null
  buyer: string | null
  seller: string | null
  /** The account that it liquidates, and the mark price by which. */
  liquidation: { user: string; markPx: string } | null
}

/** A candle; closed once its end had passed when it was told. */
export interface CandleFact {
  kind: 'candle'
  coin: string
  startMs: number
  lengthMs: number
  open: string
  high: string
  low: string
  close: string
  volume: string
}

/** What is known of an instrument besides its name. */
export interface InstrumentFact {
  kind: 'instrument'
  coin: string
  szDecimals: number
  /** null where the source does not say. */
  maxLeverage: number | null
}

/** What an answer or a push says of an account: one part of it. */
export interface AccountFact {
  kind: 'account'
  /** When it was told. */
  timeMs: number
  account: AccountData
  /** It may not have all there is: it counts where nobody tells better. */
  isPartial?: true
}

export type MarketFact =
  | AccountFact
  | TradeFact
  | CandleFact
  | InstrumentFact
  | { kind: 'book'; coin: string; timeMs: number; bids: Level[]; asks: Level[] }
  | { kind: 'bbo'; coin: string; timeMs: number; bid: Level | null; ask: Level | null }
  | { kind: 'funding'; coin: string; timeMs: number; rate: string; premium: string | null }
  | { kind: 'mark'; coin: string; timeMs: number; mark: string; oracle: string }
  | { kind: 'interest'; coin: string; timeMs: number; openInterest: string }
  /** A price alone: it counts for a coin of which nothing better is told. */
  | { kind: 'price'; coin: string; timeMs: number; px: string }

/** Data of an answer or a frame, out of its envelope. */
export interface RecordedData {
  data: unknown
  /** What was asked for, by name; empty for frames. */
  asked: Readonly<Record<string, unknown>>
  /** When it came. */
  timeMs: number
  numbers: NumberReader
}

/** Reads numbers and remembers how many decimals each coin has; a UserError for what is none. */
export interface NumberReader {
  px(coin: string, value: unknown): string
  sz(coin: string, value: unknown): string
  decimal(value: unknown, signed?: boolean): string
}

/** Understands the data of some operations, types of `POST /info` or channels. */
export interface Recogniser {
  /** `perpdex.tickers`, `info/l2Book`, `channel/trades`. */
  sources: readonly string[]
  /** A UserError where the data is not what it should be. */
  facts(recorded: RecordedData): MarketFact[]
}
