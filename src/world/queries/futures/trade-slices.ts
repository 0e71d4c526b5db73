/** What was traded of a contract, by quarters of an hour. */
import { later, type TapeMs } from '../../../clock/instant.ts'
import type { Slices } from '../../../clock/turns.ts'
import { spanMs } from '../../../contract/span.ts'
import { type Px, px as price, raw } from '../../../decimal/quantity.ts'
import { pow10 } from '../../../decimal/scaled.ts'
import { Cache } from '../../cache.ts'
import type { Contract } from '../../exchanges/contracts.ts'
import { type PairTally, pairTally } from '../../exchanges/pair-tallies.ts'
import { perWorld } from '../../per-world.ts'
import { type InstrumentRow, MONEY_DECIMALS } from '../../schema.ts'
import type { World } from '../../world.ts'

export const SLICE_INTERVAL = '15m'
export const SLICE_MS = spanMs(SLICE_INTERVAL)

/** What 15 minutes tell: prices, and what takers bought and sold, dollars. */
export interface TradeSlice {
  low: Px
  high: Px
  close: Px
  average: Px
  bought: number
  sold: number
}

/** Between the edges and so many before them; null where nothing was traded. */
export function* tradeSlices(
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

/** Quote volume over volume, within the range of prices. */
function averagePx({ amount, size, low, high }: PairTally, of: InstrumentRow): Px {
  const unit = pow10(of.pxDecimals + of.szDecimals) / 10 ** MONEY_DECIMALS
  const average = Math.round((Number(amount) * unit) / raw(size))
  return price(Math.min(raw(high), Math.max(raw(low), average)))
}
