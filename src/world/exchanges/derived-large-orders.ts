/** Large taker orders on other exchanges: so many as their volume of the minute before implies. */
import { MINUTE_MS } from '../../clock/durations.ts'
import { later, type TapeMs } from '../../clock/instant.ts'
import { type Px, raw, sz, usd } from '../../decimal/quantity.ts'
import { pow10 } from '../../decimal/scaled.ts'
import { countAt, hashAt, unitAt } from '../../market/hashed-noise.ts'
import type { LargeOrder } from '../rows/trade-spans.ts'
import type { World } from '../world.ts'
import { motionsOf, saltsOf } from './exchanges.ts'
import { ownSpan } from './own-minutes.ts'
import type { DerivedPair } from './pair-minutes.ts'
import { pairPxBefore } from './pair-tallies.ts'

/** What of the volume comes in large orders, and the tail of their sizes. */
const PART = 0.15
const TAIL_EXPONENT = 1.6
const SIZE_MAX = 60
const MEAN_SIZE = TAIL_EXPONENT / (TAIL_EXPONENT - 1)

/** Those from a full hour to `endMs` that took `leastUsd` dollars or more, oldest first. */
export function derivedLargeOrders(
  world: World,
  pair: DerivedPair,
  { hourMs, endMs, leastUsd }: { hourMs: TapeMs; endMs: TapeMs; leastUsd: number },
): LargeOrder[] {
  const { instrument, exchange, market } = pair
  const motion = motionsOf(world)(exchange, instrument, market)
  const salt = saltsOf(world)(`orders of ${instrument.coin} on ${exchange.key}/${market}`)
  const found: LargeOrder[] = []
  for (let minuteMs = hourMs; minuteMs < endMs; minuteMs = later(minuteMs, MINUTE_MS)) {
    const beforeMs = later(minuteMs, -MINUTE_MS)
    const { cents } = ownSpan(world, instrument, beforeMs, minuteMs)
    const volumeUsd = (motion.volumeFactor(beforeMs) * cents) / 100
    const place = minuteMs / MINUTE_MS
    const count = countAt(salt, place, (PART * volumeUsd) / (leastUsd * MEAN_SIZE))
    const within = Array.from({ length: count }, (_, nth) =>
      drawnOrder(world, pair, hashAt(salt ^ nth, place), minuteMs, {
        leastUsd,
        buyPart: motion.buyPart(minuteMs),
      }),
    )
    found.push(...within.flatMap((one) => one ?? []).sort((a, b) => a.timeMs - b.timeMs))
  }
  return found
}

function drawnOrder(
  world: World,
  pair: DerivedPair,
  salt: number,
  minuteMs: TapeMs,
  { leastUsd, buyPart }: { leastUsd: number; buyPart: number },
): LargeOrder | null {
  const timeMs = later(minuteMs, Math.floor(unitAt(salt, 1) * MINUTE_MS))
  const px = pairPxBefore(world, pair, timeMs)
  if (px === null) return null
  const worth = leastUsd * Math.min(SIZE_MAX, unitAt(salt, 2) ** (-1 / TAIL_EXPONENT))
  const unit = unitUsd(pair, px)
  const units = Math.ceil(worth / unit)
  return {
    timeMs,
    side: unitAt(salt, 3) < buyPart ? 'B' : 'A',
    taker: salt,
    sz: sz(units),
    notional: usd(Math.round(units * unit * 1e6)),
  }
}

/** What a size unit is worth, dollars. */
const unitUsd = ({ instrument }: DerivedPair, px: Px) =>
  raw(px) / pow10(instrument.pxDecimals) / pow10(instrument.szDecimals)
