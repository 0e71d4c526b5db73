/**
 * Where positions would be liquidated, estimated from what was traded.
 *
 * What takers bought counts as long positions opened at the average price of its 15 minutes, what
 * they sold as short ones. It is split over four leverages, each of which is liquidated where
 * its margin is down to the maintenance margin. What the market has passed since is gone.
 */

import { later, type TapeMs } from '../../../clock/instant.ts'
import type { EstimatedLiquidationQuery } from '../../../contract/facts/futures.ts'
import type { Moment } from '../../../contract/facts.ts'
import type { EstimatedLiquidation } from '../../../contract/records/futures-history.ts'
import { spanMs } from '../../../contract/span.ts'
import {
  add,
  type Px,
  portion,
  px as price,
  raw,
  type Sz,
  subtract,
  ZERO,
} from '../../../decimal/quantity.ts'
import { mulDiv, pow10 } from '../../../decimal/scaled.ts'
import { Cache } from '../../cache.ts'
import type { Contract } from '../../exchanges/contracts.ts'
import { exchangeSharesOf, SHARE_SCALE } from '../../exchanges/exchange-shares.ts'
import { roundOff } from '../../formatting/decimal-text.ts'
import { priceCells } from '../../formatting/price-cells.ts'
import { perWorld } from '../../per-world.ts'
import { tradeHoursOf } from '../../rows/trade-hours.ts'
import { type InstrumentRow, MONEY_DECIMALS } from '../../schema.ts'
import { intervalEdges } from '../../shown-time/interval-edges.ts'
import type { World } from '../../world.ts'

const SLICE_INTERVAL = '15m'

/** Leverages, and the percent of what is traded that each is taken to have. */
const LEVERAGES = [
  { name: '10', leverage: 10, percent: 40 },
  { name: '25', leverage: 25, percent: 30 },
  { name: '50', leverage: 50, percent: 20 },
  { name: '100', leverage: 100, percent: 10 },
] as const

/** Oldest first. */
export function estimatedLiquidationsOf(
  world: World,
  moment: Moment,
  { instrument, exchange }: Contract,
  query: EstimatedLiquidationQuery,
): EstimatedLiquidation[] {
  const firstMs = tradeHoursOf(world).firstMs(instrument.id)
  const edges =
    firstMs === null ? [] : intervalEdges({ ...query, interval: SLICE_INTERVAL }, moment, firstMs)
  if (firstMs === null || edges.length === 0) return []
  const before = spanMs(query.cycle) / spanMs(SLICE_INTERVAL) - 1
  const slices = tradeSlices(world, instrument, edges, before)
  const share = exchangeSharesOf(world).stablecoinShare(exchange, instrument)
  const writer = priceCells(instrument, {
    shown: (sum) => mulDiv(sum, share, SHARE_SCALE),
    isText: moment.answers['estimated-liquidation-cells'] === 'text',
  })
  return edges.slice(0, -1).map((timeMs, at) => {
    const window = slices.slice(at, at + before + 1)
    const maps = LEVERAGES.filter(({ name }) => (query.leverage ?? name) === name).map((one) => {
      const { long, short } = openValueByCell(window, LEVERAGES.indexOf(one), writer.bin)
      const mapping: ['from', 'to', 'turnover'] = ['from', 'to', 'turnover']
      return [one.name, { mapping, short: writer.cells(short), long: writer.cells(long) }] as const
    })
    return {
      time: timeMs,
      data_map: Object.fromEntries(maps),
      timestamp: Math.min(edges[at + 1] as number, moment.atMs),
    }
  })
}

/** 15 minutes of trades. Money in cents. */
interface TradeSlice {
  low: Px
  high: Px
  close: Px
  /** By leverage: where positions opened in it are liquidated, and what they are worth. */
  longs: OpenedPositions[]
  shorts: OpenedPositions[]
}

interface OpenedPositions {
  px: Px
  cents: number
}

/** The slices of all windows; null where nothing was traded. */
function tradeSlices(world: World, of: InstrumentRow, edgesMs: TapeMs[], before: number) {
  const [firstMs, lengthMs] = [edgesMs[0] as TapeMs, spanMs(SLICE_INTERVAL)]
  const earlier = Array.from({ length: before }, (_, at) =>
    later(firstMs, (at - before) * lengthMs),
  )
  const edges = [...earlier, ...edgesMs]
  const cached = sliceCache(world)
  return edges.slice(0, -1).map((fromMs, at) => {
    const toMs = edges[at + 1] as TapeMs
    return toMs - fromMs < lengthMs
      ? tradeSlice(world, of, fromMs, toMs)
      : cached.get(`${of.id}/${fromMs}`, () => tradeSlice(world, of, fromMs, toMs))
  })
}

/** Whole slices never change; so many are cached. */
const CACHE_LIMIT = 50_000

const sliceCache = perWorld(() => new Cache<string, TradeSlice | null>(CACHE_LIMIT))

function tradeSlice(
  world: World,
  of: InstrumentRow,
  fromMs: TapeMs,
  toMs: TapeMs,
): TradeSlice | null {
  const tally = tradeHoursOf(world).tally(of.id, fromMs, toMs)
  if (tally.n === 0) return null
  const { low, high, close } = tally
  const px = averagePx(tally, of)
  const bought = cents(tally.buyAmount)
  const sold = cents(tally.amount - tally.buyAmount)
  return {
    low,
    high,
    close,
    longs: LEVERAGES.map((one) => ({
      px: subtract(px, liquidationDistance(px, one)),
      cents: percentOf(bought, one),
    })),
    shorts: LEVERAGES.map((one) => ({
      px: add(px, liquidationDistance(px, one)),
      cents: percentOf(sold, one),
    })),
  }
}

type Leverage = (typeof LEVERAGES)[number]

/** Maintenance margin in ten-thousandths of the position. */
const MAINTENANCE = 40

/** How far the price can go against a position of that leverage. */
const liquidationDistance = (px: Px, { leverage }: Leverage) =>
  portion(px, 10_000 / leverage - MAINTENANCE, 10_000)

const percentOf = (sum: number, { percent }: Leverage) => mulDiv(sum, percent, 100)

const cents = (micros: bigint) => Number(roundOff(micros, MONEY_DECIMALS - 2))

/** Quote volume over volume. */
function averagePx(tally: { amount: bigint; size: Sz }, of: InstrumentRow): Px {
  const scale = of.pxDecimals + of.szDecimals - MONEY_DECIMALS
  const [up, down] = scale >= 0 ? [pow10(scale), 1] : [1, pow10(-scale)]
  const size = BigInt(raw(tally.size)) * BigInt(down)
  return price(Number((2n * tally.amount * BigInt(up) + size) / (2n * size)))
}

/** Cents by cell of all positions of a leverage that no later price has closed. */
function openValueByCell(window: (TradeSlice | null)[], leverage: number, bin: (px: Px) => number) {
  const long = new Map<number, number>()
  const short = new Map<number, number>()
  let [low, high]: [Px, Px] = [ZERO, ZERO]
  for (let at = window.length - 1; at >= 0; at--) {
    const slice = window[at]
    if (!slice) continue
    if (high === ZERO) low = high = slice.close
    const [bought, sold] = [
      slice.longs[leverage] as OpenedPositions,
      slice.shorts[leverage] as OpenedPositions,
    ]
    if (bought.px < low) addToCell(long, bin(bought.px), bought.cents)
    if (sold.px > high) addToCell(short, bin(sold.px), sold.cents)
    if (slice.low < low) low = slice.low
    if (slice.high > high) high = slice.high
  }
  return { long, short }
}

function addToCell(cells: Map<number, number>, bin: number, sum: number): void {
  if (sum > 0) cells.set(bin, (cells.get(bin) ?? 0) + sum)
}
