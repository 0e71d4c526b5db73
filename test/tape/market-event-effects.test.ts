/** Effects of market events on synthesised markets, compared with the same markets without them. */
import { describe, expect, test } from 'bun:test'
import type { MarketEvent } from '../../src/market/events/market-event.ts'
import {
  newSynthesiser,
  Synthesiser,
  type SynthesiserState,
} from '../../src/market/synth/synthesiser.ts'
import { INSTRUMENT_PROFILES } from '../../src/tape/synth/listing.ts'
import {
  eventsOf,
  FROM_MS,
  flow,
  moved as movedFrom,
  type Seen,
  START_MS,
  timed,
  watched,
} from '../fixtures/scheduled-markets.ts'

const WITHOUT = watched([], 300)
const moved = (seen: Seen, coin: string, second: number) => movedFrom(seen, WITHOUT, coin, second)

describe('a move', () => {
  const fall = watched([{ kind: 'move', coin: 'BTC', pct: -5, overS: 120 }], 300)

  test('ends at its target, and stays there', () => {
    for (const second of [150, 200, 290]) expect(moved(fall, 'BTC', second)).toBeWithin(-5.4, -4.6)
  })

  test('goes slowly at first and at the end', () => {
    const way = [30, 60, 90, 120, 150].map((second) => moved(fall, 'BTC', second))
    const steps = way.slice(1).map((here, at) => here - (way[at] ?? 0))
    expect(way[0]).toBeWithin(-0.1, 0.1)
    expect(steps[1]).toBeLessThan(1.5 * (steps[0] ?? 0))
    expect(steps[2]).toBeLessThan(1.5 * (steps[3] ?? 0))
  })

  test('takes the other coins along by their betas, and pairs of the same asset alike', () => {
    expect(moved(fall, 'ETH', 200)).toBeWithin(-6, -3.8)
    expect(moved(fall, 'SOL', 200)).toBeWithin(-6.5, -4)
    expect(moved(fall, 'xyz:TSLA', 200)).toBeWithin(-2.3, -0.8)
    expect(moved(fall, '@107', 200) - moved(fall, 'HYPE', 200)).toBeWithin(-0.3, 0.3)
  })

  test('is traded: more orders, sellers before buyers, wider spreads', () => {
    const during = flow(fall, 'BTC', 60, 120)
    const usual = flow(WITHOUT, 'BTC', 60, 120)
    expect(during.orders).toBeGreaterThan(2 * usual.orders)
    expect(during.sold).toBeGreaterThan(1.2 * during.bought)
    expect(during.spread).toBeGreaterThan(1.3 * usual.spread)
  })

  test('takes a part of it back over as long again', () => {
    const rally = watched([{ kind: 'move', coin: 'SOL', pct: 8, overS: 60, revertPct: 50 }], 200)
    expect(moved(rally, 'SOL', 90)).toBeWithin(7.5, 8.6)
    expect(moved(rally, 'SOL', 155)).toBeWithin(3.5, 4.6)
    expect(moved(rally, 'BTC', 90)).toBeWithin(1.5, 4)
  })
})

test('liquidations are of that side and come to that sum; the price runs, others follow', () => {
  const event = { kind: 'liquidations', coin: 'BTC', side: 'long', usd: 20e6, overS: 60 } as const
  const cascade = watched([event], 200)
  const trades = new Map(
    cascade.events.flatMap((each) => (each.kind === 'trade' ? [[each.tid, each]] : [])),
  )
  const liquidations = cascade.events.flatMap((each) =>
    each.kind === 'liquidation' && trades.get(each.tids[0] ?? -1)?.tag === -1 ? [each] : [],
  )
  expect(liquidations.length).toBeGreaterThan(50)
  expect(new Set(liquidations.map(({ coin }) => coin))).toEqual(new Set(['BTC']))
  const dollars = liquidations.reduce((sum, { lots, mark }) => sum + (lots * mark) / 1e6, 0)
  expect(dollars).toBeWithin(18e6, 22e6)
  for (const { position, lots, tids, timeMs } of liquidations) {
    expect(position).toBe('long')
    expect(timeMs).toBeWithin(FROM_MS, FROM_MS + 60_000)
    const executed = tids.map((tid) => trades.get(tid))
    expect(executed.every((trade) => trade?.side === 'A')).toBe(true)
    expect(executed.reduce((sum, trade) => sum + (trade?.lots ?? 0), 0)).toBe(lots)
  }
  expect(moved(cascade, 'BTC', 85)).toBeLessThan(-0.3)
  expect(moved(cascade, 'ETH', 85)).toBeLessThan(-0.15)
})

test('a whale trades its amount, at once or in parts, and its trades are marked', () => {
  const whaleOf = (overS?: number) =>
    watched(
      [{ kind: 'whale', coin: 'ETH', side: 'buy', usd: 2e6, ...(overS && { overS }) }],
      160,
    ).events.flatMap((each) => (each.kind === 'trade' && each.tag === -1 ? [each] : []))
  const [whole, parts] = [whaleOf(), whaleOf(120)]
  for (const trades of [whole, parts]) {
    expect(trades.every(({ coin, side }) => coin === 'ETH' && side === 'B')).toBe(true)
    const dollars = trades.reduce((sum, { px, lots }) => sum + (px * lots) / 1e6, 0)
    expect(dollars).toBeWithin(1.9e6, 2.1e6)
  }
  expect(new Set(whole.map(({ timeMs }) => timeMs))).toEqual(new Set([FROM_MS]))
  expect(new Set(parts.map(({ timeMs }) => timeMs)).size).toBeGreaterThan(3)
})

test('a halted coin is not traded and keeps its book; the others trade on', () => {
  const halted = watched([{ kind: 'halt', coin: 'BTC', forS: 60 }], 120)
  const during = halted.events.filter(
    ({ timeMs }) => timeMs >= FROM_MS && timeMs < FROM_MS + 60_000,
  )
  const kinds = (coin: string) =>
    new Set(during.flatMap((each) => (each.coin === coin ? [each.kind] : [])))
  expect(kinds('BTC')).toEqual(new Set(['mark', 'interest']))
  expect(kinds('ETH').has('trade')).toBe(true)
  expect(flow(halted, 'BTC', 90, 120).orders).toBeGreaterThan(10)
})

test('regimes multiply their quantities, and end', () => {
  const of = (event: MarketEvent) => watched([event], 240)
  const [at, after] = [
    [60, 140],
    [170, 240],
  ] as const
  const usual = flow(WITHOUT, 'BTC', ...at)
  const calmAfter = flow(WITHOUT, 'BTC', ...after)
  const wide = of({ kind: 'spread', factor: 6, forS: 120 })
  expect(flow(wide, 'BTC', ...at).spread / usual.spread).toBeWithin(3, 8)
  expect(flow(wide, 'BTC', ...after).spread / calmAfter.spread).toBeWithin(0.6, 1.6)
  const thin = of({ kind: 'depth', factor: 0.2, forS: 120 })
  expect(flow(thin, 'BTC', ...at).depth / usual.depth).toBeWithin(0.1, 0.4)
  expect(flow(thin, 'BTC', ...after).depth / calmAfter.depth).toBeWithin(0.4, 2.5)
  const busy = of({ kind: 'volume', coin: 'BTC', factor: 5, forS: 120 })
  expect(flow(busy, 'BTC', ...at).orders / usual.orders).toBeWithin(2.5, 9)
  expect(flow(busy, 'ETH', ...at).orders).toBe(flow(WITHOUT, 'ETH', ...at).orders)
  const wild = of({ kind: 'volatility', factor: 4, forS: 120 })
  expect(flow(wild, 'BTC', ...at).volatility / usual.volatility).toBeWithin(2, 8)
  expect(flow(wild, 'BTC', ...after).volatility / calmAfter.volatility).toBeWithin(0.3, 2.5)
})

test('funding goes towards its target rate', () => {
  const startMs = START_MS + 3_000_000
  const event = { kind: 'funding', coin: 'SOL', pct: 0.05, forS: 900 } as const
  const state = newSynthesiser(3, startMs, INSTRUMENT_PROFILES, { mood: 'calm' })
  const synthesiser = new Synthesiser(state, [{ event, requestedMs: startMs, fromMs: startMs }])
  const rates = eventsOf(synthesiser, 6_010).flatMap((each) =>
    each.kind === 'funding' && each.coin === 'SOL' ? [each.rate / 1e8] : [],
  )
  expect(rates[0]).toBeWithin(0, 0.002)
  expect(rates[1]).toBeWithin(0.04, 0.055)
})

test.each<MarketEvent>([
  { kind: 'move', coin: 'BTC', pct: -95, overS: 60 },
  { kind: 'move', coin: 'kPEPE', pct: 400, overS: 33 },
  { kind: 'depth', factor: 0.02, forS: 60 },
  { kind: 'liquidations', coin: 'ETH', side: 'short', usd: 400e6, overS: 5 },
])('the largest events leave books with two sides: %o', (event) => {
  const { depths, spreads } = watched([event], 100)
  for (const { coin } of INSTRUMENT_PROFILES) {
    expect(Math.min(...(spreads.get(coin) ?? []))).toBeGreaterThan(0)
    expect(Math.min(...(depths.get(coin) ?? []))).toBeGreaterThan(0)
  }
})

test('markets continued from a copy in the middle of events behave the same', () => {
  const events = timed([
    { kind: 'move', coin: 'BTC', pct: 3, overS: 30 },
    { kind: 'depth', factor: 0.5, forS: 40 },
    { kind: 'whale', coin: 'BTC', side: 'sell', usd: 1e6, overS: 50 },
  ])
  const state = newSynthesiser(2, START_MS, INSTRUMENT_PROFILES, { mood: 'calm' })
  const whole = new Synthesiser(state, events)
  eventsOf(whole, 457)
  const copy = JSON.parse(JSON.stringify(state)) as SynthesiserState
  expect(JSON.stringify(eventsOf(new Synthesiser(copy, events), 400))).toBe(
    JSON.stringify(eventsOf(whole, 400)),
  )
})
