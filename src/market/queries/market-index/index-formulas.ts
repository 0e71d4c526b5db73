/** How each index is computed from the prices of coins. */

import { DAY_MS } from '../../../clock/durations.ts'
import { later, type TapeMs } from '../../../clock/instant.ts'
import { type Px, raw } from '../../../decimal/quantity.ts'
import { pow10 } from '../../../decimal/scaled.ts'
import { interestFactor } from '../../exchanges/exchange-interest.ts'
import { exchangesListing, motionsOf } from '../../exchanges/exchanges.ts'
import { coinsOf } from '../../rows/coins.ts'
import { fullMinute, minutePricesOf } from '../../rows/minute-prices.ts'
import { tradeHoursOf } from '../../rows/trade-hours.ts'
import { perWorld } from '../../world/per-world.ts'
import type { World } from '../../world/world.ts'
import { greedIndex } from './greed-index.ts'
import type { IndexFormula, IndexMember } from './index-formula.ts'
import { volatilityIndex } from './volatility-index.ts'

// Indexes that are weighted sums of prices.

/** Where baskets begin, in hundredths. */
const BASE = 1000_00n
/** Decimals to which prices are brought. */
const PLACES = 12
/** Fine enough for parts of a unit of a coin. */
const PRECISION = 10n ** 24n

/** 1000 at the first prices; each coin weighs as much as its market cap then, or as the others. */
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

/** The market cap of some coins in percent of that of others. */
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

/** Brings prices of different decimals to one scale. */
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

/** a / b to the nearest, both above zero. */
const roundedQuotient = (a: bigint, b: bigint) => Number((2n * a + b) / (2n * b))

/** Indexes that the world has the coins for, by key. */
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
    // One minute of that day: no hour of minutes is wanted.
    const firstPx = tradeHoursOf(world).pxBefore(instrument.id, later(baseMs, 1))
    return firstPx === null ? [] : { asset, instrument, firstPx }
  })
}

const largestMembers = (members: readonly IndexMember[]): IndexMember[] =>
  members.toSorted((a, b) => firstCap(b) - firstCap(a))

/** The market value at the first price of the tape. */
const firstCap = ({ asset, instrument, firstPx }: IndexMember) =>
  (raw(instrument.firstPx ?? firstPx) * asset.supply) / pow10(instrument.pxDecimals)

const isBitcoin = ({ asset }: IndexMember) => asset.show.toUpperCase() === 'BTC'

/** The spot price on each exchange, weighted by its share of the market. */
function liquidIndex(world: World, btc: IndexMember | undefined): IndexFormula | null {
  if (!btc) return null
  const { instrument } = btc
  const basis = (minuteMs: TapeMs) => {
    let [sum, weights] = [0, 0]
    for (const exchange of exchangesListing(instrument)) {
      const weight = interestFactor(world, exchange, instrument, minuteMs)
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
