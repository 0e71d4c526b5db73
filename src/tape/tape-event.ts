/**
 * What a tape holds: one header, then one event a line.
 *
 * Prices and sizes are decimal strings, times whole milliseconds. `time` never goes backwards and
 * `seq` rises by at least one with each event; together they are the order on the wire.
 * The written definition, with an example of each kind, is docs/tape-format.md.
 */

import type { AccountData } from './account-data.ts'
import type { ConnectionData, GapData, HttpExchangeData, SocketFrameData } from './recorded-data.ts'

export const FORMAT = 'tapewright-tape'
export const VERSION = 1

/** What is traded: a perpetual or a spot pair. */
export interface Instrument {
  /** The venue's name: `BTC`, `kPEPE`, `xyz:TSLA`, `@107`, `PURR/USDC`. */
  coin: string
  kind: 'perp' | 'spot'
  /** The builder dex it is listed on; empty for the main dex. */
  dex: string
  /** The base asset in plain letters, `TSLA` for `xyz:TSLA`. */
  base: string
  quote: string
  /** Decimals that a price can have at most. */
  pxDecimals: number
  /** Decimals that a size can have at most. */
  szDecimals: number
  maxLeverage: number
}

export interface TapeHeader {
  format: typeof FORMAT
  version: number
  /** Where it came from, in words: `synth seed 1`, `venue-native btcusd.gz`. */
  source: string
  instruments: Instrument[]
  startMs: number
  endMs: number
  /** Events of each kind. */
  counts: Partial<Record<EventKind, number>>
  /**
   * True of a recording that was not ended in an orderly way. Its first line has neither end nor
   * counts: what stands here is what its whole lines have.
   */
  open?: true
}

/** Price, size, number of orders. */
export type Level = readonly [px: string, sz: string, n: number]

/** B: the taker bought (bid), A: the taker sold (ask). */
export type Side = 'B' | 'A'

export interface TradeData {
  /** The taker's side. */
  side: Side
  px: string
  sz: string
  tid?: number
  hash?: string
  /** [buyer, seller] addresses where the recording names them. */
  users?: readonly [string | null, string | null]
  /** The source's own time where it lies before the line's. */
  sourceTimeMs?: number
}

/** The full book, bids descending, asks ascending. */
export interface BookData {
  bids: Level[]
  asks: Level[]
}

/** Changed levels only; size "0" removes a level. */
export type DeltaData = BookData

/** Best bid and offer as a stream of its own, where the source has one. */
export interface BboData {
  bid: Level | null
  ask: Level | null
}

export interface FundingData {
  /** Raw hourly rate: "0.0000125". */
  rate: string
  premium?: string
}

export interface MarkData {
  mark: string
  oracle: string
}

export interface OpenInterestData {
  /** In units of the coin. */
  openInterest: string
}

/** A liquidation. It comes right before the trade (or trades) that carry it out. */
export interface LiquidationData {
  /** Side of the position that is closed. */
  position: 'long' | 'short'
  /** Size closed, the sum of the trades that follow. */
  sz: string
  markPx: string
  /** The trades that carry it out, by tid. */
  tids: number[]
}

interface EventData {
  trade: TradeData
  book: BookData
  delta: DeltaData
  bbo: BboData
  funding: FundingData
  mark: MarkData
  interest: OpenInterestData
  liquidation: LiquidationData
  account: AccountData
  exchange: HttpExchangeData
  frame: SocketFrameData
  connection: ConnectionData
  gap: GapData
}

export type EventKind = keyof EventData

/** Every kind, for checks and counts. */
export const EVENT_KINDS: readonly EventKind[] = [
  'trade',
  'book',
  'delta',
  'bbo',
  'funding',
  'mark',
  'interest',
  'liquidation',
  'account',
  'exchange',
  'frame',
  'connection',
  'gap',
]

/** The kinds that name no coin; a gap may name one. */
export const COINLESS_KINDS: ReadonlySet<unknown> = new Set<EventKind>([
  'account',
  'exchange',
  'frame',
  'connection',
])

/** One line of a tape after the header. `coin` is empty for what names none. */
export type TapeEvent = {
  [K in EventKind]: { time: number; seq: number; kind: K; coin: string; data: EventData[K] }
}[EventKind]

/** An event without its `seq`: the writer numbers it. */
export type EventDraft = TapeEvent extends infer E
  ? E extends TapeEvent
    ? Omit<E, 'seq'>
    : never
  : never
