/**
 * Trusts that hold coins: holdings follow a seeded path that changes each shown day; a share is
 * worth the price of the coins behind it.
 */

import { DAY_MS, later } from '../../../clock/instant.ts'
import type { Moment } from '../../../contract/facts.ts'
import type { FundScale, FundTrust, TrustCoin } from '../../../contract/records/mix.ts'
import { format, greater, lesser, mulDiv, type Px, raw } from '../../../decimal/quantity.ts'
import { randomSource } from '../../../random/random-source.ts'
import { perpOfCoin } from '../../exchanges/exchanges.ts'
import { bigintText } from '../../formatting/decimal-text.ts'
import { tradeHoursOf } from '../../rows/trade-hours.ts'
import { lastPx } from '../../rows/trade-rows.ts'
import type { InstrumentRow } from '../../schema/schema.ts'
import { wholeStep } from '../../shown-time/time-grid.ts'
import { Cache, perWorld } from '../../world/cache.ts'
import type { World } from '../../world/world.ts'
import { leadingPerp } from './long-short-ratio.ts'

/** Initial holdings of a trust, and their fluctuation. */
const INITIAL_HOLDINGS: Record<TrustCoin, number> = {
  btc: 176_000,
  ltc: 1_930_000,
  eth: 2_480_000,
  bch: 324_000,
  xrp: 14_600_000,
  xlm: 118_000_000,
  zec: 394_000,
  zen: 780_000,
  etc: 10_900_000,
}
/** Hundredths of a coin. */
const PLACES = 2
const UNIT = 10 ** PLACES

/** Holdings of the trusts today, and their change since yesterday. */
export function scalesOf(world: World, moment: Moment, coins: readonly TrustCoin[]): FundScale {
  const day = dayNumber(moment)
  const isUsd = moment.answers['fundco-scale-unit'] === 'usd'
  return Object.fromEntries(
    coins.flatMap((coin) => {
      const [now, before] = [trustHolding(world, coin, day), trustHolding(world, coin, day - 1)]
      const text = isUsd
        ? inUsd(world, moment, coin)
        : (units: number) => format(units, PLACES, PLACES)
      if (text === null) return []
      const percent = format(mulDiv(now - before, 10 ** RATE_PLACES, before), RATE_PLACES)
      return [[coin, { total: text(now), day_change: text(now - before), percent }]]
    }),
  )
}

const RATE_PLACES = 6

/** Formats an amount of a coin in dollars; null without a price. */
function inUsd(world: World, { atMs }: Moment, coin: TrustCoin) {
  const of = perpOfCoin(world, coin)
  const px = of && lastPx(world, of, atMs)
  if (!of || px === null) return null
  const scale = of.pxDecimals + PLACES
  return (units: number) => bigintText(BigInt(units) * BigInt(raw(px)), scale)
}

/**
 * Number of the tape day at which the shown day begins: increments at each shown midnight, whatever
 * the shift.
 */
function dayNumber({ atMs, shiftMs }: Moment): number {
  return Math.floor(wholeStep(atMs, shiftMs, DAY_MS) / DAY_MS)
}

const WEEK = 7

/** Hundredths of a coin on a day: interpolated between weekly levels, with daily noise. */
function trustHolding(world: World, coin: TrustCoin, day: number): number {
  const level = weeklyLevels(world)
  const week = Math.floor(day / WEEK)
  const [from, to] = [
    level(`${coin} in week ${week}`, 300),
    level(`${coin} in week ${week + 1}`, 300),
  ]
  const between = from * WEEK + (to - from) * (day - week * WEEK)
  const own = level(`${coin} on day ${day}`, 15)
  return mulDiv(INITIAL_HOLDINGS[coin] * UNIT, 10_000 * WEEK + between + own * WEEK, 10_000 * WEEK)
}

/** Ten-thousandths up or down, by name. */
const weeklyLevels = perWorld(({ meta: { seed } }) => {
  const cached = new Cache<string, number>(CACHE_LIMIT)
  return (name: string, most: number): number =>
    cached.get(name, () => randomSource(seed, `trust of ${name}`).between(-most, most))
})

/** Levels that are cached. */
const CACHE_LIMIT = 10_000

/** Decimals of a share's price. */
const CENTS = 2
/** Share price at the first price of the tape, cents. */
const FIRST_SHARE_CENTS = 7_640
/** The trust's management fee for a day, millionths. */
const DAILY_FEE = 41
const MILLION = 1_000_000

/** A share in the trust of the leading coin; null while that has no price. */
export function trustOf(world: World, moment: Moment): FundTrust | null {
  const of = leadingPerp(world)
  const px = of && lastPx(world, of, moment.atMs)
  if (!of || px === null) return null
  const { atMs, shiftMs } = moment
  const midnightMs = wholeStep(atMs, shiftMs, DAY_MS)
  const hours = tradeHoursOf(world)
  const today = hours.tally(of.id, midnightMs, later(atMs, 1))
  const opened = hours.pxBefore(of.id, midnightMs) ?? today.open
  const before = hours.pxBefore(of.id, later(atMs, 1 - DAY_MS)) ?? px
  const day = dayNumber(moment)
  const worth = (price: Px) => format(shareCents(world, of, price, day), CENTS, CENTS)
  const now = shareCents(world, of, px, day)
  const yesterday = shareCents(world, of, before, day - 1)
  const percent = yesterday === 0 ? 0 : mulDiv(now - yesterday, 10_000, yesterday)
  return {
    ...trustNames(of.base),
    last: worth(px),
    open: worth(opened),
    high: worth(greater(opened, today.high)),
    low: worth(today.n === 0 ? opened : lesser(opened, today.low)),
    degree_24h: format(percent, 2, 2),
  }
}

const trustNames = (base: string) => ({
  key: `i:${base.toLowerCase()}trust:otc`,
  show: `${base} Trust`,
  name: `Fundco ${base} Trust`,
})

/** Cents of a share on a day: the coins behind it, at that day's discount or premium. */
function shareCents(world: World, { firstPx }: InstrumentRow, px: Px, day: number): number {
  const age = day - Math.floor(world.startMs / DAY_MS)
  const premium = weeklyLevels(world)(`price on day ${day}`, 80)
  const part = (MILLION - DAILY_FEE * age) * (10_000 + premium)
  return mulDiv(
    mulDiv(raw(px), FIRST_SHARE_CENTS * 1000, raw(firstPx ?? px)),
    part,
    MILLION * 10_000 * 1000,
  )
}
