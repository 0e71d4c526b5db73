import { expect, test } from 'bun:test'
import { volatilityBp } from '../../src/market/synth/instrument-profile.ts'
import { MOOD_NAMES } from '../../src/market/synth/mood.ts'
import { type Listing, listedProfiles } from '../../src/tape/synth/listing.ts'
import { plotOf, synthesise, synthInstruments } from '../../src/tape/synth/synthesis.ts'
import type { EventDraft } from '../../src/tape/tape-event.ts'

const ALL = listedProfiles({ perpetuals: 30, pairs: 5 })

test('thirty perpetuals and five pairs are listed, each once', () => {
  expect(ALL.filter(({ kind }) => kind === 'perp')).toHaveLength(30)
  expect(ALL.filter(({ kind }) => kind === 'spot')).toHaveLength(5)
  expect(new Set(ALL.map(({ coin }) => coin)).size).toBe(35)
  expect(synthInstruments(listedProfiles({}))).toEqual(synthInstruments())
})

test('the further ones are traded less, and no less than now and then', () => {
  const turnover = ALL.slice(9, 30).map(({ ordersPerS, orderUsd }) => ordersPerS * orderUsd)
  expect(turnover).toEqual(turnover.toSorted((a, b) => b - a))
  for (const profile of ALL) {
    expect(profile.ordersPerS).toBeGreaterThan(0.05)
    expect(volatilityBp(profile)).toBeLessThan(2.5)
  }
})

test('all of them are traded and quoted around their prices', () => {
  const events = [...synthesise({ seed: 4, minutes: 3, profiles: ALL })]
  for (const { coin, startPx } of ALL) {
    const prices = pricesOf(events, coin)
    expect(prices.length).toBeGreaterThan(1)
    for (const px of prices) expect(px / startPx).toBeWithin(0.97, 1.03)
  }
})

test('prices begin at the requested ones, pairs follow their assets', () => {
  const prices = new Map([
    ['BTC', 120_000],
    ['HYPE', 50],
  ])
  const profiles = listedProfiles({ perpetuals: 4, pairs: 3, prices })
  const first = (coin: string) => profiles.find((each) => each.coin === coin)?.startPx ?? 0
  expect(first('BTC')).toBe(120_000)
  expect(first('@142') / 120_000).toBeWithin(0.999, 1.001)
  expect(first('@107') / 50).toBeWithin(0.999, 1.001)
  const traded = pricesOf([...synthesise({ seed: 1, minutes: 1, profiles })], 'BTC')
  for (const px of traded) expect(px / 120_000).toBeWithin(0.98, 1.02)
})

test('a pair whose asset is not listed moves by itself', () => {
  const pair = listedProfiles({ perpetuals: 2, pairs: 2 }).find(({ coin }) => coin === '@107')
  expect(pair?.follows).toBeUndefined()
  expect(volatilityBp(pair as (typeof ALL)[number])).toBeGreaterThan(0.5)
})

test('an impossible price is refused with a hint', () => {
  const listing = (coin: string, px: number) => () =>
    listedProfiles({ prices: new Map([[coin, px]]) } satisfies Listing)
  expect(listing('BTCC', 1)).toThrow('there is no BTCC (did you mean BTC?); the market has BTC')
  expect(listing('@107', 30)).toThrow('@107 has the price of HYPE, which it follows')
  expect(listing('BTC', 0.5)).toThrow('0.5 is no price of BTC with 1 decimals: from 100 to')
})

test("moods differ by their names' meaning", () => {
  const seen = new Map(MOOD_NAMES.map((mood) => [mood, watched(mood)]))
  const of = (mood: (typeof MOOD_NAMES)[number]) => seen.get(mood) ?? { move: 0, volatility: 0 }
  expect(of('bull').move).toBeGreaterThan(of('bear').move)
  expect(of('crash').move).toBeLessThan(-0.01)
  expect(of('calm').volatility).toBeLessThan(0.7 * of('chop').volatility)
  expect(of('crash').volatility).toBeGreaterThan(1.3 * of('chop').volatility)
})

test('a plot happens at its times, and an invalid one is refused with file and line', () => {
  const options = { seed: 1, minutes: 4 }
  const plot = (event: string, at = '1m') =>
    plotOf('mine.yaml', `market:\n  - at: ${at}\n    event: ${event}\n`, options)
  const scheduled = plot('{kind: move, coin: BTC, pct: -5, overS: 60}')
  const prices = (from: number, to: number) => {
    const events = [...synthesise({ seed: 1, minutes: 4, plot: scheduled })]
    const startMs = events[0]?.time ?? 0
    return pricesOf(
      events.filter(({ time }) => time >= startMs + from && time < startMs + to),
      'BTC',
    )
  }
  const [before, after] = [prices(40_000, 60_000), prices(125_000, 150_000)]
  expect((after[0] ?? 0) / (before.at(-1) ?? 1)).toBeWithin(0.943, 0.957)
  expect(() => plot('{kind: move, coin: BTC, pct: -5, overS: 60}', '3m30s')).toThrow('mine.yaml:2')
  expect(() => plot('{kind: halt, coin: DOGGE, forS: 5}')).toThrow('mine.yaml:3: market.0.event')
  expect(() => plot('{kind: whale, coin: DOGE, side: buy, usd: 900000000}')).toThrow('usd is 9000')
  expect(() => plot('{kind: news, story: licence}')).toThrow('mine.yaml: a tape has no news')
})

function pricesOf(events: readonly EventDraft[], coin: string): number[] {
  return events.flatMap((event) =>
    event.kind === 'trade' && event.coin === coin ? [Number(event.data.px)] : [],
  )
}

/** Move and volatility of BTC in an hour of a mood, in logarithms. */
function watched(mood: (typeof MOOD_NAMES)[number]): { move: number; volatility: number } {
  const profiles = listedProfiles({ perpetuals: 1, pairs: 0 })
  const marks = [...synthesise({ seed: 6, minutes: 60, mood, profiles })].flatMap((event) =>
    event.kind === 'mark' ? [Math.log(Number(event.data.mark))] : [],
  )
  const moves = marks.slice(1).map((mark, at) => (mark - (marks[at] ?? mark)) ** 2)
  const sum = moves.reduce((total, each) => total + each, 0)
  return { move: (marks.at(-1) ?? 0) - (marks[0] ?? 0), volatility: Math.sqrt(sum) }
}
