import { raw, type Sz, sz as size } from '../../../decimal/quantity.ts'
import { crowdLong } from '../../accounting/position.ts'
import type { BarColumns } from '../../bars/past-bars.ts'
import { BAR_MS } from '../../bars/past-bars.ts'
import { packBars } from '../../schema/bar-blocks.ts'
import type { MarketState } from '../market/market-state.ts'
import type { TableRow } from '../writing/row-sink.ts'
import type { MarketPast } from './past.ts'

/** Minutes of a row. */
const DAY_MINUTES = 1440
/**
 * Share of each minute that stays with the crowd: traders' volume beyond the rest is taken from
 * later minutes.
 */
const CROWD_LEAST = 0.1

/** Bars of an instrument and the part of them that traders traded. */
export interface BarOrder {
  table: 'bars'
  instrument: number
  startMs: number
  lot: number
  bars: BarColumns
  /** Volume of the traders' takers, minute by minute. */
  traded: { bought: Float64Array; sold: Float64Array }
  /** The crowd's long interest at the end of each minute. */
  interest: Float64Array
  /** Boundaries between which the traders' volume is settled. */
  spans: readonly number[]
}

/** Makes rows of bars and writes them. */
interface BarSink {
  derive(order: BarOrder): void
}

/** Writes the bars of the past once all trades of traders in it are known. */
export function writeBars(pasts: readonly MarketPast[], startMs: number, rows: BarSink): void {
  for (const past of pasts) {
    const { market, bars } = past
    if (market.crowd === null) continue
    const { bought, sold } = market.crowd
    const interest = longsOf(past, market.crowd)
    market.crowdLong = size(interest.at(-1) ?? 0)
    rows.derive({
      table: 'bars',
      instrument: market.row.id,
      startMs,
      lot: raw(market.survey.lot),
      bars,
      traded: { bought, sold },
      interest,
      spans: settledSpans(past),
    })
  }
}

/** The rows of an instrument's bars, one for each day. */
export function* barRows(order: BarOrder): Generator<TableRow<'bars'>> {
  const { instrument, startMs, lot, interest } = order
  const block = { ...leftToCrowd(order), interest }
  const count = interest.length
  for (let from = 0; from < count; from += DAY_MINUTES) {
    const to = Math.min(from + DAY_MINUTES, count)
    const minutes = Buffer.from(packBars(block, from, to, lot))
    yield { instrument, startMs: startMs + from * BAR_MS, minutes }
  }
}

/** Boundaries of settlement: the whole past, or each candle of a user's file. */
function settledSpans({ run, bars }: MarketPast): number[] {
  const count = bars.open.length
  if (run === null) return [0, count]
  const ends = Array.from({ length: run.candles.length + 1 }, (_, at) => at * run.minutesEach)
  return [...new Set([0, ...ends.map((end) => run.firstMinute + end), count])]
}

/** Bars less the traders' trades, span by span. */
function leftToCrowd({ bars, traded, lot, spans, interest }: BarOrder): BarColumns {
  const left = { ...bars, bought: bars.bought.slice(), sold: bars.sold.slice() }
  const trades = bars.trades.slice()
  const count = interest.length
  for (const [place, from] of spans.slice(0, -1).entries()) {
    const span = [from, Math.min(spans[place + 1] as number, count)] as const
    takeOut(left.bought, traded.bought, lot, span)
    takeOut(left.sold, traded.sold, lot, span)
  }
  for (let at = 0; at < count; at++) {
    const planned = (bars.bought[at] as number) + (bars.sold[at] as number)
    const rest = (left.bought[at] as number) + (left.sold[at] as number)
    if (rest === planned) continue
    // A trader's trade is larger than the crowd's: fewer of the crowd's trades make room for it.
    const kept = Math.round((trades[at] as number) * Math.sqrt(rest / planned))
    trades[at] = Math.min(rest / lot, Math.max(1, kept))
  }
  return { ...left, trades }
}

/** Takes the excess of a minute from later minutes, then from earlier ones. */
function takeOut(
  left: Float64Array,
  traded: Float64Array,
  lot: number,
  [from, to]: readonly [number, number],
): void {
  const most = left.slice(from, to)
  const end = Math.min(to, traded.length)
  let owed = 0
  const takeAt = (at: number) => {
    const all = left[at] as number
    const least = Math.ceil((CROWD_LEAST * (most[at - from] as number)) / lot) * lot
    const taken = Math.max(0, Math.min(owed, all - least))
    left[at] = all - taken
    owed -= taken
  }
  for (let at = from; at < end; at++) {
    owed += traded[at] as number
    if (owed > 0) takeAt(at)
  }
  for (let at = from; at < end && owed > 0; at++) takeAt(at)
}

/** The crowd's long interest at the end of each minute. */
function longsOf({ market, interest }: MarketPast, crowd: CrowdRecord): Float64Array {
  const { survey } = market
  const lot = raw(survey.lot)
  if (!market.isPerp) return new Float64Array(crowd.net.length)
  const total = survey.interest ?? usualOpenInterest(market)
  const longs = raw(crowdLong(total, market))
  let net = 0
  return crowd.net.map((known, at) => {
    if (!Number.isNaN(known)) net = known
    const wanted = Math.max(longs * (interest[at] as number), -net, 0)
    return Math.ceil(wanted / lot) * lot
  })
}

/**
 * Share of a day's turnover, where the tape reports none; in micro-dollars, at most what venues
 * have.
 */
const INTEREST_DAYS = 0.8
const INTEREST_MOST = 12e9 * 1e6
const DAY_S = 86_400

/** Open interest of a market whose tape reports none. */
export const usualOpenInterest = (market: MarketState): Sz =>
  market.sizeFor(Math.min(market.survey.usdPerSecond * DAY_S * INTEREST_DAYS, INTEREST_MOST))

/**
 * The traders' trades in an instrument while bars are planned for all: the crowd gets the rest of
 * each minute. One entry for each minute of the past.
 */
export class CrowdRecord {
  /** Taker buy and sell volume, in size units. */
  readonly bought: Float64Array
  readonly sold: Float64Array
  /** The traders' net position after the minute's last trade; NaN without one. */
  readonly net: Float64Array

  constructor(
    private readonly startMs: number,
    minutes: number,
  ) {
    this.bought = new Float64Array(minutes)
    this.sold = new Float64Array(minutes)
    this.net = new Float64Array(minutes).fill(Number.NaN)
  }

  /**
   * Records a trade, and the traders' net position after it. Later times than the past's are
   * ignored.
   */
  take(timeMs: number, side: 'B' | 'A', sz: Sz, net: Sz): void {
    const minute = Math.floor((timeMs - this.startMs) / BAR_MS)
    if (minute >= this.net.length) return
    const taken = side === 'B' ? this.bought : this.sold
    taken[minute] = (taken[minute] as number) + raw(sz)
    this.net[minute] = raw(net)
  }
}
