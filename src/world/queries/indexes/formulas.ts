/** How each index is reckoned out of the prices of coins. */
import { later, type TapeMs } from '../../../clock/instant.ts'
import { type Px, raw } from '../../../decimal/quantity.ts'
import { divide, power, share } from '../../../decimal/scaled.ts'
import type { InstrumentRow } from '../../schema.ts'
import type { World } from '../../world.ts'
import type { Asset } from '../assets.ts'
import { coinsOf } from '../coins.ts'
import { sharesOf, venuesOf } from '../derivatives/shares.ts'
import { WHOLE_PRICE } from '../indicators/venue.ts'
import { perWorld } from '../per-world.ts'
import { basket, quotient } from './baskets.ts'
import { minuteOf, minutePricesOf } from './minutes.ts'
import { greed, volatility } from './moods.ts'

export interface Formula {
  /** Whether it is an amount of money, and so another one in other currencies. */
  isMoney: boolean
  /** Decimals that are shown at least. */
  decimals: number
  members: readonly InstrumentRow[]
  /** The value at a full minute of tape time, in hundredths; null while there is none. */
  value: (minuteMs: TapeMs) => number | null
}

/** An asset and the market that its price is taken from. */
export interface Member {
  asset: Asset
  instrument: InstrumentRow
  /** Price when baskets begin. */
  firstPx: Px
}

/** Indexes that the world has the coins for, by key. */
export const formulasOf = perWorld((world) => {
  const members = membersOf(world)
  const btc = members.filter(({ asset }) => asset.show.toUpperCase() === 'BTC')
  const others = members.filter((one) => !btc.includes(one))
  const memes = members.filter(({ asset }) => MEMES.includes(asset.key))
  const formulas: Record<string, Formula | null> = {
    'i:fgi:alternative': greed(world, members, btc[0]),
    'i:total:index': basket(world, members, 'cap'),
    'i:top5:index': basket(world, largest(members).slice(0, 5), 'equal'),
    'i:altcoin:index': basket(world, others, 'cap'),
    'i:meme:index': basket(world, memes, 'equal'),
    'i:btcdominance:index': quotient(world, btc, members),
    'i:btcvol:index': volatility(world, btc[0]),
    'i:blx:bnc': liquid(world, btc[0]),
  }
  return new Map(
    Object.entries(formulas).filter((entry): entry is [string, Formula] => entry[1] !== null),
  )
})

const MEMES = ['dogecoin', 'pepe', 'purr']

const DAY_MS = 86_400_000

/** Crypto coins that had a price a day after the story began, in listing order. */
function membersOf(world: World): Member[] {
  const baseMs = minuteOf(later(world.meta.storyStartMs, DAY_MS))
  return [...coinsOf(world).values()].flatMap(({ asset, instrument }) => {
    // Builder dexes list shares and metals as well.
    const firstPx = instrument.dex === '' ? minutePricesOf(world).at(instrument.id, baseMs) : null
    return firstPx === null ? [] : { asset, instrument, firstPx }
  })
}

function largest(members: readonly Member[]): Member[] {
  const cap = ({ asset, instrument, firstPx }: Member) =>
    (raw(firstPx) * asset.supply) / power(instrument.pxDecimals)
  return members.toSorted((a, b) => cap(b) - cap(a))
}

/** The spot price on each exchange, weighted by its share of the market. */
function liquid(world: World, btc: Member | undefined): Formula | null {
  if (!btc) return null
  const { instrument } = btc
  const weights = venuesOf(instrument).map((exchange) => ({
    weight: sharesOf(world).stable(exchange, instrument),
    basis: exchange?.basis.spot ?? 0,
  }))
  const whole = weights.reduce((sum, { weight }) => sum + weight, 0)
  const rate = weights.reduce((sum, { weight, basis }) => sum + weight * (WHOLE_PRICE + basis), 0)
  const hundredths = (px: Px) => {
    const value = share(raw(px), rate, whole * WHOLE_PRICE)
    const { pxDecimals } = instrument
    return pxDecimals <= 2 ? value * power(2 - pxDecimals) : divide(value, power(pxDecimals - 2))
  }
  return {
    isMoney: true,
    decimals: 2,
    members: [instrument],
    value: (minuteMs) => {
      const px = minutePricesOf(world).at(instrument.id, minuteMs)
      return px === null ? null : hundredths(px)
    },
  }
}
