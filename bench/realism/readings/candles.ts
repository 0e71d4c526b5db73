import { runToEnd } from '../../../src/clock/turns.ts'
import type { Facts } from '../../../src/contract/facts.ts'
import { type Bar, DAY_MS, HOUR_MS } from '../bars.ts'
import type { Reading } from '../observations.ts'
import { ownPairOf } from './pairs.ts'

/** Length of one request: fewer minutes than the maximum number of candles. */
const CHUNK_MS = 3 * DAY_MS

/** The minutes of a coin since an instant. */
export function minutesOf(facts: Facts, coin: string, fromMs: number): Bar[] {
  const bars: Bar[] = []
  for (let startTimeMs = fromMs; startTimeMs <= facts.moment.atMs; startTimeMs += CHUNK_MS) {
    const endTimeMs = Math.min(startTimeMs + CHUNK_MS - 1, facts.moment.atMs)
    const candles = runToEnd(
      facts.candles.between({ coin, interval: '1m', startTimeMs, endTimeMs }),
    )
    for (const { t, o, h, l, c, v, n } of candles ?? [])
      if (t > (bars.at(-1)?.timeMs ?? 0))
        bars.push({
          timeMs: t,
          open: Number(o),
          high: Number(h),
          low: Number(l),
          close: Number(c),
          volume: Number(v),
          trades: n,
        })
  }
  return bars
}

const HOURS = 500

/** Open interest of a coin at the ends of the hours of thirty days. */
export function hourlyOpenInterest(facts: Facts, coin: string): Reading[] {
  const symbol = ownPairOf(facts, coin)
  const nowS = Math.floor(facts.moment.atMs / 1000)
  const pages = [nowS - HOURS * 3600, nowS].map(
    (sinceS) =>
      runToEnd(
        facts.indicator.records({
          symbol,
          key: 'position',
          periodS: 3600,
          size: HOURS,
          openHour: 0,
          sinceS,
        }),
      ) ?? [],
  )
  const readings = pages.flat().map(({ time, close }) => ({
    timeMs: Number(time) * 1000 + HOUR_MS,
    value: Number(close),
  }))
  return readings.filter(({ timeMs }, at) => timeMs > (readings[at - 1]?.timeMs ?? 0))
}
