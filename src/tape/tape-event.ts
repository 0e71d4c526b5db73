/**
 * Contents of a tape: one header, then one event a line.
 *
 * Prices and sizes are decimal strings, times whole milliseconds. `time` never goes backwards and
 * `seq` rises by at least one with each event; together they are the order on the wire. The written
 * definition, with an example of each kind, is docs/tape-format.md.
 */

import { UserError } from '../platform/user-error.ts'
import type { AccountData } from './account-data.ts'
import {
  type ConnectionData,
  excerptOf,
  type GapData,
  type HttpExchangeData,
  isWholeNumber,
  type SocketFrameData,
  type UnknownRecord,
} from './recorded-data.ts'

/**
 * Reads line 1 of a tape.
 *
 * Another format, a later version and an incomplete header are a `UserError` that names `path`.
 */
export function readHeader(path: string, line: string): TapeHeader {
  const header = parseHeader(path, line)
  if (header.format !== FORMAT)
    throw new UserError(
      `${path}: line 1 is no tape header, it would begin {"format":"${FORMAT}" …}`,
    )
  const { version } = header
  if (typeof version === 'number' && version > VERSION)
    throw new UserError(
      `${path}: is a version ${version} tape, ` + `this program reads up to ${VERSION}: update it`,
    )
  const flaw = headerFlaw(header)
  if (flaw) throw new UserError(`${path}: line 1: the header ${flaw}`)
  return header as unknown as TapeHeader
}

/** The instruments of a header by name. */
export function instrumentsByCoin(instruments: readonly Instrument[]): Map<string, Instrument> {
  return new Map(instruments.map((instrument) => [instrument.coin, instrument]))
}

function parseHeader(path: string, line: string): UnknownRecord {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null) return value as UnknownRecord
  } catch {
    // Falls through to the one error for both.
  }
  throw new UserError(`${path}: line 1 is not JSON, so this is no tape; see docs/tape-format.md`)
}

function headerFlaw(header: UnknownRecord): string | null {
  if (header.version !== VERSION) return `has version ${excerptOf(header.version)}`
  if (typeof header.source !== 'string') return 'needs "source" as text'
  if (!isWholeNumber(header.startMs)) return 'needs "startMs" in whole milliseconds'
  return endFlaw(header) ?? instrumentsFlaw(header.instruments)
}

/** The header of an open recording lacks end and counts. */
function endFlaw(header: UnknownRecord): string | null {
  const { open, startMs, endMs, counts } = header
  if (open === true)
    return endMs === undefined && counts === undefined
      ? null
      : 'is open, and has "endMs" or "counts" all the same'
  if (open !== undefined) return 'has "open" that is not true'
  if (!isWholeNumber(endMs)) return 'needs "endMs" in whole milliseconds'
  if (endMs < (startMs as number)) return 'ends before it starts'
  return countsFlaw(counts)
}

function countsFlaw(counts: unknown): string | null {
  if (typeof counts !== 'object' || counts === null) return 'needs "counts"'
  for (const [kind, count] of Object.entries(counts))
    if (!(EVENT_KINDS as readonly string[]).includes(kind) || !isWholeNumber(count))
      return `has a count "${kind}": ${excerptOf(count)}`
  return null
}

function instrumentsFlaw(instruments: unknown): string | null {
  if (!Array.isArray(instruments)) return 'needs a list of instruments'
  const seen = new Set<unknown>()
  for (const item of instruments as UnknownRecord[]) {
    const flaw = instrumentFlaw(item)
    if (flaw) return `has instrument ${excerptOf(item?.coin)}, ${flaw}`
    if (seen.has(item.coin)) return `names instrument ${item.coin} twice`
    seen.add(item.coin)
  }
  return null
}

function instrumentFlaw(item: UnknownRecord | null): string | null {
  if (typeof item !== 'object' || item === null) return 'which is no object'
  if (typeof item.coin !== 'string' || item.coin === '') return 'which needs a name'
  if (item.kind !== 'perp' && item.kind !== 'spot') return 'which is neither "perp" nor "spot"'
  for (const name of ['dex', 'base', 'quote'])
    if (typeof item[name] !== 'string') return `which needs "${name}" as text`
  for (const name of ['pxDecimals', 'szDecimals'])
    if (!isWholeNumber(item[name]) || (item[name] as number) > 15)
      return `which needs "${name}" from 0 to 15`
  return isWholeNumber(item.maxLeverage) && item.maxLeverage > 0
    ? null
    : 'which needs a "maxLeverage"'
}

export const FORMAT = 'tapewright-tape'
export const VERSION = 1

/** An instrument: a perpetual or a spot pair. */
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
  /** Origin, as text: `synth seed 1`, `venue-native btcusd.gz`. */
  source: string
  instruments: Instrument[]
  startMs: number
  endMs: number
  /** Number of events of each kind. */
  counts: Partial<Record<EventKind, number>>
  /**
   * True for a recording that was not ended in an orderly way. Its first line has neither end nor
   * counts: these values are from its whole lines.
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
  /** The source's own time where it is before the line's. */
  sourceTimeMs?: number
}

/** The full book, bids descending, asks ascending. */
export interface BookData {
  bids: Level[]
  asks: Level[]
}

/** Changed levels only; size "0" removes a level. */
export type DeltaData = BookData

/** Best bid and offer as a separate stream, where the source has one. */
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

/** A liquidation. It comes right before its trade or trades. */
export interface LiquidationData {
  /** Side of the liquidated position. */
  position: 'long' | 'short'
  /** Closed size, the sum of the trades that follow. */
  sz: string
  markPx: string
  /** Its trades, by tid. */
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

/** The kinds without a coin; a gap may name one. */
export const COINLESS_KINDS: ReadonlySet<unknown> = new Set<EventKind>([
  'account',
  'exchange',
  'frame',
  'connection',
])

/** One line of a tape after the header. `coin` is empty for kinds without one. */
export type TapeEvent = {
  [K in EventKind]: { time: number; seq: number; kind: K; coin: string; data: EventData[K] }
}[EventKind]

/** An event without its `seq`: the writer numbers it. */
export type EventDraft = TapeEvent extends infer E
  ? E extends TapeEvent
    ? Omit<E, 'seq'>
    : never
  : never
