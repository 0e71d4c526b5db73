/** Taker flow and book volumes. */

import { HOUR_MS, later, shownAt, type TapeMs, tapeMs } from '../../../../clock/instant.ts'
import type { Slices } from '../../../../clock/turns.ts'
import type { OrderFlowFacts, TakerKlineQuery } from '../../../../contract/facts/perpdex/traders.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type {
  BookSummary,
  TakerDelta,
  TakerKline,
} from '../../../../contract/records/order-flow.ts'
import { spanMs } from '../../../../contract/span.ts'
import { raw, subtract, times } from '../../../../decimal/quantity.ts'
import { randomSource } from '../../../../random/random-source.ts'
import type { Book, PriceLevel } from '../../../books/book.ts'
import { bookCacheOf } from '../../../books/book-cache.ts'
import { bigintText } from '../../../formatting/decimal-text.ts'
import { columns } from '../../../rows/columns.ts'
import { tradeHoursOf } from '../../../rows/trade-hours.ts'
import { lastPx } from '../../../rows/trade-rows.ts'
import type { TradeTally } from '../../../rows/trade-tally.ts'
import {
  type InstrumentRow,
  MONEY_DECIMALS,
  pxText,
  szText,
  trade,
} from '../../../schema/schema.ts'
import { gridStep, timeGrid, wholeStep } from '../../../shown-time/time-grid.ts'
import { perWorld } from '../../../world/cache.ts'
import { listedMs } from '../../../world/market-standing.ts'
import type { World } from '../../../world/world.ts'

// Volume of a book over time. During the tape it is the books'; before it the first book is
// extrapolated, its volume varied at random from hour to hour.

/** Oldest first, ending at present; empty before the first book. */
function* bookSummariesOf(
  world: World,
  moment: Moment,
  of: InstrumentRow,
  windowMs: number,
): Slices<BookSummary[]> {
  const { atMs, shiftMs, answers } = moment
  const first = bookCacheOf(world).first(of)
  if (first === null || first.timeMs > atMs) return []
  const isUsd = answers['book-summary-unit'] === 'usd'
  const scale = isUsd ? of.szDecimals + of.pxDecimals : of.szDecimals
  const shownS = (timeMs: TapeMs) => Math.floor(shownAt(timeMs, shiftMs) / 1000)
  const bornMs = listedMs(world, of.coin) ?? world.meta.historyStartMs
  const fromMs = Math.max(atMs - windowMs, bornMs)
  const times = timeGrid(moment, gridStep(windowMs, STEPS_MIN), fromMs)
  const last = times.at(-1)
  if (last !== undefined && shownS(last) === shownS(atMs)) times.pop()
  const firstVolumes = { bids: volumeOf(first.bids, isUsd), asks: volumeOf(first.asks, isUsd) }
  const summaries: BookSummary[] = []
  for (const timeMs of [...times, atMs]) {
    yield
    const volume = (side: 'bids' | 'asks') => {
      const firstVolume = firstVolumes[side]
      return bigintText(volumeAt(world, of, { first, firstVolume, side, timeMs, isUsd }), scale)
    }
    const time = shownS(timeMs) - Math.round(shiftMs / 1000)
    const volumes = { bidVolume: volume('bids'), askVolume: volume('asks') }
    summaries.push({ time, coin: of.coin, ...volumes })
  }
  return summaries
}

/** Minimum number of steps in a window. */
const STEPS_MIN = 24

interface BookVolumeQuery {
  first: Book
  firstVolume: bigint
  side: 'bids' | 'asks'
  timeMs: TapeMs
  isUsd: boolean
}

/** In size units, or in price x size units. */
function volumeAt(
  world: World,
  of: InstrumentRow,
  { first, firstVolume, side, timeMs, isUsd }: BookVolumeQuery,
): bigint {
  if (timeMs >= first.timeMs) {
    const volume = bookCacheOf(world).look(of, timeMs, (current) =>
      current === first ? firstVolume : volumeOf(current[side], isUsd),
    )
    return volume ?? firstVolume
  }
  const volume =
    (firstVolume * BigInt(volumeFactorAt(world, of, side, first.timeMs, timeMs))) /
    BigInt(FACTOR_SCALE)
  const [then, now] = [lastPx(world, of, timeMs), lastPx(world, of, first.timeMs)]
  return isUsd && then !== null && now !== null
    ? (volume * BigInt(raw(then))) / BigInt(raw(now))
    : volume
}

/** Exact sum of a side: as numbers while they are safe, because a deep book has many levels. */
function volumeOf(side: readonly PriceLevel[], isUsd: boolean): bigint {
  let [sum, part] = [0n, 0]
  for (const { px, sz } of side) {
    const volume = isUsd ? raw(px) * raw(sz) : raw(sz)
    if (part + volume > Number.MAX_SAFE_INTEGER) {
      sum += BigInt(part)
      part = 0
    }
    if (volume <= Number.MAX_SAFE_INTEGER) part += volume
    else sum += BigInt(raw(px)) * BigInt(raw(sz))
  }
  return sum + BigInt(part)
}

/** Factors are counted in ten-thousandths. */
const FACTOR_SCALE = 10_000
/** The variation fades out over this time before the first book. */
const FREE_FACTOR_MS = 6 * HOUR_MS

/** Relative to the first book's volume; linear between full hours. */
function volumeFactorAt(
  { meta: { seed } }: World,
  { coin }: InstrumentRow,
  side: string,
  firstMs: number,
  timeMs: TapeMs,
): number {
  const hour = Math.floor(timeMs / HOUR_MS)
  const knot = (at: number) =>
    randomSource(seed, `${side} of ${coin} in hour ${at}`).between(7_000, 13_000)
  const part = timeMs / HOUR_MS - hour
  const free = knot(hour) * (1 - part) + knot(hour + 1) * part
  const weight = Math.min(1, (firstMs - timeMs) / FREE_FACTOR_MS)
  return Math.round(FACTOR_SCALE + weight * (free - FACTOR_SCALE))
}

export class OrderFlowQueries implements OrderFlowFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  takerDelta({ coin, windowMs }: Parameters<OrderFlowFacts['takerDelta']>[0]): TakerDelta {
    const instrument = this.world.byCoin.get(coin)
    if (!instrument) return { szDelta: '0', valDelta: '0' }
    const { atMs } = this.moment
    const tally = tradeHoursOf(this.world).tally(
      instrument.id,
      later(atMs, 1 - windowMs),
      later(atMs, 1),
    )
    return {
      szDelta: szText(instrument, subtract(times(tally.buySize, 2), tally.size)),
      valDelta: bigintText(2n * tally.buyAmount - tally.amount, MONEY_DECIMALS),
    }
  }

  *klines(query: Parameters<OrderFlowFacts['klines']>[0]): Slices<TakerKline[]> {
    const instrument = this.world.byCoin.get(query.coin)
    return instrument ? yield* takerKlinesOf(this.world, this.moment, instrument, query) : []
  }

  *bookSummaries({
    coin,
    windowMs,
  }: Parameters<OrderFlowFacts['bookSummaries']>[0]): Slices<BookSummary[]> {
    const instrument = this.world.byCoin.get(coin)
    return instrument ? yield* bookSummariesOf(this.world, this.moment, instrument, windowMs) : []
  }
}

// Candles with taker buy volume: the same buckets and trades as candleSnapshot.

/** Oldest first. Where more than `limit` follow the start, an open question chooses among them. */
function* takerKlinesOf(
  world: World,
  moment: Moment,
  of: InstrumentRow,
  query: TakerKlineQuery,
): Slices<TakerKline[]> {
  const { atMs, shiftMs, answers } = moment
  const lengthMs = spanMs(query.interval)
  const startOf = (timeMs: TapeMs) => wholeStep(timeMs, shiftMs, lengthMs)
  const toMs = later(startOf(tapeMs(Math.min(query.endTimeMs ?? atMs, atMs))), lengthMs)
  const fromMs = startOf(tapeMs(query.startTimeMs ?? world.meta.historyStartMs))
  const isForward = query.startTimeMs !== undefined && answers['history-excess'] === 'oldest'
  const scan = { world, of, startOf, lengthMs, atMs, fromMs, toMs, limit: query.limit }
  return isForward ? yield* scanForward(scan) : (yield* scanBackward(scan)).reverse()
}

interface KlineScan {
  world: World
  of: InstrumentRow
  /** Start of the bucket around an instant. */
  startOf: (timeMs: TapeMs) => TapeMs
  lengthMs: number
  atMs: TapeMs
  fromMs: TapeMs
  toMs: TapeMs
  limit: number
}

/** From the newest bucket that has a trade. */
function* scanBackward(scan: KlineScan): Slices<TakerKline[]> {
  const { world, of, startOf, lengthMs, atMs, fromMs, toMs, limit } = scan
  const hours = tradeHoursOf(world)
  const klines: TakerKline[] = []
  let startMs = later(toMs, -lengthMs)
  while (startMs >= fromMs && klines.length < limit) {
    yield
    const tally = tallyOf(scan, startMs)
    if (tally.n > 0) {
      klines.push(takerKline(of, startMs, tally))
      startMs = later(startMs, -lengthMs)
      continue
    }
    const last = hours.lastBefore(of.id, tapeMs(Math.min(startMs, atMs + 1)))
    if (last === null) break
    startMs = startOf(last.timeMs)
  }
  return klines
}

/** From the oldest one. */
function* scanForward(scan: KlineScan): Slices<TakerKline[]> {
  const { world, of, startOf, lengthMs, atMs, fromMs, toMs, limit } = scan
  const klines: TakerKline[] = []
  let startMs = fromMs
  while (startMs < toMs && klines.length < limit) {
    yield
    const tally = tallyOf(scan, startMs)
    if (tally.n > 0) {
      klines.push(takerKline(of, startMs, tally))
      startMs = later(startMs, lengthMs)
      continue
    }
    const next = nextTradeMs(world).get(of.id, later(startMs, lengthMs), atMs)
    if (next === null) break
    startMs = startOf(next.timeMs)
  }
  return klines
}

function tallyOf({ world, of, lengthMs, atMs }: KlineScan, startMs: TapeMs): TradeTally {
  const toMs = tapeMs(Math.min(startMs + lengthMs, atMs + 1))
  return tradeHoursOf(world).tally(of.id, startMs, toMs)
}

function takerKline(of: InstrumentRow, openTime: number, tally: TradeTally): TakerKline {
  return {
    openTime,
    tc: tally.n,
    size: szText(of, tally.size),
    amount: tally.amountText,
    tcBuyer: tally.buyN,
    sizeBuyer: szText(of, tally.buySize),
    amountBuyer: tally.buyAmountText,
    open: pxText(of, tally.open),
    high: pxText(of, tally.high),
    low: pxText(of, tally.low),
    close: pxText(of, tally.close),
  }
}

const nextTradeMs = perWorld(({ db }) =>
  columns({ timeMs: trade.timeMs }).prepare<[instrument: number, fromMs: TapeMs, atMs: TapeMs]>(
    db,
    `from trade where instrument = ? and timeMs between ? and ? order by timeMs limit 1`,
  ),
)
