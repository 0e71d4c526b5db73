/** K-lines and indicators of pairs (the service's documentation, Indicator keys). */

import { later, type TapeMs, tapeMs } from '../../../clock/instant.ts'
import type { Slices } from '../../../clock/turns.ts'
import type {
  IndicatorFacts,
  IndicatorQuery,
  Moment,
  PairKlineQuery,
} from '../../../contract/facts.ts'
import {
  INDICATORS,
  type IndicatorKey,
  type IndicatorRecord,
  type KlineValues,
} from '../../../contract/records/indicator.ts'
import {
  add,
  format,
  mulDiv,
  type Px,
  px,
  type Rate,
  raw,
  type Sz,
  subtract,
  type Usd,
  ZERO,
} from '../../../decimal/quantity.ts'
import { contractLiquidations } from '../../exchanges/contract-liquidations.ts'
import { exchangeFundingRate, openInterestCandles } from '../../exchanges/exchange-open-interest.ts'
import { motionsOf, type Pair, pairsOf } from '../../exchanges/exchanges.ts'
import { type LongPartKind, longPart } from '../../exchanges/long-short-parts.ts'
import {
  isDerived,
  type PairTally,
  pairPxBefore,
  pairTally,
  readPair,
} from '../../exchanges/pair-tallies.ts'
import { bigintText, roundOff } from '../../formatting/decimal-text.ts'
import { assetOf } from '../../rows/assets.ts'
import { columns } from '../../rows/columns.ts'
import { chargeDelayMs, fundingRateSeries } from '../../rows/funding-charges.ts'
import { type LongShortPositions, longShortSlices } from '../../rows/long-short-positions.ts'
import { openInterestValue } from '../../rows/open-interest.ts'
import type { ValueMapping } from '../../rows/step-series.ts'
import { lastUpTo } from '../../rows/step-series.ts'
import { tradeHoursOf } from '../../rows/trade-hours.ts'
import {
  funding as hourly,
  MONEY_DECIMALS,
  mark,
  pxText,
  RATE_DECIMALS,
  szText,
  usdText,
} from '../../schema/schema.ts'
import { wholeStep } from '../../shown-time/time-grid.ts'
import { perWorld } from '../../world/cache.ts'
import type { World } from '../../world/world.ts'
import {
  eachInterval,
  endsOf,
  type IndicatorSeries,
  type KlineAnchor,
  KlineClock,
  klineAnchor,
  klineEdges,
  type SeriesContext,
} from './kline-clock.ts'
import { largeOrders, largeTrades } from './large-orders.ts'

/** Indicators of events in each interval: trades, large orders, liquidations. */
function* inflow(of: SeriesContext) {
  return (yield* pairTallies(of)).map((tally) => ({
    value: usd(tally === null ? 0n : 2n * tally.buyAmount - tally.amount),
  }))
}

function* volumes(of: SeriesContext) {
  const coins = (sz: Sz) => szText(of.pair.instrument, sz)
  return (yield* pairTallies(of)).map((tally) => ({
    buyVolume: coins(tally?.buySize ?? ZERO),
    sellVolume: coins(tally === null ? ZERO : subtract(tally.size, tally.buySize)),
  }))
}

function* largeOrderCounts({ world, pair, moment, edges }: SeriesContext) {
  const isValue = moment.answers['large-trade-accounts'] === 'value'
  const takers = edges.slice(0, -1).map(() => ({ A: new Set<number>(), B: new Set<number>() }))
  const values = takers.map((): Record<'A' | 'B', Usd> => ({ A: ZERO, B: ZERO }))
  const [fromMs, toMs] = endsOf(edges)
  for (const order of largeOrders(world, pair, fromMs, toMs)) {
    yield
    if (order === null) continue
    const { timeMs, side, taker, notional } = order
    const at = lastUpTo(edges, timeMs)
    const value = values[at]
    if (!value) continue
    value[side] = add(value[side], notional)
    takers[at]?.[side].add(taker)
  }
  return values.map((value, at) => {
    const shown = (side: 'A' | 'B') =>
      isValue ? usdText(value[side]) : String(takers[at]?.[side].size)
    return { buyAccount: shown('B'), sellAccount: shown('A') }
  })
}

function* liquidations({ world, pair, edges }: SeriesContext) {
  const sums = edges.slice(0, -1).map((): Sides => ({ long: ZERO, short: ZERO }))
  const [fromMs, toMs] = endsOf(edges)
  const found = yield* contractLiquidations(world, pair, fromMs, toMs)
  for (const { timeMs, direction, value } of found) {
    const sides = sums[lastUpTo(edges, timeMs)]
    if (sides) sides[direction] = add(sides[direction], value)
  }
  // The liquidation of a short position buys.
  return sums.map(({ long, short }) => ({ buySize: usdText(short), sellSize: usdText(long) }))
}

type Sides = Record<'long' | 'short', Usd>

/** By key. */
const tradeFlowSeries = {
  fundflow: inflow,
  ftbs: volumes,
  bsv: volumes,
  aibst: largeOrderCounts,
  aili: liquidations,
}

/** Trades of the pair in each interval. */
function* pairTallies({ world, pair, edges }: SeriesContext): Slices<(PairTally | null)[]> {
  const [fromMs, toMs] = endsOf(edges)
  yield* readPair(world, pair, fromMs, toMs)
  return yield* eachInterval(edges, (fromMs, toMs) => pairTally(world, pair, fromMs, toMs))
}

/** Micro-dollars to the cent. */
const usd = (micros: bigint) => bigintText(roundOff(micros, MONEY_DECIMALS - 2), 2)

/** Indicators of states at the end of each interval: open interest, funding, basis. */
function* position({ world, pair, edges }: SeriesContext) {
  const coins = (sz: Sz) => szText(pair.instrument, sz)
  const candles = yield* openInterestCandles(world, pair.instrument, [pair.exchange], edges)
  return candles.map((candle) =>
    candle === null
      ? null
      : {
          open: coins(candle.open),
          high: coins(candle.high),
          low: coins(candle.low),
          close: coins(candle.close),
        },
  )
}

function* turnover(of: SeriesContext) {
  const { world, pair, edges } = of
  const candles = yield* openInterestCandles(world, pair.instrument, [pair.exchange], edges)
  return (yield* pairTallies(of)).map((tally, at) => {
    const px = pairPxBefore(world, pair, edges[at + 1] as TapeMs)
    const sz = candles[at]?.close ?? ZERO
    const value = px === null ? 0n : openInterestValue(pair.instrument, sz, px)
    return { openInterest: usd(value), volume: usd(tally?.amount ?? 0n) }
  })
}

/** Other exchanges charge every eight hours, the venue every hour. */
const EIGHT_HOURS_MS = 8 * 3_600_000

function* funding({ world, pair, clock, edges, moment }: SeriesContext) {
  const { instrument, exchange } = pair
  const mapping: ValueMapping<Rate> = (rate, timeMs) =>
    exchange === null ? rate : exchangeFundingRate(world, instrument, exchange, rate, timeMs)
  const candles = yield* fundingRateSeries(world).candles(instrument, edges, mapping)
  const delayMs = chargeDelayMs(moment)
  let at = 0
  return yield* eachInterval(edges, (fromMs, toMs) => {
    const row = lastChargedRate(world).get(instrument.id, later(toMs, -1 - delayMs))
    const candle = candles[at++]
    if (!row || !candle) return null
    const madeMs = later(row.timeMs, delayMs)
    const chargedMs = exchange === null ? madeMs : wholeStep(madeMs, moment.shiftMs, EIGHT_HOURS_MS)
    return {
      fundingTime: clock.seconds(chargedMs),
      time: clock.seconds(fromMs),
      fundingRate: format(raw(candle.close), RATE_DECIMALS),
    }
  })
}

const basis: IndicatorSeries = ({ world, pair, edges }) =>
  eachInterval(edges, (_, toMs) => {
    const row = markAt(world).get(pair.instrument.id, later(toMs, -1))
    if (!row) return null
    const [perp, spot] = [
      exchangePrice(world, pair, 'swap', row.mark, toMs),
      exchangePrice(world, pair, 'spot', row.oracle, toMs),
    ]
    const apart = subtract(perp, spot)
    return {
      basis: pxText(pair.instrument, apart),
      basisRate: format(mulDiv(raw(apart), RATE_SCALE, raw(spot)), RATE_PLACES),
    }
  })

const RATE_PLACES = 6
const RATE_SCALE = 10 ** RATE_PLACES

/** A venue price converted to the exchange. */
function exchangePrice(
  world: World,
  { exchange, instrument }: Pair,
  market: 'swap' | 'spot',
  own: Px,
  atMs: TapeMs,
): Px {
  if (exchange === null) return own
  return px(
    Math.round(raw(own) * (1 + motionsOf(world)(exchange, instrument, market).basisAt(atMs))),
  )
}

/** By key. */
const marketStateSeries = { position, tvolume: turnover, fr: funding, basis }

type At = [instrument: number, atMs: TapeMs]

const lastChargedRate = perWorld(({ db }) =>
  columns({ timeMs: hourly.timeMs }).prepare<At>(
    db,
    `from funding where instrument = ? and timeMs <= ? and charged = 1
     order by timeMs desc limit 1`,
  ),
)

const markAt = perWorld(({ db }) =>
  columns({ mark: mark.mark, oracle: mark.oracle }).prepare<At>(
    db,
    `from mark where instrument = ? and timeMs <= ? order by timeMs desc, id desc limit 1`,
  ),
)

/** Indicators of positioning: long and short accounts and positions. */
const accounts = longShortSeriesOf(
  'accounts',
  ({ longs, shorts }) => [longs.accounts, shorts.accounts],
  (sides) => ({
    sellAccount: partText(PART_SCALE - sides.part),
    buyAccount: partText(sides.part),
    ratios: ratioText(sides),
  }),
)

const topAccounts = longShortSeriesOf(
  'top accounts',
  ({ topLongs, topShorts }) => [topLongs.accounts, topShorts.accounts],
  ({ part }) => ({ buyAccount: partText(part), sellAccount: partText(PART_SCALE - part) }),
)

const topPositions = longShortSeriesOf(
  'top positions',
  ({ topLongs, topShorts }) => [raw(topLongs.sz), raw(topShorts.sz)],
  ({ part }) => ({ buyInterest: partText(part), sellInterest: partText(PART_SCALE - part) }),
)

const borrowed = longShortSeriesOf(
  'borrowed',
  ({ longs, shorts }) => [raw(longs.borrowed), raw(shorts.borrowed)],
  (sides) => ({ ratios: ratioText(sides) }),
)

/** By key. */
const longShortSeries = {
  lsur: accounts,
  ttsi: topAccounts,
  ttmu: topPositions,
  mlr: borrowed,
}

/** Parts are counted in ten-thousandths. */
const PART_DECIMALS = 4
const PART_SCALE = 10 ** PART_DECIMALS
const partText = (value: number) => format(value, PART_DECIMALS, PART_DECIMALS)
/** Long over short; 0 when there is no short. */
const ratioText = ({ long, short }: LongShort) =>
  format(short === 0 ? 0 : mulDiv(long, PART_SCALE, short), PART_DECIMALS, PART_DECIMALS)

interface LongShort {
  long: number
  short: number
  /** The long share, in ten-thousandths. */
  part: number
}

/** Both sides' columns at the end of each interval; null while no account has a position. */
function longShortSeriesOf(
  kind: LongPartKind,
  count: (positions: LongShortPositions) => [long: number, short: number],
  columns: (sides: LongShort) => IndicatorRecord,
): IndicatorSeries {
  return function* (of) {
    const sides = yield* longShorts(of, kind, count)
    return sides.map((one) => one && columns(one))
  }
}

function* longShorts(
  { world, pair, edges }: SeriesContext,
  kind: LongPartKind,
  count: (positions: LongShortPositions) => [long: number, short: number],
): Slices<(LongShort | null)[]> {
  if (isDerived(pair))
    return yield* eachInterval(edges, (_, endMs) => {
      const part = Math.round(PART_SCALE * longPart(world, pair, kind, later(endMs, -1)))
      return { long: part, short: PART_SCALE - part, part }
    })
  const held = yield* longShortSlices(world, pair.instrument, edges.slice(1))
  return held.map((positions) => {
    const [long, short] = count(positions)
    if (positions.longs.accounts === 0) return null
    const part = long + short === 0 ? PART_SCALE / 2 : mulDiv(long, PART_SCALE, long + short)
    return { long, short, part }
  })
}

export class IndicatorQueries implements IndicatorFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  *records(query: IndicatorQuery): Slices<IndicatorRecord[] | null> {
    const { world, moment } = this
    const symbol = query.symbol.toLowerCase()
    const pair = pairsOf(world).get(symbol)
    if (!pair || !hasIndicator(pair, query.key)) return null
    const clock = new KlineClock(moment, query)
    const reach = klineAnchor(clock, moment, query.sinceS)
    const of = { world, moment, clock, pair, symbol }
    if (query.key === 'aiaggtrade') return yield* largeTrades(of, reach, query.size)
    const firstMs = tradeHoursOf(world).firstMs(pair.instrument.id)
    const edges = klineEdges(clock, reach, { size: query.size, firstMs, atMs: moment.atMs })
    if (edges.length === 0) return []
    const [time] = INDICATORS[query.key].filter((name) => name === 'time' || name === 'timestamp')
    const series = yield* SERIES[query.key]({ ...of, edges })
    return series.flatMap((columns, at) =>
      columns === null ? [] : { [time as string]: clock.seconds(edges[at] as TapeMs), ...columns },
    )
  }

  *klines(query: PairKlineQuery) {
    const pair = pairsOf(this.world).get(query.symbol.toLowerCase())
    if (!pair) return null
    const clock = new KlineClock(this.moment, query)
    const reach = klineAnchor(clock, this.moment, query.sinceS)
    const { atMs } = this.moment
    return yield* pairKlines(this.world, pair, clock, { reach, size: query.size, atMs })
  }

  pairs(coinType: string, key: IndicatorKey): { symbol: string; name: string }[] {
    const word = coinType.trim().toLowerCase()
    return [...pairsOf(this.world)]
      .filter(([, pair]) => hasIndicator(pair, key) && matchesPair(pair, word))
      .map(([symbol, pair]) => ({ symbol, name: pairName(pair) }))
  }
}

/** All pairs of other exchanges are quoted in USDT. */
const quoteOf = ({ instrument, exchange }: Pair) => (exchange ? 'USDT' : instrument.quote)

function matchesPair(pair: Pair, word: string): boolean {
  const { base } = pair.instrument
  return [base, assetOf(base).key, quoteOf(pair)].some((name) => name.toLowerCase() === word)
}

function pairName(pair: Pair): string {
  const name = `${pair.instrument.base}/${quoteOf(pair)}`
  return `${name} ${pair.market} on ${pair.exchange?.key ?? 'hl'}`
}

// Source of each indicator, interval by interval.

/** Indicators that have one record an interval. */
const SERIES: Record<Exclude<IndicatorKey, 'aiaggtrade'>, IndicatorSeries> = {
  ...longShortSeries,
  ...tradeFlowSeries,
  ...marketStateSeries,
}

/** Whether a pair has an indicator: spot has neither positions nor funding. */
function hasIndicator({ market, instrument }: Pair, key: IndicatorKey): boolean {
  return SPOT_KEYS.includes(key) || (market === 'swap' && instrument.kind === 'perp')
}

const SPOT_KEYS: readonly IndicatorKey[] = ['fundflow', 'bsv', 'aibst', 'aiaggtrade']

// Candles of a pair: the venue's, or derived from them.

/** Oldest first; intervals without trades are left out. */
function* pairKlines(
  world: World,
  pair: Pair,
  clock: KlineClock,
  range: { reach: KlineAnchor; size: number; atMs: TapeMs },
): Slices<KlineValues[]> {
  const starts =
    range.reach.end === 'oldest'
      ? scanForward(world, pair, clock, range)
      : yield* scanBackward(world, pair, clock, range)
  const rows: KlineValues[] = []
  for (const startMs of starts) {
    const endMs = tapeMs(Math.min(startMs + clock.lengthMs, range.atMs + 1))
    yield* readPair(world, pair, startMs, endMs)
    const tally = pairTally(world, pair, startMs, endMs)
    if (tally !== null) rows.push(klineValues(pair, clock.seconds(startMs), tally))
    yield
  }
  return rows
}

type PairKlineScan = Parameters<typeof pairKlines>[3]

/** Beginnings of the newest intervals that hold trades. */
function* scanBackward(
  world: World,
  { instrument }: Pair,
  clock: KlineClock,
  { reach, size, atMs }: PairKlineScan,
): Slices<TapeMs[]> {
  const hours = tradeHoursOf(world)
  const starts: TapeMs[] = []
  let beforeMs = tapeMs(Math.min(clock.startOf(reach.timeMs) + clock.lengthMs, atMs + 1))
  while (starts.length < size) {
    const last = hours.lastBefore(instrument.id, beforeMs)
    if (last === null) break
    const startMs = clock.startOf(last.timeMs)
    starts.push(startMs)
    beforeMs = startMs
    yield
  }
  return starts.reverse()
}

function scanForward(
  world: World,
  { instrument }: Pair,
  clock: KlineClock,
  { reach, size, atMs }: PairKlineScan,
): TapeMs[] {
  const firstMs = tradeHoursOf(world).firstMs(instrument.id)
  return klineEdges(clock, reach, { size, firstMs, atMs }).slice(0, -1)
}

function klineValues({ instrument }: Pair, seconds: number, tally: PairTally): KlineValues {
  const px = (value: Px) => pxText(instrument, value)
  const size = szText(instrument, tally.size)
  return [seconds, px(tally.open), px(tally.high), px(tally.low), px(tally.close), size]
}
