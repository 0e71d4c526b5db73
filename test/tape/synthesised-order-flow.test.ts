/** Order flow and books of three seeds within wide bounds, and of a real tape for comparison. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { autocorrelation } from '../../bench/realism/statistics/correlation.ts'
import { mean } from '../../bench/realism/statistics/moments.ts'
import { tailExponent } from '../../bench/realism/statistics/power-law.ts'
import { median } from '../../bench/realism/statistics/quantiles.ts'
import { synthesise } from '../../src/tape/synth/synthesis.ts'
import type { EventDraft } from '../../src/tape/tape-event.ts'
import { importTape } from '../../src/tape/tape-import.ts'
import {
  dispersion,
  dollarsPerTick,
  dollarsWithin,
  flowAndReturn,
  response,
  turnover,
} from '../fixtures/flow-measures.ts'
import { recordingInForm } from '../fixtures/made-recordings.ts'
import { readTape } from '../fixtures/sample-tape.ts'
import { type Watched, watch } from '../fixtures/tape-watch.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const MAJORS = ['BTC', 'ETH', 'SOL']
/** Before the cascade, which moves everything in one direction. */
const CALM_MS = 720_000

describe.each([1, 2, 3])('seed %d', (seed) => {
  let events: EventDraft[] = []
  const whole = new Map<string, Watched>()
  const calm = new Map<string, Watched>()

  beforeAll(() => {
    events = [...synthesise({ seed })]
    for (const coin of MAJORS) {
      whole.set(coin, watch(events, coin))
      calm.set(coin, watch(events, coin, CALM_MS))
    }
  })
  // Else the process would keep them until it ends.
  afterAll(() => {
    events = []
    whole.clear()
    calm.clear()
  })

  const seen = (coin: string, of = whole): Watched => {
    const watched = of.get(coin)
    if (!watched) throw new Error(`${coin} was not watched`)
    return watched
  }

  test('the sides of orders have long memory', () => {
    const signs = (coin: string) => seen(coin).orders.map(({ sign }) => sign)
    const memory = (coin: string, lag: number) => autocorrelation(signs(coin), lag)
    expect(memory('BTC', 1)).toBeWithin(0.12, 0.35)
    expect(memory('BTC', 5)).toBeWithin(0.05, 0.25)
    const averaged = (lag: number) => mean(MAJORS.map((coin) => memory(coin, lag)))
    expect(averaged(1)).toBeWithin(0.12, 0.32)
    expect(averaged(5)).toBeWithin(0.06, 0.24)
    expect(averaged(20)).toBeWithin(0.01, 0.16)
  })

  test('orders come in bursts, at one second and more so at five', () => {
    for (const coin of MAJORS) {
      expect(dispersion(seen(coin), 1000)).toBeWithin(5, 20)
      expect(dispersion(seen(coin), 5000)).toBeGreaterThan(dispersion(seen(coin), 1000))
    }
    expect(dispersion(seen('BTC'), 1000)).toBeGreaterThan(7)
  })

  test('sizes have heavy tails', () => {
    for (const coin of MAJORS) {
      const dollars = seen(coin).orders.map((order) => order.dollars)
      expect(tailExponent(dollars, 0.05)).toBeWithin(0.7, 2.2)
      expect(mean(dollars)).toBeGreaterThan(2 * median(dollars))
    }
  })

  test('most changes of a book are away from the touch', () => {
    const moves = (coin: string) => seen(coin).bidMoves / seen(coin).updates
    expect(moves('BTC')).toBeWithin(0.05, 0.15)
    for (const coin of MAJORS) expect(moves(coin)).toBeWithin(0.05, 0.2)
  })

  test('the majors have 600 levels a side, the last ones far away', () => {
    for (const coin of MAJORS) {
      const counts = seen(coin).books.map(({ bids, asks }) => Math.min(bids.length, asks.length))
      expect(median(counts)).toBeGreaterThan(600)
      expect(Math.min(...counts)).toBeGreaterThan(450)
      for (const { bids } of seen(coin).books)
        expect(Number(bids.at(-1)?.[0]) / Number(bids[0]?.[0])).toBeWithin(0.88, 0.96)
    }
  })

  test('depth has a hump and falls beyond; round prices draw orders', () => {
    const { books } = seen('BTC')
    const sides = books.flatMap(({ bids, asks }) => [bids, asks])
    expect(median(sides.map((side) => dollarsWithin(side, 2e-4)))).toBeWithin(5e5, 5e6)
    const hump = median(sides.map((side) => dollarsPerTick(side, 5, 20)))
    // Orders gather at the best price, thin out behind it, and rise to the hump.
    expect(hump).toBeGreaterThan(1.2 * median(sides.map((side) => dollarsPerTick(side, 1, 3))))
    expect(median(sides.map((side) => dollarsPerTick(side, 0, 1)))).toBeGreaterThan(2 * hump)
    const far = mean(sides.map((side) => dollarsPerTick(side, 300, 600)))
    expect(far).toBeWithin(0.01 * hump, 0.4 * hump)
    const levels = sides.flat()
    const size = (isSo: (px: number) => boolean) =>
      mean(levels.filter(([px]) => isSo(Number(px))).map(([, sz]) => Number(sz)))
    expect(size((px) => px % 100 === 0)).toBeGreaterThan(2 * size((px) => px % 10 !== 0))
  })

  test('flow moves the price, large orders more', () => {
    const markets = [...calm.values()]
    expect(mean(markets.map(flowAndReturn))).toBeWithin(0.2, 0.75)
    expect(response(markets, 0.9, 1)).toBeGreaterThan(1.5 * response(markets, 0, 0.5))
  })

  test('turnover falls by a power law from coin to coin, in proportion to open interest', () => {
    const coins = [...new Set(events.map(({ coin }) => coin))].filter((coin) => coin !== '')
    const all = coins.map((coin) => ({ coin, ...turnover(watch(events, coin)) }))
    const total = all.reduce((sum, { dollars }) => sum + dollars, 0)
    const shares = all.map(({ dollars }) => dollars / total).toSorted((a, b) => b - a)
    expect(
      all
        .toSorted((a, b) => b.dollars - a.dollars)
        .map(({ coin }) => coin)
        .slice(0, 2)
        // Within minutes, either may have the largest blocks.
        .toSorted(),
    ).toEqual(['BTC', 'ETH'])
    expect(shares[0]).toBeWithin(0.3, 0.6)
    expect(shares[1]).toBeWithin(0.12, 0.35)
    expect(shares[5]).toBeLessThan(0.06)
    for (const { aDayOfInterest } of all)
      if (aDayOfInterest !== null) expect(aDayOfInterest).toBeWithin(0.3, 6)
  })
})

const at = temporaryFolder()
const futures = recordingInForm('usdm')

test(`${futures.about} lies within the same bounds`, async () => {
  await importTape([await futures.file(at(''))], at('futures.zst'))
  const seen = watch(await readTape(at('futures.zst')), 'BTC')
  const memory = (lag: number) =>
    autocorrelation(
      seen.orders.map(({ sign }) => sign),
      lag,
    )
  expect(memory(1)).toBeWithin(0.12, 0.32)
  expect(memory(5)).toBeWithin(0.06, 0.24)
  expect(memory(20)).toBeWithin(0.01, 0.16)
  // It has eight times the orders a second, and correspondingly larger bursts.
  expect(dispersion(seen, 1000)).toBeGreaterThan(7)
  expect(dispersion(seen, 5000)).toBeGreaterThan(dispersion(seen, 1000))
  expect(seen.bidMoves / seen.updates).toBeLessThan(0.15)
  expect(flowAndReturn(seen)).toBeWithin(0.25, 0.75)
  expect(response([seen], 0.9, 1)).toBeGreaterThan(1.5 * response([seen], 0, 0.5))
})
