/**
 * Minutes of the own venue as other exchanges are made from them; those that have ended are kept.
 */
import { HOUR_MS, MINUTE_MS } from '../../clock/durations.ts'
import { later, type TapeMs, tapeMs } from '../../clock/instant.ts'
import { raw } from '../../decimal/quantity.ts'
import { tradeHoursOf } from '../rows/trade-hours.ts'
import { type InstrumentRow, MONEY_DECIMALS } from '../schema/schema.ts'
import { Cache } from '../world/cache.ts'
import { perWorld } from '../world/per-world.ts'
import type { World } from '../world/world.ts'

/** Plain numbers: price units, size units, cents. */
export interface OwnSpan {
  /** The price right before; null before the first trade. */
  before: number | null
  /** Prices of its trades; null without any. */
  prices: { open: number; low: number; high: number; close: number } | null
  size: number
  boughtSize: number
  cents: number
  boughtCents: number
}

export const CENTS_DECIMALS = 2
/** Hours kept in memory, 10 kB each. */
const HOURS_KEPT = 1_500

export const minuteOf = (timeMs: number) => tapeMs(Math.floor(timeMs / MINUTE_MS) * MINUTE_MS)
export const hourOf = (timeMs: number) => tapeMs(Math.floor(timeMs / HOUR_MS) * HOUR_MS)

/** A span that lies within a minute of the tape's clock. */
export function ownSpan(world: World, of: InstrumentRow, fromMs: TapeMs, toMs: TapeMs): OwnSpan {
  if (toMs - fromMs < MINUTE_MS) return readSpan(world, of, fromMs, toMs)
  const hourMs = hourOf(fromMs)
  const minutes = keptHours(world).get(keyOf(of, hourMs), () => [])
  const at = (fromMs - hourMs) / MINUTE_MS
  const span = minutes[at] ?? readSpan(world, of, fromMs, toMs)
  minutes[at] = span
  return span
}

/** The hour before that of an instant. */
export function ownHourBefore(world: World, of: InstrumentRow, atMs: TapeMs): OwnSpan {
  const hourMs = hourOf(atMs)
  return keptBefore(world).get(keyOf(of, hourMs), () =>
    readSpan(world, of, later(hourMs, -HOUR_MS), hourMs),
  )
}

const keptHours = perWorld(() => new Cache<number, OwnSpan[]>(HOURS_KEPT))
const keptBefore = perWorld(() => new Cache<number, OwnSpan>(10 * HOURS_KEPT))

const keyOf = ({ id }: InstrumentRow, hourMs: number) => id * 2 ** 32 + hourMs / HOUR_MS

function readSpan(world: World, { id }: InstrumentRow, fromMs: TapeMs, toMs: TapeMs): OwnSpan {
  const hours = tradeHoursOf(world)
  const tally = hours.tally(id, fromMs, toMs)
  const { open, low, high, close } = tally
  const before = hours.pxBefore(id, fromMs)
  const cents = 10 ** (CENTS_DECIMALS - MONEY_DECIMALS)
  return {
    before: before === null ? null : raw(before),
    prices: tally.isEmpty
      ? null
      : { open: raw(open), low: raw(low), high: raw(high), close: raw(close) },
    size: raw(tally.size),
    boughtSize: raw(tally.buySize),
    cents: Number(tally.amount) * cents,
    boughtCents: Number(tally.buyAmount) * cents,
  }
}
