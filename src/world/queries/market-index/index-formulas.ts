/** How each index is computed from the prices of coins. */

import { DAY_MS } from '../../../clock/durations.ts'
import { later, type TapeMs } from '../../../clock/instant.ts'
import { type Px, raw } from '../../../decimal/quantity.ts'
import { pow10 } from '../../../decimal/scaled.ts'
import { interestFactor } from '../../exchanges/exchange-interest.ts'
import { exchangesListing, motionsOf } from '../../exchanges/exchanges.ts'
import { perWorld } from '../../per-world.ts'
import { coinsOf } from '../../rows/coins.ts'
import { fullMinute, minutePricesOf } from '../../rows/minute-prices.ts'
import { tradeHoursOf } from '../../rows/trade-hours.ts'
import type { World } from '../../world.ts'
import { basketFormula, quotientFormula } from './basket-indexes.ts'
import { greedIndex } from './greed-index.ts'
import type { IndexFormula, IndexMember } from './index-formula.ts'
import { volatilityIndex } from './volatility-index.ts'

/** Indexes that the world has the coins for, by key. */
export const indexFormulasOf = perWorld((world) => {
  const listed = indexMembers(world)
  const btc = listed.filter(isBitcoin)
  const others = standingForUnlisted(
    btc,
    listed.filter((one) => !isBitcoin(one)),
  )
  const members = listed.map((one) => others.find(({ asset }) => asset === one.asset) ?? one)
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
    return firstPx === null ? [] : { asset, instrument, firstPx, capPermille: PERMILLE }
  })
}

const largestMembers = (members: readonly IndexMember[]): IndexMember[] =>
  members.toSorted((a, b) => firstCap(b) - firstCap(a))

/** The market value at the first price of the tape. */
const firstCap = ({ asset, instrument, firstPx }: IndexMember) =>
  (raw(instrument.firstPx ?? firstPx) * asset.supply) / pow10(instrument.pxDecimals)

const isBitcoin = ({ asset }: IndexMember) => asset.show.toUpperCase() === 'BTC'
const PERMILLE = 1000
/** Bitcoin's part of the market when the tape begins, at most. */
const DOMINANCE = 0.57

/** Coins beside bitcoin, which count for the thousands that the venue does not list as well. */
function standingForUnlisted(btc: readonly IndexMember[], others: readonly IndexMember[]) {
  const cap = (members: readonly IndexMember[]) =>
    members.reduce((sum, one) => sum + firstCap(one), 0)
  const wanted = (cap(btc) * (1 / DOMINANCE - 1)) / cap(others)
  const capPermille = Math.max(PERMILLE, Math.round(wanted * PERMILLE))
  return others.map((one): IndexMember => ({ ...one, capPermille }))
}

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
