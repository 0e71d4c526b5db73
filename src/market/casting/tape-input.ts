import { InexactAmount, parse, pow10, type Rate, rate } from '../../decimal/quantity.ts'
import { UserError } from '../../platform/user-error.ts'
import type { RecordedGap } from '../bars/recorded-past.ts'
import { SilenceLog } from '../bars/silence-log.ts'
import { MOST_EXACT } from '../world/money-decimals.ts'

/**
 * The part of an opened tape that casting reads.
 *
 * Kinds and data are those of docs/tape-format.md. They are declared again here because market must
 * not import tape: an opened tape matches structurally.
 */

export interface TapeInput {
  header: InputHeader
  /** Changes when any byte of the tape's contents does; names the cached world. */
  digest: string
  /**
   * Batches of events from the first one on each call. With `only`, events of other kinds may be
   * left out.
   */
  events(only?: readonly InputEvent['kind'][]): AsyncIterable<readonly InputEvent[]>
}

export interface InputInstrument {
  coin: string
  kind: 'perp' | 'spot'
  dex: string
  base: string
  quote: string
  pxDecimals: number
  szDecimals: number
  maxLeverage: number
}

export interface InputHeader {
  source: string
  instruments: readonly InputInstrument[]
  startMs: number
  endMs: number
  counts: Readonly<Partial<Record<string, number>>>
}

export type InputSide = 'B' | 'A'
export type InputLevel = readonly [px: string, sz: string, n: number]

export interface InputTrade {
  side: InputSide
  px: string
  sz: string
  tid?: number
  hash?: string
  /** Buyer and seller; null for an unknown one. */
  users?: readonly [string | null, string | null]
}

export interface InputBook {
  bids: readonly InputLevel[]
  asks: readonly InputLevel[]
}

export interface InputLiquidation {
  position: 'long' | 'short'
  sz: string
  markPx: string
  tids: readonly number[]
}

/** One recorded part of an account's state, as in a tape. */
export interface InputAccount {
  address: string
  dex: string
  cash?: string | undefined
  positions?: readonly InputPosition[] | undefined
  orders?: readonly InputOrder[] | undefined
  balances?: readonly { token: string; total: string }[] | undefined
  transfers?: readonly { timeMs: number; type: 'deposit' | 'withdraw'; usd: string }[] | undefined
}

export interface InputPosition {
  coin: string
  szi: string
  entryPx: string
  leverage: number
  isolated: boolean
}

export interface InputOrder {
  coin: string
  side: InputSide
  limitPx: string
  sz: string
  placedMs: number
  orderType: string
  tif: string | null
  reduceOnly: boolean
  triggerPx: string | null
  triggerCondition: string
}

interface InputEventData {
  trade: InputTrade
  book: InputBook
  delta: InputBook
  bbo: { bid: InputLevel | null; ask: InputLevel | null }
  funding: { rate: string; premium?: string }
  mark: { mark: string; oracle: string }
  interest: { openInterest: string }
  liquidation: InputLiquidation
  account: InputAccount
  exchange: unknown
  frame: unknown
  connection: unknown
  gap: { fromMs: number; why: string }
}

export type InputEvent = {
  [K in keyof InputEventData]: {
    time: number
    seq: number
    kind: K
    coin: string
    data: InputEventData[K]
  }
}[keyof InputEventData]

// Input of a user's candles for the time before the tape. Declared here because market must not
// import tape: read candles match structurally.

/** All candles for the time before a tape. */
export interface RecordedHistory {
  histories: readonly HistoryInput[]
  /** Changes when any of them does; part of the cached world's name. Empty without any. */
  digest: string
}

/** No candles: the model makes the whole history. */
export const NO_HISTORY: RecordedHistory = { histories: [], digest: '' }

/** Candles of one instrument and one length, oldest first; gaps become flat candles. */
export interface HistoryInput {
  coin: string
  /** For messages. */
  file: string
  lengthMs: number
  candles: readonly InputCandle[]
}

/** A candle as written, decimal text. */
export interface InputCandle {
  /** Line of the file, counted from 1. */
  line: number
  /** Start, at a full minute. */
  timeMs: number
  open: string
  high: string
  low: string
  close: string
  /** In units of the coin. */
  volume: string
}

/** Limits the size of the row that lists them. */
const GAPS_MAX = 1_000

/** Gaps of a tape: silences, and gaps reported by its recorder. */
export class TapeGaps {
  private readonly silences: SilenceLog
  private readonly recorded: RecordedGap[] = []

  constructor(private readonly header: InputHeader) {
    const { startMs, endMs, counts } = header
    const events = Object.values(counts).reduce<number>((sum, count) => sum + (count ?? 0), 0)
    this.silences = new SilenceLog(startMs, (endMs - startMs) / Math.max(1, events), GAPS_MAX)
  }

  observe(event: InputEvent): void {
    this.silences.observe(event.time)
    if (event.kind !== 'gap' || this.recorded.length >= GAPS_MAX) return
    const { fromMs, why } = event.data
    this.recorded.push({ fromMs, toMs: event.time, why })
  }

  /** All gaps in order of time; a silence that the recorder also reported is listed once. */
  result(): RecordedGap[] {
    const isRecorded = (fromMs: number, toMs: number) =>
      this.recorded.some((gap) => gap.fromMs <= toMs && gap.toMs >= fromMs)
    const silent = this.silences
      .result(this.header.endMs)
      .longest.filter(({ fromMs, toMs }) => !isRecorded(fromMs, toMs))
      .map((silence) => ({ ...silence, why: 'nothing was recorded' }))
    return [...silent, ...this.recorded].sort((a, b) => a.fromMs - b.fromMs)
  }
}

/** Reads a number that may have more digits than `scale`; rounds to nearest. */
export function parseNearest(text: string, scale: number): number {
  const dot = text.indexOf('.')
  if (dot === -1 || text.length - dot - 1 <= scale) return parse(text, scale)
  return Math.round(Number(text) * pow10(scale))
}

/** Hourly rates and premiums. */
export function rateOf(text: string | undefined): Rate {
  const value = Math.round(Number(text ?? '0') * 1e10)
  return rate(Number.isSafeInteger(value) ? value + 0 : 0)
}

/** Handles an event; turns an unreadable value into a UserError that names the event. */
export function withEvent<T>(event: { seq: number; kind: string; coin: string }, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const { kind, seq, coin } = event
    if (error instanceof InexactAmount) throw inexactTape(`, at event ${seq} (${kind} ${coin})`)
    throw new UserError(`tape event ${seq} (${kind} ${coin}) cannot be read: ${error.message}`)
  }
}

/** The refusal of a tape whose amounts, or what follows from them, are not exact. */
export const inexactTape = (where = '') =>
  new UserError(
    `the tape cannot be cast${where}: its amounts add up to more than ` +
      `${MOST_EXACT.toLocaleString('en-US')} of what its prices are in, which is the most that ` +
      'is exact: if sizes are contracts, import with --contract; prices in a small unit, such ' +
      'as won, have to be converted to dollars',
  )

/** Greatest common divisor: the grid that a set of numbers lies on. */
export function greatestCommonDivisor(a: number, b: number): number {
  let [x, y] = [a, b]
  while (y !== 0) [x, y] = [y, x % y]
  return x
}

/** Size of a usual trade, micro-dollars: the median, which dust must not make tiny. */
export const usualTrade = (medianUsd: number | undefined, meanUsd: number): number =>
  Math.max(medianUsd ?? 500e6, Math.round(meanUsd / 4))
