/** A market that differs after its tape is noticed, and one that goes on as before is not. */
import { describe, expect, test } from 'bun:test'
import { comparisonsOf, moodFlaws, type WorldSpans } from '../../bench/realism/continuity.ts'
import { SPAN_FIGURES } from '../../bench/realism/figures/span-figures.ts'
import type { SpanOfCoin } from '../../bench/realism/readings/spans.ts'
import { activityAt } from '../../src/market/bars/market-regimes.ts'
import { randomSource } from '../../src/random/random-source.ts'

const DAY_MS = 86_400_000
const MINUTES = 3 * 1440

/** Worlds with one figure: two pasts and a future each. */
const worlds = (id: string, values: readonly (readonly [number, number, number])[]): WorldSpans[] =>
  values.map(([one, other, future], at) => ({
    name: `seed ${at + 1}`,
    mood: null,
    recording: null,
    coins: { BTC: { [id]: { past: [one, other], tape: null, future } } },
  }))

const holds = (of: WorldSpans[]) => comparisonsOf(of).map((one) => one.holds)

describe('a future', () => {
  test('holds among its pasts and the real months', () => {
    const id = 'kurtosis'
    expect(
      holds(
        worlds(id, [
          [8, 9, 8.2],
          [7, 8, 7.5],
          [9, 9, 16],
        ]),
      ),
    ).toEqual([true])
  })

  test('may leave them once by half of their distance, and not further', () => {
    const id = 'kurtosis'
    const others = [
      [8, 9, 8.2],
      [7, 8, 7.5],
    ] as const
    // Real months are 6.6 to 17.
    expect(holds(worlds(id, [...others, [9, 9, 22]]))).toEqual([true])
    expect(holds(worlds(id, [...others, [9, 9, 23]]))).toEqual([false])
  })

  test('fails when its middle is outside, as with funding that is frozen at the base rate', () => {
    expect(
      holds(
        worlds('base-funding', [
          [0.4, 0.4, 1],
          [0.4, 0.5, 1],
          [0.4, 0.4, 1],
        ]),
      ),
    ).toEqual([false])
  })
})

test('only shapes are compared in a mood', () => {
  const calm = worlds('persistence', [[0.2, 0.3, 0.2]])
  const wild = (id: string, future: number): WorldSpans => ({
    name: 'crash',
    mood: 'crash',
    recording: null,
    coins: { BTC: { [id]: { past: [], tape: null, future } } },
  })
  expect(moodFlaws([...calm, wild('persistence', -0.5)])).toEqual([
    'crash: BTC, autocorrelation of absolute hourly returns, lag 1: -0.5',
  ])
  const level = worlds('kurtosis', [[8, 8, 8]])
  expect(moodFlaws([...level, wild('kurtosis', 900)])).toEqual([])
})

test('each figure is read from a coin, and has no value without observations', () => {
  const span = walk()
  for (const figure of SPAN_FIGURES) {
    const value = figure.of(span, walk())
    expect({ id: figure.id, isKnown: Number.isFinite(value) }).toEqual({
      id: figure.id,
      isKnown: true,
    })
    const nothing = { ...span, minutes: [], funding: [], interest: [], closings: [] }
    const empty = figure.of({ ...nothing, closingsElsewhere: [] }, span)
    if (figure.id !== 'turnover') expect(empty).toBeNaN()
  }
})

test('a weekend is compared with what weekends have', () => {
  const turnover = SPAN_FIGURES.find(({ id }) => id === 'turnover')
  const spanFrom = (fromMs: number): SpanOfCoin => {
    const minutes = Array.from({ length: 1440 }, (_, at) => {
      const timeMs = fromMs + at * 60_000
      const volume = activityAt('always', timeMs)
      return { timeMs, open: 100, high: 100, low: 100, close: 100, volume, trades: 3 }
    })
    return { ...walk(), fromMs, toMs: fromMs + DAY_MS, minutes }
  }
  const [friday, saturday] = [16, 17].map((day) => spanFrom(Date.UTC(2026, 0, day)))
  if (!turnover || !friday || !saturday) throw new Error('there is a turnover')
  expect(turnover.of(saturday, saturday) / turnover.of(friday, friday)).toBeCloseTo(1, 6)
})

/** Three days of a coin whose price is a random walk. */
function walk(): SpanOfCoin {
  const random = randomSource('1', 'walk')
  let px = 100
  const minutes = Array.from({ length: MINUTES }, (_, at) => {
    const open = px
    px *= Math.exp(0.001 * random.normal())
    const [high, low] = [Math.max(open, px), Math.min(open, px)]
    const volume = Math.exp(random.normal())
    return { timeMs: at * 60_000, open, high, low, close: px, volume, trades: 3 }
  })
  const hours = Array.from({ length: 72 }, (_, at) => at * 3_600_000)
  const readings = hours.map((timeMs) => ({ timeMs, value: 1 + 0.1 * random.unit() }))
  const closings = hours.map((timeMs) => ({ timeMs, long: 1, short: 2 }))
  return {
    fromMs: 0,
    toMs: 3 * DAY_MS,
    minutes,
    funding: readings,
    interest: readings,
    closings,
    closingsElsewhere: closings,
  }
}
