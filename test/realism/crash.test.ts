/** The figures of a crash are read from its course, and the event is that of its story. */
import { expect, test } from 'bun:test'
import { CRASH_FIGURES, type CrashCourse, publishedCrash } from '../../bench/realism/crash.ts'

const MINUTE_MS = 60_000
const EVENT_MS = 10 * MINUTE_MS

/** A fall by a tenth within two minutes, on two exchanges. */
function course(): CrashCourse {
  const readings = (values: readonly [before: number, after: number]) =>
    Array.from({ length: 20 }, (_, minute) => ({
      timeMs: minute * MINUTE_MS,
      value: values[minute < 12 ? 0 : 1],
    }))
  const pair = (exchange: string) => ({
    exchange,
    prices: readings([100, 90]),
    interest: readings([1_000, 800]),
    closings: [
      { timeMs: EVENT_MS - MINUTE_MS, long: 1e9, short: 0 },
      { timeMs: EVENT_MS + MINUTE_MS, long: 9_000, short: 0 },
      { timeMs: EVENT_MS + 2 * MINUTE_MS, long: 2_000, short: 1_000 },
    ],
  })
  const pairs = [pair('hl'), pair('binance')]
  const books = Array.from({ length: 40 }, (_, half) => {
    const timeMs = half * 30_000
    const isThin = timeMs >= EVENT_MS && timeMs <= EVENT_MS + 2 * MINUTE_MS
    return { timeMs, spread: isThin ? 3 : 0.5, depth: isThin ? 2e6 : 8e6 }
  })
  return {
    eventMs: EVENT_MS,
    endMs: EVENT_MS + 2 * MINUTE_MS,
    coins: { BTC: pairs, ETH: pairs, SOL: pairs },
    books,
  }
}

test('each figure of the published crash is that of the course', () => {
  const values = CRASH_FIGURES.map(({ of }) => Number(of(course()).toFixed(4)))
  expect(values).toEqual([-0.1, -0.1, -0.1, 0.12, 0.9167, 0.75, -0.2, -0.28, 0.25, 6])
})

test('the published crash is played by its story', async () => {
  expect(await publishedCrash()).toMatchObject({ kind: 'move', coin: 'BTC', pct: -12 })
})
