/** K-lines and indicators of pairs (the service's documentation, Indicator keys). */

import { later, type TapeMs, tapeMs } from '../../../clock/instant.ts'
import type {
  IndicatorFacts,
  IndicatorQuery,
  PairKlineQuery,
} from '../../../contract/facts/indicator.ts'
import type { Moment } from '../../../contract/facts.ts'
import {
  INDICATORS,
  type IndicatorKey,
  type IndicatorRecord,
  type KlineValues,
} from '../../../contract/records/indicator.ts'
import {
  add,
  type Px,
  px,
  type Rate,
  raw,
  type Sz,
  subtract,
  sum as total,
  type Usd,
  ZERO,
} from '../../../decimal/quantity.ts'
import { format, mulDiv } from '../../../decimal/scaled.ts'
import { contractLiquidations } from '../../exchanges/contract-liquidations.ts'
import { exchangeFundingRate } from '../../exchanges/exchange-funding-rates.ts'
import { interestCandles } from '../../exchanges/exchange-interest.ts'
import { motionsOf } from '../../exchanges/exchanges.ts'
import { type LongPartKind, longPart } from '../../exchanges/long-short-parts.ts'
import { isDerived, type PairTally, pairPxBefore, pairTally } from '../../exchanges/pair-tallies.ts'
import { type Pair, pairsOf } from '../../exchanges/pairs.ts'
import { bigintText, roundOff } from '../../formatting/decimal-text.ts'
import { assetOf } from '../../rows/assets.ts'
import { columns } from '../../rows/columns.ts'
import { chargeDelayMs } from '../../rows/funding-charges.ts'
import { fundingRateSeries } from '../../rows/funding-rates.ts'
import { interestValue } from '../../rows/interest-value.ts'
import { type LongShortPositions, longShortAt } from '../../rows/long-short-positions.ts'
import type { ValueMapping } from '../../rows/step-series.ts'
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
import { lastUpTo } from '../../world/binary-search.ts'
import { perWorld } from '../../world/per-world.ts'
import type { World } from '../../world/world.ts'
import { type KlineAnchor, KlineClock, klineAnchor, klineEdges } from './kline-clock.ts'
import { largeOrders, largeTrades } from './large-orders.ts'
import { eachInterval, endsOf, type IndicatorSeries, type SeriesContext } from './series-context.ts'

/** Indicators of what happened in each interval: trades, large orders, liquidations. */
const inflow: IndicatorSeries = (of) =>
  pairTallies(of).map((tally) => ({
    value: usd(tally === null ? 0n : 2n * tally.buyAmount - tally.amount),
  }))

const volumes: IndicatorSeries = (of) => {
  const coins = (sz: Sz) => szText(of.pair.instrument, sz)
  return pairTallies(of).map((tally) => ({
    buyVolume: coins(tally?.buySize ?? ZERO),
    sellVolume: coins(tally === null ? ZERO : subtract(tally.size, tally.buySize)),
  }))
}

const largeOrderCounts: IndicatorSeries = (of) => {
  const { world, pair, moment, edges } = of
  const isValue = moment.answers['large-trade-accounts'] === 'value'
  const large = [...largeOrders(world, pair, ...endsOf(edges))]
  return eachInterval(edges, (fromMs, toMs) => {
    const here = large.filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs)
    const sum = (side: 'A' | 'B') => {
      const ours = here.filter((one) => one.side === side)
      if (!isValue) return String(new Set(ours.map(({ taker }) => taker)).size)
      return usdText(total(ours.map(({ notional }) => notional)))
    }
    return { buyAccount: sum('B'), sellAccount: sum('A') }
  })
}

const liquidations: IndicatorSeries = ({ world, pair, edges }) => {
  const sums = edges.slice(0, -1).map((): Sides => ({ long: ZERO, short: ZERO }))
  for (const { timeMs, direction, value } of contractLiquidations(world, pair, ...endsOf(edges))) {
    const sides = sums[lastUpTo(edges, timeMs)]
    if (sides) sides[direction] = add(sides[direction], value)
  }
  // A liquidated short position buys.
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

/** What was traded of the pair in each interval. */
const pairTallies = ({ world, pair, edges }: SeriesContext): (PairTally | null)[] =>
  eachInterval(edges, (fromMs, toMs) => pairTally(world, pair, fromMs, toMs))

/** Micro-dollars to the cent. */
const usd = (micros: bigint) => bigintText(roundOff(micros, MONEY_DECIMALS - 2), 2)

/** Indicators of values at the end of each interval: open interest, funding, basis. */
const position: IndicatorSeries = ({ world, pair, edges }) => {
  const coins = (sz: Sz) => szText(pair.instrument, sz)
  const candles = interestCandles(world, pair.instrument, [pair.exchange], edges)
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

const turnover: IndicatorSeries = (of) => {
  const { world, pair, edges } = of
  const candles = interestCandles(world, pair.instrument, [pair.exchange], edges)
  return pairTallies(of).map((tally, at) => {
    const px = pairPxBefore(world, pair, edges[at + 1] as TapeMs)
    const sz = candles[at]?.close ?? ZERO
    const value = px === null ? 0n : interestValue(pair.instrument, sz, px)
    return { openInterest: usd(value), volume: usd(tally?.amount ?? 0n) }
  })
}

/** An exchange charges each eight hours, the own venue each hour. */
const EIGHT_HOURS_MS = 8 * 3_600_000

const funding: IndicatorSeries = ({ world, pair, clock, edges, moment }) => {
  const { instrument, exchange } = pair
  const mapping: ValueMapping<Rate> = (rate, timeMs) =>
    exchange === null ? rate : exchangeFundingRate(world, instrument, exchange, rate, timeMs)
  const candles = fundingRateSeries(world).candles(instrument, edges, mapping)
  const delayMs = chargeDelayMs(moment)
  return eachInterval(edges, (fromMs, toMs) => ({ fromMs, toMs })).map(({ fromMs, toMs }, at) => {
    const row = lastChargedRate(world).get(instrument.id, later(toMs, -1 - delayMs))
    const candle = candles[at]
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

/** A price of the own venue as it is on the exchange. */
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
const accounts: IndicatorSeries = (of) =>
  longShorts(of, 'accounts', ({ longs, shorts }) => [longs.accounts, shorts.accounts]).map(
    (sides) =>
      sides && {
        sellAccount: partText(PART_SCALE - sides.part),
        buyAccount: partText(sides.part),
        ratios: ratioText(sides),
      },
  )

const topAccounts: IndicatorSeries = (of) =>
  longShorts(of, 'top accounts', ({ topLongs, topShorts }) => [
    topLongs.accounts,
    topShorts.accounts,
  ]).map(
    (sides) =>
      sides && { buyAccount: partText(sides.part), sellAccount: partText(PART_SCALE - sides.part) },
  )

const topPositions: IndicatorSeries = (of) =>
  longShorts(of, 'top positions', ({ topLongs, topShorts }) => [
    raw(topLongs.sz),
    raw(topShorts.sz),
  ]).map(
    (sides) =>
      sides && {
        buyInterest: partText(sides.part),
        sellInterest: partText(PART_SCALE - sides.part),
      },
  )

const borrowed: IndicatorSeries = (of) =>
  longShorts(of, 'borrowed', ({ longs, shorts }) => [
    raw(longs.borrowed),
    raw(shorts.borrowed),
  ]).map((sides) => sides && { ratios: ratioText(sides) })

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
  /** The long part, in ten-thousandths. */
  part: number
}

/** Both sides when each interval ended; null while nobody holds anything. */
function longShorts(
  { world, pair, edges }: SeriesContext,
  kind: LongPartKind,
  count: (positions: LongShortPositions) => [long: number, short: number],
): (LongShort | null)[] {
  const ends = edges.slice(1)
  if (isDerived(pair))
    return ends.map((endMs) => {
      const part = Math.round(PART_SCALE * longPart(world, pair, kind, later(endMs, -1)))
      return { long: part, short: PART_SCALE - part, part }
    })
  return longShortAt(world, pair.instrument, ends).map((positions) => {
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

  records(query: IndicatorQuery): IndicatorRecord[] | null {
    const { world, moment } = this
    const symbol = query.symbol.toLowerCase()
    const pair = pairsOf(world).get(symbol)
    if (!pair || !hasIndicator(pair, query.key)) return null
    const clock = new KlineClock(moment, query)
    const reach = klineAnchor(clock, moment, query.sinceS)
    const of = { world, moment, clock, pair, symbol }
    if (query.key === 'aiaggtrade') return largeTrades(of, reach, query.size)
    const firstMs = tradeHoursOf(world).firstMs(pair.instrument.id)
    const edges = klineEdges(clock, reach, { size: query.size, firstMs, atMs: moment.atMs })
    if (edges.length === 0) return []
    const [time] = INDICATORS[query.key].filter((name) => name === 'time' || name === 'timestamp')
    return SERIES[query.key]({ ...of, edges }).flatMap((columns, at) =>
      columns === null ? [] : { [time as string]: clock.seconds(edges[at] as TapeMs), ...columns },
    )
  }

  klines(query: PairKlineQuery) {
    const pair = pairsOf(this.world).get(query.symbol.toLowerCase())
    if (!pair) return null
    const clock = new KlineClock(this.moment, query)
    const reach = klineAnchor(clock, this.moment, query.sinceS)
    const { atMs } = this.moment
    return pairKlines(this.world, pair, clock, { reach, size: query.size, atMs })
  }

  pairs(coinType: string, key: IndicatorKey): { symbol: string; name: string }[] {
    const word = coinType.trim().toLowerCase()
    return [...pairsOf(this.world)]
      .filter(([, pair]) => hasIndicator(pair, key) && matchesPair(pair, word))
      .map(([symbol, pair]) => ({ symbol, name: pairName(pair) }))
  }
}

/** Of another exchange's pairs all are quoted in USDT. */
const quoteOf = ({ instrument, exchange }: Pair) => (exchange ? 'USDT' : instrument.quote)

function matchesPair(pair: Pair, word: string): boolean {
  const { base } = pair.instrument
  return [base, assetOf(base).key, quoteOf(pair)].some((name) => name.toLowerCase() === word)
}

function pairName(pair: Pair): string {
  const name = `${pair.instrument.base}/${quoteOf(pair)}`
  return `${name} ${pair.market} on ${pair.exchange?.key ?? 'hl'}`
}

// What each indicator is made of, interval by interval.

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

// Candles of a pair: those of the own venue, or derived from them.

/** Oldest first; intervals without trades are left out. */
function pairKlines(
  world: World,
  pair: Pair,
  clock: KlineClock,
  range: { reach: KlineAnchor; size: number; atMs: TapeMs },
): KlineValues[] {
  const starts = range.reach.end === 'oldest' ? scanForward(world, pair, clock, range) : null
  const found = starts ?? scanBackward(world, pair, clock, range)
  return found.flatMap((startMs) => {
    const endMs = tapeMs(Math.min(startMs + clock.lengthMs, range.atMs + 1))
    const tally = pairTally(world, pair, startMs, endMs)
    return tally === null ? [] : [klineValues(pair, clock.seconds(startMs), tally)]
  })
}

type PairKlineScan = Parameters<typeof pairKlines>[3]

/** Beginnings of the newest intervals that hold trades. */
function scanBackward(
  world: World,
  { instrument }: Pair,
  clock: KlineClock,
  { reach, size, atMs }: PairKlineScan,
): TapeMs[] {
  const hours = tradeHoursOf(world)
  const starts: TapeMs[] = []
  let beforeMs = tapeMs(Math.min(clock.startOf(reach.timeMs) + clock.lengthMs, atMs + 1))
  while (starts.length < size) {
    const last = hours.lastBefore(instrument.id, beforeMs)
    if (last === null) break
    const startMs = clock.startOf(last.timeMs)
    starts.push(startMs)
    beforeMs = startMs
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
