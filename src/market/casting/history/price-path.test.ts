import { expect, test } from 'bun:test'
import { HOUR_MS } from '../../../clock/instant.ts'
import { px, raw, sz } from '../../../decimal/quantity.ts'
import { randomSource } from '../../../random/random-source.ts'
import { instrumentRows, MarketState } from '../market/market-state.ts'
import { HISTORY_MS, pastsOf } from './past.ts'
import { historyGrid, type PricePath, pricePaths } from './price-path.ts'

const START_MS = Date.UTC(2026, 0, 15, 12)
const SURVEY = {
  lot: sz(1),
  tick: px(1),
  interest: null,
  premium: null,
  tradeUsd: 1e9,
  meanTradeUsd: 1e9,
  usdPerSecond: 1e8,
}

const instruments = [
  { coin: 'BTC', maxLeverage: 40, firstPx: 964_120, pxDecimals: 1, szDecimals: 5, kind: 'perp' },
  { coin: 'HYPE', maxLeverage: 10, firstPx: 252_140, pxDecimals: 4, szDecimals: 2, kind: 'perp' },
  { coin: '@107', maxLeverage: 1, firstPx: 252_210, pxDecimals: 4, szDecimals: 2, kind: 'spot' },
] as const

async function paths(seed: number) {
  const rows = instrumentRows(
    instruments.map((one) => ({
      ...one,
      dex: '',
      base: one.coin === '@107' ? 'HYPE' : one.coin,
      quote: 'USDC',
    })),
    instruments.map(({ firstPx }) => ({ ...SURVEY, firstPx: px(firstPx) })),
  )
  const markets = rows.map((row) => new MarketState(row, { ...SURVEY, firstPx: row.firstPx }))
  const grid = historyGrid(START_MS)
  const random = randomSource(seed)
  return { grid, list: pricePaths(await pastsOf(markets, START_MS, random), grid, random) }
}

function returns(px: Float64Array): number[] {
  return Array.from(px.subarray(1), (value, at) => Math.log(value / (px[at] as number)))
}

test('the grid covers 30 days, dense near the tape', async () => {
  const { grid } = await paths(1)
  expect(START_MS - (grid[0] as number)).toBeLessThanOrEqual(HISTORY_MS)
  expect(START_MS - (grid[0] as number)).toBeGreaterThan(HISTORY_MS - HOUR_MS)
  expect(START_MS - (grid.at(-1) as number)).toBe(10_000)
  expect(grid.filter((ms) => ms >= START_MS - HOUR_MS)).toHaveLength(360)
  expect(grid.every((ms, at) => at === 0 || ms > (grid[at - 1] as number))).toBe(true)
})

test('paths end where the tape begins, have five figures, and are fat-tailed', async () => {
  for (const { market, px } of (await paths(1)).list) {
    expect(Math.abs((px.at(-1) as number) / raw(market.px) - 1)).toBeLessThan(0.01)
    // Five significant figures, or whole dollars.
    const oneDollar = 10 ** market.row.pxDecimals
    const isOnGrid = (value: number) => value % oneDollar === 0 || /^\d{1,5}0*$/.test(String(value))
    expect(px.every(isOnGrid)).toBe(true)
  }
  const [btc] = (await paths(1)).list as [PricePath]
  const far = returns(btc.px.subarray(0, 2200))
  const variance = far.reduce((sum, r) => sum + r * r, 0) / far.length
  const kurtosis = far.reduce((sum, r) => sum + r ** 4, 0) / far.length / variance ** 2
  expect(kurtosis).toBeGreaterThan(4)
  // Quarter hours of a market that moves one to six percent a day.
  const daily = Math.sqrt(variance * 96)
  expect(daily).toBeGreaterThan(0.01)
  expect(daily).toBeLessThan(0.06)
})

test('coins move together, and a spot pair stays close to its perpetual', async () => {
  const [btc, hype, spot] = (await paths(2)).list.map(({ px }) => px) as [
    Float64Array,
    ...Float64Array[],
  ]
  const [a, b] = [returns(btc), returns(hype as Float64Array)]
  const dot = (x: number[], y: number[]) => x.reduce((sum, v, at) => sum + v * (y[at] as number), 0)
  const correlation = dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
  expect(correlation).toBeGreaterThan(0.4)
  expect(correlation).toBeLessThan(0.95)
  const gaps = Array.from(
    spot as Float64Array,
    (px, at) => px / ((hype as Float64Array)[at] as number),
  )
  expect(Math.max(...gaps.map((gap) => Math.abs(gap - 1)))).toBeLessThan(0.02)
})

test('funding has a rate for every full hour and an index that adds them up', async () => {
  const [{ funding }, , spot] = (await paths(3)).list as [PricePath, PricePath, PricePath]
  expect(funding).toHaveLength(719)
  expect(spot.funding).toEqual([])
  let index = 0
  for (const hour of funding) {
    expect(hour.timeMs % HOUR_MS).toBe(0)
    index += raw(hour.rate) * raw(hour.oracle)
    expect(raw(hour.fundingIndex)).toBe(index)
  }
})
