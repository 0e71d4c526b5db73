import type { Facts } from '../../../src/contract/facts.ts'
import type { Reading } from '../observations.ts'

const LIMIT = 500

/** Hourly rates charged since an instant. */
export function fundingOf(facts: Facts, coin: string, fromMs: number): Reading[] {
  const readings: Reading[] = []
  for (let startTimeMs = fromMs; ; ) {
    const page = facts.assetContexts.fundingHistory(coin, { startTimeMs }, LIMIT) ?? []
    for (const { time, fundingRate } of page)
      readings.push({ timeMs: time, value: Number(fundingRate) })
    if (page.length < LIMIT) return readings
    startTimeMs = (readings.at(-1)?.timeMs ?? 0) + 1
  }
}
