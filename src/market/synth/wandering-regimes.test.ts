import { expect, test } from 'bun:test'
import { DAY_MS, HOUR_MS } from '../../clock/instant.ts'
import { MOODS, WanderingRegimes } from './mood.ts'

const SINCE_MS = Date.UTC(2026, 0, 15, 12)
const SALT = 123_456_789

const regimes = (startMs: number, mood: keyof typeof MOODS | null = null, salt = SALT) =>
  new WanderingRegimes({ salt, sinceMs: SINCE_MS, mood }, startMs)

test('markets that begin at different instants have the same conditions', () => {
  const [early, late] = [regimes(SINCE_MS), regimes(SINCE_MS + 5 * HOUR_MS + 100)]
  for (let ms = 6 * HOUR_MS; ms < 8 * HOUR_MS; ms += 30_100) {
    const later = ms - 5 * HOUR_MS - 100
    expect(late.volatilityAt(later)).toBe(early.volatilityAt(ms))
    expect(late.regimeAt(later)).toEqual(early.regimeAt(ms))
    expect(late.cascadeAt(later)?.position).toBe(early.cascadeAt(ms)?.position)
  }
})

test('volatility starts as it was, clusters, and reverts to the usual', () => {
  const first = regimes(SINCE_MS)
  const byHour = (first.volatilityAt(0) / first.volatilityAt(60_000)) ** 2
  expect(byHour).toBeWithin(0.8, 1.25)
  const year = Array.from({ length: 40 * 365 }, (_, nth) => {
    const market = regimes(SINCE_MS, null, SALT + (nth % 40))
    return market.volatilityAt(20 * DAY_MS + Math.floor(nth / 40) * (DAY_MS + HOUR_MS))
  })
  const square = year.reduce((sum, each) => sum + each ** 2, 0) / year.length
  expect(square).toBeWithin(0.8, 1.25)
  const sorted = year.toSorted((a, b) => a - b)
  const [low, high] = [0.05, 0.95].map((part) => sorted[Math.floor(part * year.length)] ?? 0)
  expect((high ?? 0) / (low ?? 1)).toBeGreaterThan(2)
})

test('cascades have the rate and the share of falls of the mood', () => {
  for (const mood of ['bull', 'bear', 'crash'] as const) {
    const market = regimes(SINCE_MS, mood)
    const found = new Map<number, string>()
    for (let ms = 0; ms < 60 * DAY_MS; ms += 30_000) {
      const cascade = market.cascadeAt(ms)
      if (cascade) found.set(cascade.fromMs, cascade.position)
    }
    const falls = [...found.values()].filter((position) => position === 'long').length
    expect(found.size / 60 / MOODS[mood].cascadesPerDay).toBeWithin(0.8, 1.2)
    expect(falls / found.size).toBeWithin(MOODS[mood].falls - 0.08, MOODS[mood].falls + 0.08)
  }
})

test('a calm market has no cascades and no drift', () => {
  const market = regimes(SINCE_MS, 'calm')
  for (let ms = 0; ms < DAY_MS; ms += 60_000)
    expect(market.regimeAt(ms)).toEqual({ quiet: 0, stress: 0, driftPerS: 0 })
})
