/** Months resemble a real market's: wide bounds around exchanges' statistics, on fixed seeds. */
import { describe, expect, test } from 'bun:test'
import { openInterestPath, premiumPaths, trendsOf } from '../../src/market/bars/level-path.ts'
import { premiumSpread } from '../../src/market/bars/market-regimes.ts'
import type { MarketTraits, MinuteMoves } from '../../src/market/bars/minute-moves.ts'
import { pastBars } from '../../src/market/bars/past-bars.ts'
import { minuteMoves } from '../../src/market/bars/typical-month.ts'
import { crowdAlong } from '../../src/market/crowd/leveraged-crowd.ts'
import { randomSource } from '../../src/random/random-source.ts'

const DAY = 1440
const MINUTES = 30 * DAY
const END_MS = Date.UTC(2026, 0, 15, 12)
const SEEDS = [1, 2, 3]

const perp = (coin: string, dailyVolatility: number, marketShare: number): MarketTraits => ({
  coin,
  dailyVolatility,
  marketShare,
  sectorShare: 0,
  sector: '',
  trading: 'always',
})
const TRAITS: MarketTraits[] = [
  perp('BTC', 0.022, 0.93),
  perp('ETH', 0.031, 0.88),
  perp('SOL', 0.038, 0.8),
  perp('HYPE', 0.045, 0.68),
  { ...perp('DOGE', 0.045, 0.66), sectorShare: 0.4, sector: 'memes' },
  { ...perp('kPEPE', 0.05, 0.66), sectorShare: 0.4, sector: 'memes' },
  { ...perp('TSLA', 0.015, 0.25), trading: 'stock' },
]

const sum = (list: readonly number[]) => list.reduce((a, b) => a + b, 0)
const mean = (list: readonly number[]) => sum(list) / list.length

function correlation(a: readonly number[], b: readonly number[]): number {
  const [meanA, meanB] = [mean(a), mean(b)]
  const products = a.map((one, at) => (one - meanA) * ((b[at] as number) - meanB))
  const spread = (list: readonly number[], of: number) => sum(list.map((one) => (one - of) ** 2))
  return sum(products) / Math.sqrt(spread(a, meanA) * spread(b, meanB))
}
const autocorrelation = (list: readonly number[], lag: number) =>
  correlation(list.slice(lag), list.slice(0, -lag))

function kurtosis(list: readonly number[]): number {
  const middle = mean(list)
  const variance = mean(list.map((one) => (one - middle) ** 2))
  return mean(list.map((one) => (one - middle) ** 4)) / variance ** 2
}

/** Sums of so many minutes each. */
const sumsOf = (column: Float64Array, length: number) =>
  Array.from({ length: column.length / length }, (_, at) =>
    sum([...column.subarray(at * length, (at + 1) * length)]),
  )

function between(value: number, least: number, most: number): void {
  expect(value).toBeGreaterThan(least)
  expect(value).toBeLessThan(most)
}

describe.each(SEEDS)('seed %d', (seed) => {
  const all = minuteMoves(TRAITS, MINUTES, END_MS, randomSource(seed, 'month'))
  const [btc, eth] = all as [MinuteMoves, MinuteMoves, ...MinuteMoves[]]
  const hours = all.map(({ returns }) => sumsOf(returns, 60))

  test('returns have fat tails, and their size is autocorrelated for hours and days', () => {
    const sizes = (hours[0] as number[]).map(Math.abs)
    between(kurtosis(hours[0] as number[]), 5, 25)
    between(kurtosis(sumsOf(btc.returns, 15)), 6, 40)
    // Real months are within; others are drawn again.
    between(autocorrelation(sizes, 1), 0.15, 0.35)
    between(autocorrelation(sizes, 6), 0.08, 0.2)
    between(autocorrelation(sizes, 24), 0.03, 0.15)
    between(Math.abs(autocorrelation(hours[0] as number[], 1)), -1, 0.15)
    const daily = Math.sqrt(mean(sumsOf(btc.returns, DAY).map((one) => one ** 2)))
    between(daily, 0.011, 0.044)
  })

  test('minutes have no jumps of their own, and volume comes with moves', () => {
    for (const { returns, turnover } of all.slice(0, 6)) {
      const usual = [...turnover].sort((a, b) => a - b)[MINUTES / 2] as number
      const [windows, beyond]: [number[], number[]] = [[], []]
      for (let from = 0; from + 5 * DAY <= MINUTES; from += 5 * DAY) {
        const days = [...returns.subarray(from, from + 5 * DAY)]
        windows.push(kurtosis(days))
        const deviation = Math.sqrt(mean(days.map((one) => one ** 2)))
        for (const [at, one] of days.entries())
          if (Math.abs(one) > 8 * deviation) beyond.push((turnover[from + at] as number) / usual)
      }
      between(mean(windows), 4, 16)
      expect(beyond.length).toBeLessThan(20)
      if (beyond.length > 2) expect(mean(beyond)).toBeGreaterThan(3)
    }
  })

  test('turnover is autocorrelated, follows the size of moves, and the hour of day', () => {
    for (const { returns, turnover } of all.slice(0, 6)) {
      const logs = sumsOf(turnover, 60).map(Math.log)
      between(autocorrelation(logs, 1), 0.6, 0.95)
      between(correlation(logs, sumsOf(returns, 60).map(Math.abs)), 0.4, 0.65)
      const byHour = Array.from({ length: 24 }, (_, hour) =>
        sum(sumsOf(turnover, 60).filter((_one, at) => at % 24 === hour)),
      )
      between(Math.max(...byHour) / Math.min(...byHour), 2.4, 6.4)
      const peak = (byHour.indexOf(Math.max(...byHour)) + 12) % 24
      between(peak, 11.5, 18.5)
    }
  })

  test('the last hours are as busy as the week before at the same hour', () => {
    const days = [1, 2, 3, 4, 5, 6, 7]
    for (const { turnover } of all.slice(0, 6)) {
      const hour = (ago: number) =>
        mean([...turnover.subarray(MINUTES - ago * DAY - 60).slice(0, 60)])
      between(mean(days.map(hour)) / hour(0), 0.45, 2.2)
    }
  })

  test('coins move together, more or less', () => {
    const to = (at: number) => correlation(hours[0] as number[], hours[at] as number[])
    between(to(1), 0.72, 0.92)
    for (const at of [2, 3, 4, 5]) between(to(at), 0.35, 0.88)
    between(to(6), 0.05, 0.5)
    between(correlation(hours[4] as number[], hours[5] as number[]), 0.4, 0.9)
    expect(eth.returns).not.toEqual(btc.returns)
  })

  test('open interest moves a little each hour, and funding in spells of its own', () => {
    const random = randomSource(seed, 'rest')
    const sigmaOf = (one: MarketTraits) => one.dailyVolatility / Math.sqrt(DAY)
    const { held } = crowdAlong(btc.returns, 40)
    const swings = openInterestPath(btc.returns, sigmaOf(TRAITS[0] as MarketTraits), random)
    const interest = swings.map((one, at) => one * (held[at] as number))
    const changes = Array.from({ length: 719 }, (_, at) =>
      Math.abs((interest[60 * at + 60] as number) / (interest[60 * at] as number) - 1),
    ).sort((a, b) => a - b)
    between(changes[Math.floor(0.95 * changes.length)] as number, 0.004, 0.016)
    const premiums = premiumPaths(
      TRAITS.map((one, place) => {
        const { returns } = all[place] as MinuteMoves
        const trends = trendsOf(returns, sigmaOf(one))
        const { imbalance } = crowdAlong(returns, 25)
        const hourly = (path: Float64Array) =>
          Float64Array.from({ length: 720 }, (_, hour) => path[60 * hour] as number)
        return {
          coin: one.coin,
          endPremium: 0.0001,
          spread: premiumSpread(one.dailyVolatility),
          trends: hourly(trends),
          imbalances: hourly(imbalance),
        }
      }),
      720,
      random,
    ).map((path) => [...path])
    const rates = premiums.map((path) =>
      path.map((one) => one + Math.max(-0.0005, Math.min(0.0005, 0.0001 - one))),
    )
    for (const [at, own] of rates.entries()) {
      const atBase = own.filter((one) => Math.abs(one - 0.0001) < 1e-12).length / own.length
      between(atBase, 0.17, 0.87)
      between(own.filter((rate) => rate < 0).length / own.length, -1e-9, 0.2)
      for (const other of rates.slice(0, at)) between(correlation(own, other), -0.5, 0.8)
      between(autocorrelation(premiums[at] as number[], 1), 0.6, 0.999)
    }
  })

  test('bars are ranges around their prices, nearly never a dash', () => {
    const scale = { endPx: 964_120, onTick: (px: number) => Math.round(px / 10) * 10, lot: 1 }
    const worth = { minuteWorth: 1.8e12, tradeWorth: 1.2e10 }
    const { high, low } = pastBars(btc, { ...scale, ...worth }, randomSource(seed, 'bars'))
    const flat = high.filter((one, at) => one === low[at]).length
    expect(flat / MINUTES).toBeLessThan(0.08)
  })
})

test('each seed has a month of its own', () => {
  const [one, other] = [1, 2].map((seed) =>
    minuteMoves(TRAITS.slice(0, 1), MINUTES, END_MS, randomSource(seed, 'month')).map(
      ({ returns }) => sumsOf(returns, 60),
    ),
  )
  between(Math.abs(correlation(one?.[0] as number[], other?.[0] as number[])), -1, 0.2)
})
