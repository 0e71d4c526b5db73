/**
 * The coin list and its tickers, over all exchanges (the service's documentation, Coin and Coin
 * ticker).
 */

import { DAY_MS, later, type TapeMs } from '../../../clock/instant.ts'
import type { Slices } from '../../../clock/turns.ts'
import type { CoinFacts, Moment } from '../../../contract/facts.ts'
import type {
  CoinItem,
  CoinProfile,
  CoinTicker,
  OlderCoinTicker,
} from '../../../contract/records/coin.ts'
import { mulDiv, type Px, pow10, raw, subtract, ZERO } from '../../../decimal/quantity.ts'
import {
  currentCoinMarginRate,
  currentWeightedRate,
} from '../../exchanges/exchange-open-interest.ts'
import { coinTotals } from '../../exchanges/pair-tallies.ts'
import { bigintText, CNY_TENTHS, roundOff } from '../../formatting/decimal-text.ts'
import { assetOf } from '../../rows/assets.ts'
import { coinsOf, type ListedCoin } from '../../rows/coins.ts'
import { tradeHoursOf } from '../../rows/trade-hours.ts'
import type { InstrumentRow } from '../../schema/schema.ts'
import { perListing } from '../../world/cache.ts'
import type { World } from '../../world/world.ts'
import { profileOf } from './coin-profiles.ts'

export class CoinQueries implements CoinFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  list(): CoinItem[] {
    return [...coinsOf(this.world).values()].map(({ asset }) => ({
      coin_key: asset.key,
      hash_key: asset.hashKey,
      show: asset.show,
      cn_name: asset.cnName,
      en_name: asset.enName,
    }))
  }

  *tickers(coinKeys: string[]): Slices<CoinTicker[]> {
    const coins = coinsOf(this.world)
    const tickers: CoinTicker[] = []
    for (const key of coinKeys) {
      const coin = coins.get(key.trim())
      const ticker = coin && (yield* this.ticker(coin))
      if (ticker) tickers.push(ticker)
    }
    return tickers
  }

  *olderTickers(coinKeys: string[]): Slices<OlderCoinTicker[]> {
    const tickers = yield* this.tickers(coinKeys)
    const older: OlderCoinTicker[] = []
    for (const ticker of tickers) {
      yield
      older.push(olderTicker(this.world, this.moment, ticker))
    }
    return older
  }

  profiles(coinKeys: string[]): CoinProfile[] {
    const coins = coinsOf(this.world)
    return coinKeys.flatMap((key) => {
      const coin = coins.get(key.trim())
      return coin ? profileOf(coin.asset) : []
    })
  }

  private *ticker({ asset, instrument }: ListedCoin): Slices<CoinTicker | null> {
    const px = this.priceAt(instrument, this.moment.atMs)
    if (px === null) return null
    const { pxDecimals } = instrument
    const { atMs } = this.moment
    const day = yield* coinTotals(this.world, instrument, later(atMs, 1 - DAY_MS), later(atMs, 1))
    const degree24h = percentChange(px, this.priceBefore(instrument, DAY_MS))
    const degree7day = percentChange(px, this.priceBefore(instrument, 7 * DAY_MS))
    const units = BigInt(raw(px))
    const cap = units * BigInt(asset.supply)
    return {
      coin_key: asset.key,
      price_cny: bigintText(units * CNY_TENTHS, pxDecimals + 1),
      price_usd: bigintText(units, pxDecimals),
      // The rate is fixed, so a change in yuan is the change in dollars.
      degree_24h_cny: degree24h,
      degree_24h_usd: degree24h,
      degree_7day_cny: degree7day,
      degree_7day_usd: degree7day,
      ...inBothCurrencies('supply', cap, pxDecimals),
      ...inBothCurrencies('trade_24h', day.cents, 2),
      ...inBothCurrencies('fundNetIn_24h', day.inflowCents, 2),
      vol_24h: bigintText(day.size, day.sizeDecimals),
    }
  }

  /** The price so long ago; of a younger coin its first one, as its asset context has it. */
  private priceBefore(instrument: InstrumentRow, spanMs: number): Px | null {
    const { atMs } = this.moment
    const before = this.priceAt(instrument, later(atMs, -spanMs))
    if (before !== null) return before
    const since = tradeHoursOf(this.world).tally(
      instrument.id,
      later(atMs, 1 - spanMs),
      later(atMs, 1),
    )
    return since.n > 0 ? since.open : null
  }

  /** The last trade's price up to an instant. */
  private priceAt(instrument: InstrumentRow, atMs: TapeMs): Px | null {
    return tradeHoursOf(this.world).pxBefore(instrument.id, later(atMs, 1))
  }
}

/** Change in percent with two decimals; "0.00" when there was no price before. */
function percentChange(now: Px, before: Px | null): string {
  if (before === null || before === ZERO) return '0.00'
  return bigintText(BigInt(mulDiv(raw(subtract(now, before)), pow10(4), raw(before))), 2, 2)
}

/** An amount in both currencies, to the cent. `value` is in units of 10^-decimals dollars. */
function inBothCurrencies<Name extends 'supply' | 'trade_24h' | 'fundNetIn_24h'>(
  name: Name,
  value: bigint,
  decimals: number,
) {
  const cents = (of: bigint, scale: number) =>
    scale <= 2 ? bigintText(of, scale, 2) : bigintText(roundOff(of, scale - 2), 2, 2)
  return {
    [`${name}_cny`]: cents(value * CNY_TENTHS, decimals + 1),
    [`${name}_usd`]: cents(value, decimals),
  } as Record<`${Name}_cny` | `${Name}_usd`, string>
}

/** A coin's ticker in its older form: funding rates in place of 7-day changes and net inflow. */
function olderTicker(world: World, moment: Moment, ticker: CoinTicker): OlderCoinTicker {
  const {
    degree_7day_cny: _week,
    degree_7day_usd: _weekUsd,
    fundNetIn_24h_cny: _inflow,
    fundNetIn_24h_usd: _inflowUsd,
    ...shared
  } = ticker
  const perp = perpsByKey(world).get(ticker.coin_key)
  const rate = (of: typeof currentWeightedRate) => (perp && of(world, perp, moment.atMs)) ?? '0'
  return {
    ...shared,
    usdt_funding_rate: rate(currentWeightedRate),
    usd_funding_rate: rate(currentCoinMarginRate),
  }
}

/** A coin's perpetual by coin key, that of the main dex first. */
const perpsByKey = perListing(({ listed }) => {
  const perps = listed.filter(({ kind }) => kind === 'perp')
  const [main, others] = [perps.filter(({ dex }) => dex === ''), perps.filter(({ dex }) => dex)]
  const ranked = [...others.toReversed(), ...main.toReversed()]
  return new Map(ranked.map((one) => [assetOf(one.base).key, one]))
})
