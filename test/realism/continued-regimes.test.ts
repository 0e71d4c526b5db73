/** Regimes of the future have the spread that those of the past have: no market of another kind. */
import { expect, test } from 'bun:test'
import { levelPath } from '../../src/market/bars/level-path.ts'
import {
  INTEREST_SWINGS,
  MARKET_VOLATILITY,
  premiumSpread,
} from '../../src/market/bars/market-regimes.ts'
import { LocalConditions } from '../../src/market/synth/local-conditions.ts'
import { WanderingRegimes } from '../../src/market/synth/mood.ts'
import { randomSource } from '../../src/random/random-source.ts'
import { INSTRUMENT_PROFILES } from '../../src/tape/synth/listing.ts'

const SINCE_MS = Date.UTC(2026, 0, 15, 12)
const HOUR_MS = 3_600_000
const HOURS = 14 * 24
const SALTS = Array.from({ length: 12 }, (_, at) => 104_729 * at + 7)

const mean = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0) / list.length
const deviation = (list: readonly number[]) =>
  Math.sqrt(mean(list.map((one) => (one - mean(list)) ** 2)))
const hours = Array.from({ length: HOURS }, (_, hour) => SINCE_MS + hour * HOUR_MS)

const [BTC] = INSTRUMENT_PROFILES as [(typeof INSTRUMENT_PROFILES)[number]]
const PROFILE = { ...BTC, premium: 0.0001, premiumSpread: premiumSpread(0.024) }

/** Conditions of BTC, hour by hour after the tape. */
function continued(salt: number) {
  const wander = { salt, sinceMs: SINCE_MS, mood: null }
  const local = new LocalConditions(PROFILE, wander, null)
  return hours.map((timeMs) => {
    local.at(timeMs)
    const { premium, interest, ownVolatility } = local
    return { premium, interest, ownVolatility }
  })
}

test('volatility of days differs as much after the tape as before it', () => {
  const spreads = SALTS.map((salt) => {
    const regimes = new WanderingRegimes({ salt, sinceMs: SINCE_MS, mood: null }, SINCE_MS)
    const levels = hours.map((_, hour) => Math.log(regimes.volatilityAt(hour * HOUR_MS)))
    return deviation(levels)
  })
  const past = SALTS.map((salt) => {
    const { level } = levelPath(MARKET_VOLATILITY, 60 * HOURS, randomSource(salt, 'past'))
    return deviation(hours.map((_, hour) => level[60 * hour] as number))
  })
  expect(mean(spreads) / mean(past)).toBeWithin(0.75, 1.3)
})

test('funding is not frozen: some hours are at the base rate, some above, few below', () => {
  const rates = SALTS.flatMap((salt) => continued(salt).map(({ premium }) => premium))
  const part = (of: (premium: number) => boolean) => rates.filter(of).length / rates.length
  expect(part((one) => one >= -0.0004 && one <= 0.0006)).toBeWithin(0.33, 0.87)
  expect(part((one) => one > 0.0006)).toBeWithin(0.1, 0.5)
  expect(part((one) => one < -0.0005)).toBeWithin(0, 0.15)
})

test('open interest swings as before the tape, and does not drift away', () => {
  const changes = (levels: readonly number[]) =>
    deviation(levels.slice(1).map((one, at) => one - (levels[at] as number)))
  const after = SALTS.map((salt) => continued(salt).map(({ interest }) => interest))
  const before = SALTS.map((salt) => {
    const { level } = levelPath(INTEREST_SWINGS, 60 * HOURS, randomSource(salt, 'past'))
    return hours.map((_, hour) => level[60 * hour] as number)
  })
  expect(mean(after.map(changes)) / mean(before.map(changes))).toBeWithin(0.8, 1.25)
  expect(Math.abs(mean(after.map((levels) => levels.at(-1) as number)))).toBeLessThan(0.05)
})
