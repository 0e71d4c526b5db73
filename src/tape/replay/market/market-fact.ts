/** Facts about the market in recorded responses and frames, unordered. */

import { isJsonObject } from '../../../platform/json-object.ts'
import { UserError } from '../../../platform/user-error.ts'
import type { AccountData } from '../../account-data.ts'
import { excerptOf, isWholeNumber, type UnknownRecord } from '../../recorded-data.ts'
import type { Level, Side } from '../../tape-event.ts'

/** A trade, or one side of it in an account's fill. */
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
  /** The liquidated account, and the mark price. */
  liquidation: { user: string; markPx: string } | null
}

/** A candle; closed when its end had passed at the report. */
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

/** Facts about an instrument besides its name. */
export interface InstrumentFact {
  kind: 'instrument'
  coin: string
  szDecimals: number
  /** null where the source does not contain it. */
  maxLeverage: number | null
}

/** An account fact in a response or a push: one part of it. */
export interface AccountFact {
  kind: 'account'
  /** Time of the report. */
  timeMs: number
  account: AccountData
  /** It may be incomplete: used only without a better source. */
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
  /** A price alone: used for a coin without better facts. */
  | { kind: 'price'; coin: string; timeMs: number; px: string }

/** Data of a response or a frame, out of its envelope. */
export interface RecordedData {
  data: unknown
  /** Request fields by name; empty for frames. */
  requested: Readonly<Record<string, unknown>>
  /** Time of arrival. */
  timeMs: number
  numbers: NumberReader
}

/** Reads numbers and tracks the decimals of each coin; a UserError for other values. */
export interface NumberReader {
  px(coin: string, value: unknown): string
  sz(coin: string, value: unknown): string
  decimal(value: unknown, signed?: boolean): string
}

/** Extracts facts from the data of some operations, types of `POST /info` or channels. */
export interface Recogniser {
  /** `perpdex.tickers`, `info/l2Book`, `channel/trades`. */
  sources: readonly string[]
  /** A UserError for unexpected data. */
  facts(recorded: RecordedData): MarketFact[]
}

// Counts made while reading a recording, in order of occurrence.

/** Number of one kind, and its first examples as text. */
export interface Finding {
  what: string
  count: number
  examples: readonly string[]
}

/** Examples kept per kind. */
const EXAMPLES_MAX = 3

export class Findings {
  private readonly sorts = new Map<string, { count: number; examples: string[] }>()

  note(what: string, example?: string): void {
    const sort = this.sorts.get(what) ?? { count: 0, examples: [] }
    this.sorts.set(what, sort)
    sort.count++
    if (example !== undefined && sort.examples.length < EXAMPLES_MAX) sort.examples.push(example)
  }

  list(): Finding[] {
    return [...this.sorts].map(([what, { count, examples }]) => ({ what, count, examples }))
  }
}

/** An instant as ISO 8601. */
export const isoOf = (timeMs: number): string => new Date(timeMs).toISOString()

/** Reads untrusted parsed data; a UserError for anything but an object. */
export function recordIn(value: unknown): UnknownRecord {
  if (isJsonObject(value)) return value
  throw new UserError(`has ${excerptOf(value)} where an object belongs`)
}

export function listIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  throw new UserError(`has ${excerptOf(value)} where a list belongs`)
}

/** Objects of a list; none for null. */
export const recordsIn = (value: unknown): UnknownRecord[] =>
  value === null || value === undefined ? [] : listIn(value).map(recordIn)

export function textIn(value: unknown, what: string): string {
  if (typeof value === 'string' && value !== '') return value
  throw new UserError(`has ${excerptOf(value)} for ${what}`)
}

export function timeIn(value: unknown): number {
  if (isWholeNumber(value)) return value
  throw new UserError(`has ${excerptOf(value)} for a time in ms`)
}
