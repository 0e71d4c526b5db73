/**
 * Funding, open interest, liquidations and long/short ratios of other exchanges are independent.
 */

import { expect, test } from 'bun:test'
import { runToEnd } from '../../src/clock/turns.ts'
import {
  correlation,
  deviation,
  facts,
  KEYS,
  klinesOf,
  mean,
  OWN,
  records,
  swapOf,
} from '../fixtures/exchange-series.ts'

test('funding is of each exchange, in spells beside hours at the base rate', () => {
  const rates = KEYS.map((key) =>
    (
      runToEnd(
        facts.futures.fundingRates({ symbol: swapOf('btc', key), interval: '1h', limit: 700 }),
      ) ?? []
    ).map(({ close }) => Number(close)),
  )
  for (const [at, one] of rates.entries()) {
    const atBase = one.filter((rate) => rate === 0.0001).length / one.length
    expect(atBase).toBeWithin(0.05, 0.95)
    expect(Math.max(...one.map(Math.abs))).toBeLessThan(0.0076)
    for (const other of rates.slice(0, at)) expect(correlation(one, other)).toBeLessThan(0.95)
  }
})

test("open interest follows the venue's at a slowly drifting factor", () => {
  const own = records(OWN.btc as string, 'position', 3600).map(({ close }) => Number(close))
  for (const key of KEYS) {
    const theirs = records(swapOf('btc', key), 'position', 3600).map(({ close }) => Number(close))
    const factors = theirs.map((one, at) => one / (own[at] as number))
    expect(deviation(factors) / mean(factors)).toBeWithin(0.01, 0.3)
    const steps = factors.slice(1).map((one, at) => Math.abs(one / (factors[at] as number) - 1))
    expect(steps.toSorted((a, b) => a - b)[Math.floor(0.9 * steps.length)]).toBeLessThan(0.05)
  }
})

test('liquidations are of both sides in most hours, of heavy tail, and of each exchange', () => {
  const half = KEYS.map((key) => records(swapOf('btc', key), 'aili', 1800, 300))
  const total = half.map((list) =>
    list.map(({ buySize, sellSize }) => Number(buySize) + Number(sellSize)),
  )
  for (const [at, list] of half.entries()) {
    for (const side of ['buySize', 'sellSize'] as const)
      expect(list.filter((one) => Number(one[side]) > 0).length).toBeGreaterThan(list.length / 3)
    const sums = (total[at] as number[]).toSorted((a, b) => a - b)
    expect((sums.at(-1) as number) / (sums[sums.length / 2] as number)).toBeGreaterThan(4)
    // One cascade is most of a sum, so the logarithms are compared.
    const logs = (of: readonly number[]) => of.map((one) => Math.log(1 + one))
    for (const other of total.slice(0, at))
      expect(correlation(logs(total[at] as number[]), logs(other))).toBeLessThan(0.98)
  }
  const all = half[0]?.map((_, at) => Math.log(1 + mean(total.map((one) => one[at] as number))))
  const moves = new Map(klinesOf(OWN.btc as string, 1800).map((row) => [row[0], row]))
  const ranges = half[0]?.map(({ timestamp }) => {
    const row = moves.get(Number(timestamp))
    return Math.log(row ? Math.log(row[2] / row[3]) : 1)
  })
  expect(correlation(all ?? [], ranges ?? [])).toBeGreaterThan(0.2)
})

test('long/short ratios are plausible, move, and are no copies of one another', () => {
  const columns = {
    lsur: ({ ratios }: Record<string, string>) => Number(ratios),
    mlr: ({ ratios }: Record<string, string>) => Number(ratios),
    ttsi: (one: Record<string, string>) => Number(one.buyAccount) / Number(one.sellAccount),
    ttmu: (one: Record<string, string>) => Number(one.buyInterest) / Number(one.sellInterest),
  }
  for (const key of ['lsur', 'mlr', 'ttsi', 'ttmu'] as const) {
    const series = KEYS.map((one) => records(swapOf('btc', one), key, 3600).map(columns[key]))
    for (const [at, one] of series.entries()) {
      expect(Math.min(...one)).toBeGreaterThanOrEqual(0.5)
      expect(Math.max(...one)).toBeLessThanOrEqual(3)
      expect(deviation(one)).toBeGreaterThan(0.03)
      for (const other of series.slice(0, at)) expect(correlation(one, other)).toBeLessThan(0.95)
    }
  }
})
