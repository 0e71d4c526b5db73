/** Formulas of indexes over coin prices. */

import { DAY_MS, HOUR_MS, later, type TapeMs } from '../../../clock/instant.ts'
import type { Slices } from '../../../clock/turns.ts'
import { type Px, pow10, ratio, raw } from '../../../decimal/quantity.ts'
import { openInterestFactor } from '../../exchanges/exchange-open-interest.ts'
import { exchangesListing, motionsOf } from '../../exchanges/exchanges.ts'
import type { Asset } from '../../rows/assets.ts'
import { coinsOf } from '../../rows/coins.ts'
import { fullMinute, minutePricesOf } from '../../rows/mark-prices.ts'
import { tradeHoursOf } from '../../rows/trade-hours.ts'
import type { InstrumentRow } from '../../schema/schema.ts'
import { perWorld } from '../../world/cache.ts'
import type { World } from '../../world/world.ts'
import { greedIndex } from './greed-index.ts'

/** Volatility of bitcoin. */
const HOURS_A_YEAR = 365 * 24

/** Annualised standard deviation of the last 24 hourly returns around zero, percent. */
function volatilityIndex(world: World, btc: IndexMember | undefined): IndexFormula | null {
  if (!btc) return null
  return {
    isMoney: false,
    isDaily: false,
    decimals: 2,
    members: [btc.instrument],
    value: (minuteMs) => {
      const percent = volatilityAt(world, btc, minuteMs)
      return percent === null ? null : Math.round(percent * 100)
    },
  }
}

function volatilityAt(world: World, of: IndexMember, minuteMs: TapeMs): number | null {
  let squares = 0
  for (let hour = 0; hour < 24; hour++) {
    const change = returnOf(world, of, later(minuteMs, -hour * HOUR_MS), HOUR_MS)
    if (change === null) return null
    squares += change * change
  }
  return 100 * Math.sqrt((squares / 24) * HOURS_A_YEAR)
}

/** Change of a price over a span that ends at a minute; null without an earlier price. */
function returnOf(world: World, { instrument }: IndexMember, minuteMs: TapeMs, spanMs: number) {
  const prices = minutePricesOf(world)
  const before = prices.at(instrument.id, later(minuteMs, -spanMs))
  const now = prices.at(instrument.id, minuteMs)
  return before === null || now === null ? null : ratio(now, before) - 1
}

/** Formula of an index. */
export interface IndexFormula {
  /** Whether it is an amount of money, which depends on the currency. */
  isMoney: boolean
  /** Whether it changes at shown midnights only (UTC), not at each full minute. */
  isDaily: boolean
  /** Minimum number of shown decimals. */
  decimals: number
  members: readonly InstrumentRow[]
  /** The value at a full minute of tape time, in hundredths; null while there is none. */
  value: (minuteMs: TapeMs) => number | null
  /** Loads the inputs of a value at a minute, where they are large. */
  read?: (minuteMs: TapeMs) => Slices<void>
}

/** An asset and the market of its price. */
export interface IndexMember {
  asset: Asset
  instrument: InstrumentRow
  /** Price at the base date of baskets. */
  firstPx: Px
}

// Indexes that are weighted sums of prices.

/** Base value of baskets, in hundredths. */
const BASE = 1000_00n
/** Common decimals of prices. */
const PLACES = 12
/** Fine enough for parts of a unit of a coin. */
const PRECISION = 10n ** 24n

/** 1000 at the first prices; coins are weighted by their market cap then, or equally. */
function basketFormula(
  world: World,
  members: readonly IndexMember[],
  by: 'cap' | 'equal',
): IndexFormula | null {
  if (members.length === 0) return null
  const parts = members.map((member) => {
    const { instrument, firstPx } = member
    const first = wide(firstPx) * priceUnit(member)
    const weight = by === 'cap' ? capWeight(member) : PRECISION / first
    return { id: instrument.id, weight: weight * priceUnit(member) }
  })
  const base = members.reduce(
    (sum, { firstPx }, at) => sum + wide(firstPx) * (parts[at]?.weight ?? 0n),
    0n,
  )
  return {
    isMoney: true,
    isDaily: false,
    decimals: 2,
    members: members.map(({ instrument }) => instrument),
    value: (minuteMs) => {
      const now = weightedSum(world, parts, minuteMs)
      return now === null ? null : roundedQuotient(now * BASE, base)
    },
  }
}

/** Market cap of some coins in percent of others'. */
function quotientFormula(
  world: World,
  some: readonly IndexMember[],
  all: readonly IndexMember[],
): IndexFormula | null {
  if (some.length === 0) return null
  const caps = (members: readonly IndexMember[]) =>
    members.map((member) => ({
      id: member.instrument.id,
      weight: capWeight(member) * priceUnit(member),
    }))
  const [above, below] = [caps(some), caps(all)]
  return {
    isMoney: false,
    isDaily: false,
    decimals: 2,
    members: all.map(({ instrument }) => instrument),
    value: (minuteMs) => {
      const [part, whole] = [
        weightedSum(world, above, minuteMs),
        weightedSum(world, below, minuteMs),
      ]
      return part === null || whole === null ? null : roundedQuotient(part * 100_00n, whole)
    },
  }
}

const capWeight = ({ asset }: IndexMember) => BigInt(asset.supply)

/** Scale factor of prices with different decimals. */
const priceUnit = ({ instrument }: IndexMember) => 10n ** BigInt(PLACES - instrument.pxDecimals)

const wide = (px: Px) => BigInt(raw(px))

interface BasketWeight {
  id: number
  weight: bigint
}

function weightedSum(
  world: World,
  parts: readonly BasketWeight[],
  minuteMs: TapeMs,
): bigint | null {
  const prices = minutePricesOf(world)
  let total = 0n
  for (const { id, weight } of parts) {
    const px = prices.at(id, minuteMs)
    if (px === null) return null
    total += wide(px) * weight
  }
  return total
}

/** a / b rounded to the nearest, both above zero. */
const roundedQuotient = (a: bigint, b: bigint) => Number((2n * a + b) / (2n * b))

/** Indexes whose coins exist in the world, by key. */
export const indexFormulasOf = perWorld((world) => {
  const members = indexMembers(world)
  const btc = members.filter(isBitcoin)
  const others = members.filter((one) => !isBitcoin(one))
  const memes = members.filter(({ asset }) => MEMES.includes(asset.key))
  const formulas: Record<string, IndexFormula | null> = {
    'i:fgi:alternative': greedIndex(world, members, btc[0]),
    'i:total:index': basketFormula(world, members, 'cap'),
    'i:top5:index': basketFormula(world, largestMembers(members).slice(0, 5), 'equal'),
    'i:altcoin:index': basketFormula(world, others, 'cap'),
    'i:meme:index': basketFormula(world, memes, 'equal'),
    'i:btcdominance:index': others.length > 0 ? quotientFormula(world, btc, members) : null,
    'i:btcvol:index': volatilityIndex(world, btc[0]),
    'i:blx:bnc': liquidIndex(world, btc[0]),
  }
  return new Map(
    Object.entries(formulas).filter((entry): entry is [string, IndexFormula] => entry[1] !== null),
  )
})

const MEMES = ['dogecoin', 'pepe', 'purr']

/** Coins that had a price a day after the history began, in listing order. */
function indexMembers(world: World): IndexMember[] {
  const baseMs = fullMinute(later(world.meta.historyStartMs, DAY_MS))
  return [...coinsOf(world).values()].flatMap(({ asset, instrument }) => {
    // One minute of that day: an hour of minutes is not needed.
    const firstPx = tradeHoursOf(world).pxBefore(instrument.id, later(baseMs, 1))
    return firstPx === null ? [] : { asset, instrument, firstPx }
  })
}

const largestMembers = (members: readonly IndexMember[]): IndexMember[] =>
  members.toSorted((a, b) => firstCap(b) - firstCap(a))

/** Market value at the tape's first price. */
const firstCap = ({ asset, instrument, firstPx }: IndexMember) =>
  (raw(instrument.firstPx ?? firstPx) * asset.supply) / pow10(instrument.pxDecimals)

const isBitcoin = ({ asset }: IndexMember) => asset.show.toUpperCase() === 'BTC'

/** Spot prices of all exchanges, weighted by market share. */
function liquidIndex(world: World, btc: IndexMember | undefined): IndexFormula | null {
  if (!btc) return null
  const { instrument } = btc
  const basis = (minuteMs: TapeMs) => {
    let [sum, weights] = [0, 0]
    for (const exchange of exchangesListing(world, instrument)) {
      const weight = openInterestFactor(world, exchange, instrument, minuteMs)
      const above = exchange && motionsOf(world)(exchange, instrument, 'spot').basisAt(minuteMs)
      sum += weight * (above ?? 0)
      weights += weight
    }
    return sum / weights
  }
  const hundredths = (px: Px, minuteMs: TapeMs) =>
    Math.round((raw(px) * (1 + basis(minuteMs)) * 100) / pow10(instrument.pxDecimals))
  return {
    isMoney: true,
    isDaily: false,
    decimals: 2,
    members: [instrument],
    value: (minuteMs) => {
      const px = minutePricesOf(world).at(instrument.id, minuteMs)
      return px === null ? null : hundredths(px, minuteMs)
    },
  }
}
