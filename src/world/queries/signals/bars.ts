/** Bars of a perpetual or a spot pair without gaps, for rules that look back over so many. */

import { later, type TapeMs } from '../../../clock/instant.ts'
import type { Moment } from '../../../contract/facts.ts'
import { type Px, type Usd, usd, ZERO } from '../../../decimal/quantity.ts'
import { Cache } from '../../cache.ts'
import type { InstrumentRow } from '../../schema.ts'
import type { World } from '../../world.ts'
import { wholeStep } from '../grid.ts'
import { perWorld } from '../per-world.ts'
import type { Tally } from '../tally.ts'
import { tradeHoursOf } from '../trade-hours.ts'

/** Where nothing was traded the close goes on and the amounts are 0. */
export interface Bar {
  /** The bar holds the trades before it. */
  endMs: TapeMs
  high: Px
  low: Px
  close: Px
  /** The turnover, and the part that takers bought. */
  amount: Usd
  bought: Usd
}

/**
 * The closed bars from the one that contains `fromMs` to the last that ends by `untilMs`, oldest
 * first, none before the first trade. They lie on the clock that clients are shown.
 */
export function barsOf(
  world: World,
  { atMs, shiftMs }: Moment,
  of: InstrumentRow,
  { lengthMs, fromMs, untilMs }: { lengthMs: number; fromMs: TapeMs; untilMs: TapeMs },
): Bar[] {
  const firstMs = firstTrade(world)(of.id)
  if (firstMs === null) return []
  const endMs = wholeStep(untilMs < atMs ? untilMs : atMs, shiftMs, lengthMs)
  const startMs = wholeStep(firstMs > fromMs ? firstMs : fromMs, shiftMs, lengthMs)
  const kept = barsKept(world)
  const keyOf = (endMs: TapeMs) => `${of.id}/${lengthMs}/${endMs}`
  const hours = tradeHoursOf(world)
  const bars: Bar[] = []
  let close = kept.find(keyOf(startMs))?.close ?? hours.lastBefore(of.id, startMs)?.px ?? null
  for (let toMs = later(startMs, lengthMs); toMs <= endMs; toMs = later(toMs, lengthMs)) {
    const [before, barMs] = [close, toMs]
    const bar = kept.get(keyOf(barMs), () =>
      made(hours.tally(of.id, later(barMs, -lengthMs), barMs), barMs, before),
    )
    bars.push(bar)
    close = bar.close
  }
  return bars
}

function made(tally: Tally, endMs: TapeMs, before: Px | null): Bar {
  if (tally.n === 0) {
    const close = before ?? ZERO
    return { endMs, high: close, low: close, close, amount: ZERO, bought: ZERO }
  }
  const { high, low, close } = tally
  const [amount, bought] = [usd(Number(tally.amount)), usd(Number(tally.buyAmount))]
  return { endMs, high, low, close, amount, bought }
}

/** Bars that are kept; closed ones never change. */
const KEPT = 500_000

const barsKept = perWorld(() => new Cache<string, Bar>(KEPT))

const firstTrade = perWorld((world) => {
  const known = new Map<number, TapeMs | null>()
  return (instrument: number): TapeMs | null => {
    const before = known.get(instrument)
    if (before !== undefined) return before
    const first = tradeHoursOf(world).firstMs(instrument)
    known.set(instrument, first)
    return first
  }
})
