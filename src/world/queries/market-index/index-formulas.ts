/** How each index is computed from the prices of coins. */
import { later } from '../../../clock/instant.ts'
import { type Px, raw } from '../../../decimal/quantity.ts'
import { divide, mulDiv, pow10 } from '../../../decimal/scaled.ts'
import { exchangeSharesOf, exchangesListing } from '../../exchanges/exchange-shares.ts'
import { PRICE_SCALE } from '../../exchanges/pair-scaling.ts'
import { perWorld } from '../../per-world.ts'
import { coinsOf } from '../../rows/coins.ts'
import { fullMinute, minutePricesOf } from '../../rows/minute-prices.ts'
import type { World } from '../../world.ts'
import { basketFormula, quotientFormula } from './basket-indexes.ts'
import { greedIndex } from './greed-index.ts'
import type { IndexFormula, IndexMember } from './index-formula.ts'
import { volatilityIndex } from './volatility-index.ts'

/** Indexes that the world has the coins for, by key. */
export const indexFormulasOf = perWorld((world) => {
  const members = indexMembers(world)
  const btc = members.filter(({ asset }) => asset.show.toUpperCase() === 'BTC')
  const others = members.filter((one) => !btc.includes(one))
  const memes = members.filter(({ asset }) => MEMES.includes(asset.key))
  const formulas: Record<string, IndexFormula | null> = {
    'i:fgi:alternative': greedIndex(world, members, btc[0]),
    'i:total:index': basketFormula(world, members, 'cap'),
    'i:top5:index': basketFormula(world, largestMembers(members).slice(0, 5), 'equal'),
    'i:altcoin:index': basketFormula(world, others, 'cap'),
    'i:meme:index': basketFormula(world, memes, 'equal'),
    'i:btcdominance:index': quotientFormula(world, btc, members),
    'i:btcvol:index': volatilityIndex(world, btc[0]),
    'i:blx:bnc': liquidIndex(world, btc[0]),
  }
  return new Map(
    Object.entries(formulas).filter((entry): entry is [string, IndexFormula] => entry[1] !== null),
  )
})

const MEMES = ['dogecoin', 'pepe', 'purr']

const DAY_MS = 86_400_000

/** Crypto coins that had a price a day after the history began, in listing order. */
function indexMembers(world: World): IndexMember[] {
  const baseMs = fullMinute(later(world.meta.historyStartMs, DAY_MS))
  return [...coinsOf(world).values()].flatMap(({ asset, instrument }) => {
    // Builder dexes list shares and metals as well.
    const firstPx = instrument.dex === '' ? minutePricesOf(world).at(instrument.id, baseMs) : null
    return firstPx === null ? [] : { asset, instrument, firstPx }
  })
}

function largestMembers(members: readonly IndexMember[]): IndexMember[] {
  const cap = ({ asset, instrument, firstPx }: IndexMember) =>
    (raw(firstPx) * asset.supply) / pow10(instrument.pxDecimals)
  return members.toSorted((a, b) => cap(b) - cap(a))
}

/** The spot price on each exchange, weighted by its share of the market. */
function liquidIndex(world: World, btc: IndexMember | undefined): IndexFormula | null {
  if (!btc) return null
  const { instrument } = btc
  const weights = exchangesListing(instrument).map((exchange) => ({
    weight: exchangeSharesOf(world).stablecoinShare(exchange, instrument),
    basis: exchange?.basis.spot ?? 0,
  }))
  const whole = weights.reduce((sum, { weight }) => sum + weight, 0)
  const rate = weights.reduce((sum, { weight, basis }) => sum + weight * (PRICE_SCALE + basis), 0)
  const hundredths = (px: Px) => {
    const value = mulDiv(raw(px), rate, whole * PRICE_SCALE)
    const { pxDecimals } = instrument
    return pxDecimals <= 2 ? value * pow10(2 - pxDecimals) : divide(value, pow10(pxDecimals - 2))
  }
  return {
    isMoney: true,
    isDaily: false,
    decimals: 2,
    members: [instrument],
    value: (minuteMs) => {
      const px = minutePricesOf(world).at(instrument.id, minuteMs)
      return px === null ? null : hundredths(px)
    },
  }
}
