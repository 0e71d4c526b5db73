import type { Moment } from '../../../contract/facts.ts'
import type { CoinTicker, OlderCoinTicker } from '../../../contract/records/coin.ts'
import {
  currentCoinMarginRate,
  currentWeightedRate,
} from '../../exchanges/exchange-funding-rates.ts'
import { perListing } from '../../per-world.ts'
import { assetOf } from '../../rows/assets.ts'
import type { World } from '../../world.ts'

/** A coin's ticker in its older form: funding rates in place of 7-day changes and net inflow. */
export function olderTicker(world: World, moment: Moment, ticker: CoinTicker): OlderCoinTicker {
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
