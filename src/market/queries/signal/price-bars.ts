/** Gapless bars of a perpetual or a spot pair, for rules with a long lookback. */

import { later, type TapeMs, tapeMs } from '../../../clock/instant.ts'
import type { Slices } from '../../../clock/turns.ts'
import type { Moment } from '../../../contract/facts.ts'
import { type Px, type Usd, usd, ZERO } from '../../../decimal/quantity.ts'
import { tradeHoursOf } from '../../rows/trade-hours.ts'
import type { TradeTally } from '../../rows/trade-tally.ts'
import type { InstrumentRow } from '../../schema/schema.ts'
import { wholeStep } from '../../shown-time/time-grid.ts'
import { Cache, perWorld } from '../../world/cache.ts'
import type { World } from '../../world/world.ts'

/** Without trades, the close carries on and amounts are 0. */
export interface PriceBar {
  /** The bar holds the trades before it. */
  endMs: TapeMs
  high: Px
  low: Px
  close: Px
  /** Turnover, and taker buys. */
  amount: Usd
  bought: Usd
}

/**
 * The closed bars from the one that contains `fromMs` to the last that ends by `untilMs`, oldest
 * first, none before the first trade. They lie on shown time.
 */
export function priceBarsOf(
  world: World,
  { atMs, shiftMs }: Moment,
  of: InstrumentRow,
  { lengthMs, fromMs, untilMs }: { lengthMs: number; fromMs: TapeMs; untilMs: TapeMs },
): PriceBar[] {
  const firstMs = firstTradeMs(world)(of.id)
  if (firstMs === null) return []
  const endMs = wholeStep(untilMs < atMs ? untilMs : atMs, shiftMs, lengthMs)
  const startMs = wholeStep(firstMs > fromMs ? firstMs : fromMs, shiftMs, lengthMs)
  const cached = barCache(world)
  const keyOf = (endMs: TapeMs) => `${of.id}/${lengthMs}/${endMs}`
  const hours = tradeHoursOf(world)
  const bars: PriceBar[] = []
  let close = cached.find(keyOf(startMs))?.close ?? hours.pxBefore(of.id, startMs)
  for (let toMs = later(startMs, lengthMs); toMs <= endMs; toMs = later(toMs, lengthMs)) {
    const [before, barMs] = [close, toMs]
    const bar = cached.get(keyOf(barMs), () =>
      barFrom(hours.tally(of.id, later(barMs, -lengthMs), barMs), barMs, before),
    )
    bars.push(bar)
    close = bar.close
  }
  return bars
}

/** Loads bars of a span into memory, a few a slice. */
export function* readPriceBars(
  world: World,
  moment: Moment,
  of: InstrumentRow,
  { lengthMs, fromMs, untilMs }: { lengthMs: number; fromMs: TapeMs; untilMs: TapeMs },
): Slices<void> {
  const stepMs = BARS_AT_ONCE * lengthMs
  for (let atMs = fromMs; atMs < untilMs; atMs = later(atMs, stepMs)) {
    const toMs = tapeMs(Math.min(later(atMs, stepMs), untilMs))
    yield* tradeHoursOf(world).read(of.id, atMs, toMs)
    yield
    priceBarsOf(world, moment, of, { lengthMs, fromMs: atMs, untilMs: toMs })
  }
}

const BARS_AT_ONCE = 32

function barFrom(tally: TradeTally, endMs: TapeMs, before: Px | null): PriceBar {
  if (tally.n === 0) {
    const close = before ?? ZERO
    return { endMs, high: close, low: close, close, amount: ZERO, bought: ZERO }
  }
  const { high, low, close } = tally
  const [amount, bought] = [usd(Number(tally.amount)), usd(Number(tally.buyAmount))]
  return { endMs, high, low, close, amount, bought }
}

/** Cached bars; closed ones never change. */
const CACHE_LIMIT = 500_000

const barCache = perWorld(() => new Cache<string, PriceBar>(CACHE_LIMIT))

const firstTradeMs = perWorld((world) => {
  const known = new Map<number, TapeMs | null>()
  return (instrument: number): TapeMs | null => {
    const before = known.get(instrument)
    if (before !== undefined) return before
    const first = tradeHoursOf(world).firstMs(instrument)
    if (first !== null) known.set(instrument, first)
    return first
  }
})
