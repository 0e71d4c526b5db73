/** Volumes of shares. */
import type { TapeMs } from '../../../clock/instant.ts'
import { randomSource } from '../../../random/random-source.ts'
import { Cache } from '../../cache.ts'
import { perWorld } from '../../per-world.ts'
import { MINUTE_MS } from '../../rows/minute-prices.ts'
import type { StockListing } from './stock-listings.ts'

const HOUR_MS = 60 * MINUTE_MS

/** Shares traded between two full minutes; of an hour, each minute has an equal part. */
export const sharesTradedOf = perWorld(({ meta: { seed } }) => {
  const hours = new Cache<string, number>(CACHE_LIMIT)
  const ofHour = ({ symbol, shares, turnover }: StockListing, hour: number): number => {
    const key = `stock volume ${symbol}, hour ${hour}`
    const usual = (shares * turnover) / 10_000 / 24
    return hours.get(key, () => Math.round(usual * (0.4 + 1.2 * randomSource(seed, key).unit())))
  }
  return (listing: StockListing, fromMs: TapeMs, toMs: TapeMs): number => {
    let sum = 0
    for (let startMs = Math.floor(fromMs / HOUR_MS) * HOUR_MS; startMs < toMs; startMs += HOUR_MS) {
      const traded = ofHour(listing, startMs / HOUR_MS)
      const upTo = (timeMs: TapeMs) =>
        Math.floor((traded * Math.min(Math.max(timeMs - startMs, 0), HOUR_MS)) / HOUR_MS)
      sum += upTo(toMs) - upTo(fromMs)
    }
    return sum
  }
})

/** Hours kept in memory. */
const CACHE_LIMIT = 20_000
