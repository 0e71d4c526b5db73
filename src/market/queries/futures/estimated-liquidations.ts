/**
 * Estimates liquidation prices of open positions from trades.
 *
 * A fixed part of the open interest has each of four leverages. Entries follow the turnover of the
 * last days, long by taker buys, short by taker sells, weighted to recent ones: the higher the
 * leverage, the shorter the holding time. A position is liquidated where its margin equals the
 * maintenance margin; positions whose price the market has since passed are removed.
 */

import { later, type TapeMs } from '../../../clock/instant.ts'
import type { Slices } from '../../../clock/turns.ts'
import type { EstimatedLiquidationQuery, Moment } from '../../../contract/facts.ts'
import type { EstimatedLiquidation } from '../../../contract/records/futures-history.ts'
import { spanMs } from '../../../contract/span.ts'
import {
  add,
  greater,
  lesser,
  type Px,
  portion,
  pow10,
  px as price,
  raw,
  subtract,
} from '../../../decimal/quantity.ts'
import { openInterestCandles } from '../../exchanges/exchange-open-interest.ts'
import type { Contract } from '../../exchanges/exchanges.ts'
import { type PairTally, pairTally } from '../../exchanges/pair-tallies.ts'
import { priceCells } from '../../formatting/price-cells.ts'
import { openInterestValue } from '../../rows/open-interest.ts'
import { tradeHoursOf } from '../../rows/trade-hours.ts'
import { type InstrumentRow, MONEY_DECIMALS } from '../../schema/schema.ts'
import { intervalEdges } from '../../shown-time/time-grid.ts'
import { Cache, perWorld } from '../../world/cache.ts'
import type { World } from '../../world/world.ts'

/** Trades of a contract are read by quarters of an hour. */
const SLICE_INTERVAL = '15m'
const SLICE_MS = spanMs(SLICE_INTERVAL)

/** Prices and taker volumes of 15 minutes, dollars. */
interface TradeSlice {
  low: Px
  high: Px
  close: Px
  average: Px
  bought: number
  sold: number
}

/** Slices between the edges and a number before them; null without trades. */
function* tradeSlices(
  world: World,
  contract: Contract,
  edgesMs: TapeMs[],
  before: number,
): Slices<(TradeSlice | null)[]> {
  const firstMs = edgesMs[0] as TapeMs
  const earlier = Array.from({ length: before }, (_, at) =>
    later(firstMs, (at - before) * SLICE_MS),
  )
  const edges = [...earlier, ...edgesMs]
  const { instrument, exchange } = contract
  const cached = sliceCache(world)
  const slices: (TradeSlice | null)[] = []
  for (const [at, fromMs] of edges.slice(0, -1).entries()) {
    yield
    const toMs = edges[at + 1] as TapeMs
    const read = () => tradeSlice(world, contract, fromMs, toMs)
    const isWhole = toMs - fromMs >= SLICE_MS
    const key = `${exchange?.key}/${instrument.id}/${fromMs}`
    slices.push(isWhole ? cached.get(key, read) : read())
  }
  return slices
}

/** Whole slices never change; so many are cached. */
const CACHE_LIMIT = 50_000

const sliceCache = perWorld(() => new Cache<string, TradeSlice | null>(CACHE_LIMIT))

function tradeSlice(
  world: World,
  { instrument, exchange }: Contract,
  fromMs: TapeMs,
  toMs: TapeMs,
): TradeSlice | null {
  const pair = { instrument, exchange, market: 'swap' } as const
  const tally = pairTally(world, pair, fromMs, toMs)
  if (tally === null) return null
  const dollars = (micros: bigint) => Number(micros) / 10 ** MONEY_DECIMALS
  return {
    low: tally.low,
    high: tally.high,
    close: tally.close,
    average: averagePx(tally, instrument),
    bought: dollars(tally.buyAmount),
    sold: dollars(tally.amount - tally.buyAmount),
  }
}

/** Quote volume over volume, clamped to the range of prices. */
function averagePx({ amount, size, low, high }: PairTally, of: InstrumentRow): Px {
  const unit = pow10(of.pxDecimals + of.szDecimals) / 10 ** MONEY_DECIMALS
  const average = Math.round((Number(amount) * unit) / raw(size))
  return price(Math.min(raw(high), Math.max(raw(low), average)))
}

const HOUR_MS = spanMs('1h')
/** Longest assumed age of a position. */
const OPENED_MS = spanMs('7d')

/** Leverages, their parts of each side's open interest, and holding times. */
const LEVERAGES = [
  { name: '10', leverage: 10, part: 0.21, halfLifeMs: 60 * HOUR_MS },
  { name: '25', leverage: 25, part: 0.12, halfLifeMs: 26 * HOUR_MS },
  { name: '50', leverage: 50, part: 0.07, halfLifeMs: 10 * HOUR_MS },
  { name: '100', leverage: 100, part: 0.04, halfLifeMs: 4 * HOUR_MS },
] as const
type Leverage = (typeof LEVERAGES)[number]

/** Oldest first. */
export function* estimatedLiquidationsOf(
  world: World,
  moment: Moment,
  contract: Contract,
  query: EstimatedLiquidationQuery,
): Slices<EstimatedLiquidation[]> {
  const { instrument } = contract
  const firstMs = tradeHoursOf(world).firstMs(instrument.id)
  const edges =
    firstMs === null ? [] : intervalEdges({ ...query, interval: SLICE_INTERVAL }, moment, firstMs)
  if (edges.length === 0) return []
  const before = OPENED_MS / SLICE_MS - 1
  const slices = yield* tradeSlices(world, contract, edges, before)
  const held = yield* openInterestCents(world, contract, edges, slices.slice(before))
  const shown = spanMs(query.cycle) / SLICE_MS
  const writer = priceCells(instrument, {
    isText: moment.answers['estimated-liquidation-cells'] === 'text',
  })
  const records: EstimatedLiquidation[] = []
  for (const [at, timeMs] of edges.slice(0, -1).entries()) {
    yield
    const window = slices.slice(at, at + before + 1)
    const maps = LEVERAGES.filter(({ name }) => (query.leverage ?? name) === name).map((one) => {
      const { long, short } = openByCell(window, one, {
        bin: writer.bin,
        shown,
        cents: held[at] ?? 0,
      })
      const mapping: ['from', 'to', 'turnover'] = ['from', 'to', 'turnover']
      return [one.name, { mapping, short: writer.cells(short), long: writer.cells(long) }] as const
    })
    records.push({
      time: timeMs,
      data_map: Object.fromEntries(maps),
      timestamp: Math.min(edges[at + 1] as number, moment.atMs),
    })
  }
  return records
}

/** Value of the open interest at the end of each interval, cents. */
function* openInterestCents(
  world: World,
  { instrument, exchange }: Contract,
  edges: readonly TapeMs[],
  slices: readonly (TradeSlice | null)[],
): Slices<number[]> {
  let px: Px | null = null
  const candles = yield* openInterestCandles(world, instrument, [exchange], edges)
  return candles.map((candle, at) => {
    px = slices[at]?.close ?? px
    return candle && px ? Number(openInterestValue(instrument, candle.close, px)) / 10_000 : 0
  })
}

/** Maintenance margin in ten-thousandths of the position. */
const MAINTENANCE = 40

/** Price distance to the liquidation of a leverage. */
const liquidationDistance = (px: Px, { leverage }: Leverage) =>
  portion(px, 10_000 / leverage - MAINTENANCE, 10_000)

/** Open positions of a leverage by cell, in cents, without those that a later price has closed. */
function openByCell(
  window: readonly (TradeSlice | null)[],
  one: Leverage,
  { bin, shown, cents }: { bin: (px: Px) => number; shown: number; cents: number },
) {
  const long = new Map<number, number>()
  const short = new Map<number, number>()
  const kept = 2 ** (-SLICE_MS / one.halfLifeMs)
  const sums = { bought: 0, sold: 0 }
  let weight = 1
  for (const slice of window.toReversed()) {
    sums.bought += weight * (slice?.bought ?? 0)
    sums.sold += weight * (slice?.sold ?? 0)
    weight *= kept
  }
  const perDollar = (sum: number) => (sum === 0 ? 0 : (cents * one.part) / sum)
  const [perBought, perSold] = [perDollar(sums.bought), perDollar(sums.sold)]
  let [low, high] = [null as Px | null, null as Px | null]
  weight = 1
  for (const slice of window.slice(-shown).toReversed()) {
    if (slice) {
      const { average, close } = slice
      const distance = liquidationDistance(average, one)
      const [longPx, shortPx] = [subtract(average, distance), add(average, distance)]
      const [least, most] = [low ?? close, high ?? close]
      if (longPx < least) addToCell(long, bin(longPx), weight * slice.bought * perBought)
      if (shortPx > most) addToCell(short, bin(shortPx), weight * slice.sold * perSold)
      low = lesser(slice.low, least)
      high = greater(slice.high, most)
    }
    weight *= kept
  }
  return { long, short }
}

/** Whole cents. */
function addToCell(cells: Map<number, number>, bin: number, cents: number): void {
  const whole = Math.floor(cents)
  if (whole > 0) cells.set(bin, (cells.get(bin) ?? 0) + whole)
}
