import type { Facts } from '../../../src/contract/facts.ts'

const SLICES = 500

/** Seconds between consecutive slices of each TWAP, in the accounts' lists of fills. */
export function sliceGapsOf(facts: Facts, addresses: readonly string[]): number[] {
  return addresses.flatMap((address) => {
    const slices = facts.users.twapSlices(address, SLICES)
    const byTwap = Map.groupBy(slices, ({ twapId }) => twapId)
    return [...byTwap.values()].flatMap((fills) => {
      const times = [...new Set(fills.map(({ fill }) => fill.time))].sort((a, b) => a - b)
      return times.slice(1).map((time, at) => (time - (times[at] as number)) / 1000)
    })
  })
}
