import { expect, test } from 'bun:test'
import { tapeMs } from '../../../clock/instant.ts'
import { parseSubType } from '../../../contract/alert-catalogue.ts'
import { px, usd, ZERO } from '../../../decimal/quantity.ts'
import { alertRule } from './alert-rules.ts'
import type { PriceBar } from './price-bars.ts'

/** Bars with these closes. */
const bars = (closes: number[], amount = (_: number) => 100): PriceBar[] =>
  closes.map((close, at) => ({
    endMs: tapeMs(at),
    high: px(close),
    low: px(close),
    close: px(close),
    amount: usd(amount(at)),
    bought: ZERO,
  }))

/** Indexes at which an alert fires. */
function firings(subType: string, of: PriceBar[]): number[] {
  const condition = parseSubType(subType)
  if (condition === null) throw new Error(`${subType} is no alert`)
  const isTrue = alertRule(condition, of)
  return of.flatMap((_, at) => (isTrue(at) ? at : []))
}

const falling = Array.from({ length: 30 }, (_, at) => 200 - at)
const rising = Array.from({ length: 30 }, (_, at) => 172 + at)

test('averages cross once where the course turns', () => {
  const flat = Array.from({ length: 60 }, () => 200)
  const turn = bars([...flat, ...falling, ...rising])
  for (const key of ['ma', 'ema', 'macd', 'kdj']) {
    expect([key, firings(`${key}:1:death`, turn)]).toEqual([key, [61]])
    const golden = firings(`${key}:1:golden`, turn)
    expect([key, golden.length]).toEqual([key, 1])
    expect(golden[0]).toBeGreaterThanOrEqual(90)
  }
})

test('averages of two and of four bars cross as computed by hand', () => {
  // Means of two and of four: 3 3, 3 3, 2.5 2.75, 2 2.5, 3 2.5.
  expect(firings('ma:1:golden:2,4', bars([3, 3, 3, 3, 2, 2, 4]))).toEqual([6])
})

test('relative strength leaves its limits in a one-way market', () => {
  const calm = Array.from({ length: 40 }, (_, at) => 100 + (at % 2))
  const after = (subType: string, series: number[]) =>
    firings(subType, bars([...calm, ...series])).filter((at) => at >= calm.length)
  const [down, up] = [falling.map((px) => px - 100), rising.map((px) => px - 70)]
  expect(after('rsi:1:oversold', down)).toHaveLength(1)
  expect(after('rsi:1:overbought', up)).toHaveLength(1)
  expect(after('rsi:1:oversold', up)).toEqual([])
  expect(after('rsi:1:overbought', down)).toEqual([])
})

test('a close leaves the band', () => {
  const calm = Array.from({ length: 40 }, (_, at) => 100 + (at % 2))
  expect(firings('boll:1:upper', bars([...calm, 110]))).toEqual([40])
  expect(firings('boll:1:lower', bars([...calm, 90]))).toEqual([40])
})

test('nine closes in a row beyond the one four before', () => {
  expect(firings('td:1:low', bars(falling))).toEqual([12])
  expect(firings('td:1:high', bars(rising))).toEqual([12])
})

test('high turnover rings in the direction of the price', () => {
  const series = bars([...rising], (at) => (at === 25 ? 301 : 100))
  expect(firings('vol:1:rise', series)).toEqual([25])
  expect(firings('vol:1:fall', series)).toEqual([])
  expect(firings('vol:1:rise:4', series)).toEqual([])
})
