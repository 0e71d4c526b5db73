/** Bars of a perpetual or a spot pair without gaps, for rules that look back over so many. */

import type { Moment } from '../../../contract/facts.ts'
import { raw, ZERO } from '../../../decimal/quantity.ts'
import type { InstrumentRow } from '../../schema.ts'
import type { World } from '../../world.ts'
import { perWorld } from '../per-world.ts'
import { tradeHoursOf } from '../trade-hours.ts'

/**
 * Plain numbers, as the rules reckon in fractions: prices in price units. Where nothing was traded
 * the close goes on and the amounts are 0.
 */
export interface Bar {
  /** The bar holds the trades before it. */
  endMs: number
  high: number
  low: number
  close: number
  /** Micro-dollars, and the part that takers bought. */
  amount: number
  bought: number
}

/**
 * The closed bars from the one that contains `fromMs` to the last that ends by `untilMs`, oldest
 * first, none before the first trade. They lie on the clock that clients are shown.
 */
export function barsOf(
  world: World,
  { atMs, shiftMs }: Moment,
  of: InstrumentRow,
  { lengthMs, fromMs, untilMs }: { lengthMs: number; fromMs: number; untilMs: number },
): Bar[] {
  const floor = (timeMs: number) => Math.floor((timeMs + shiftMs) / lengthMs) * lengthMs - shiftMs
  const firstMs = firstTrade(world)(of.id)
  if (firstMs === null) return []
  const endMs = floor(Math.min(untilMs, atMs))
  const startMs = floor(Math.max(firstMs, fromMs))
  const kept = barsKept(world)(`${of.id}/${lengthMs}`)
  const hours = tradeHoursOf(world)
  const bars: Bar[] = []
  let close = kept.get(startMs)?.close ?? raw(hours.lastBefore(of.id, startMs)?.px ?? ZERO)
  for (let toMs = startMs + lengthMs; toMs <= endMs; toMs += lengthMs) {
    const bar = kept.get(toMs) ?? made(hours.tally(of.id, toMs - lengthMs, toMs), toMs, close)
    kept.set(toMs, bar)
    bars.push(bar)
    close = bar.close
  }
  return bars
}

type Tally = ReturnType<ReturnType<typeof tradeHoursOf>['tally']>

function made(tally: Tally, endMs: number, close: number): Bar {
  if (tally.n === 0) return { endMs, high: close, low: close, close, amount: 0, bought: 0 }
  return {
    endMs,
    high: raw(tally.high),
    low: raw(tally.low),
    close: raw(tally.close),
    amount: Number(tally.amount),
    bought: Number(tally.buyAmount),
  }
}

/** Bars kept of one instrument and length; closed ones never change. */
const KEPT = 20_000
/** Instruments and lengths. */
const SERIES = 100

const barsKept = perWorld(() => {
  const known = new Map<string, Map<number, Bar>>()
  return (name: string): Map<number, Bar> => {
    const before = known.get(name)
    if (before && before.size <= KEPT) return before
    if (known.size >= SERIES) known.clear()
    const series = new Map<number, Bar>()
    known.set(name, series)
    return series
  }
})

const firstTrade = perWorld((world) => {
  const known = new Map<number, number | null>()
  return (instrument: number): number | null => {
    const before = known.get(instrument)
    if (before !== undefined) return before
    const first = tradeHoursOf(world).firstMs(instrument)
    known.set(instrument, first)
    return first
  }
})
