/** How many shares change hands. */
import type { TapeMs } from '../../../clock/instant.ts'
import { dice } from '../../../random/dice.ts'
import { MINUTE_MS } from '../indexes/minutes.ts'
import { perWorld } from '../per-world.ts'
import type { Listing } from './listings.ts'

const HOUR_MS = 60 * MINUTE_MS

/** Shares traded between two full minutes; of an hour, each minute has an equal part. */
export const sharesTraded = perWorld(({ meta: { seed } }) => {
  const hours = new Map<string, number>()
  const ofHour = ({ symbol, shares, turnover }: Listing, hour: number): number => {
    const key = `stock volume ${symbol}, hour ${hour}`
    const known = hours.get(key)
    if (known !== undefined) return known
    if (hours.size >= KEPT) hours.clear()
    const usual = (shares * turnover) / 10_000 / 24
    const traded = Math.round(usual * (0.4 + 1.2 * dice(seed, key).unit()))
    hours.set(key, traded)
    return traded
  }
  return (listing: Listing, fromMs: TapeMs, toMs: TapeMs): number => {
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
const KEPT = 20_000
