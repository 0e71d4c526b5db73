import { expect, test } from 'bun:test'
import type { MarketOpening } from '../../src/market/synth/local-conditions.ts'
import type { SynthLevel } from '../../src/market/synth/order-matching.ts'
import { priceGrid } from '../../src/market/synth/order-matching.ts'
import type { SynthEvent, SynthTrade } from '../../src/market/synth/synth-event.ts'
import {
  newSynthesiser,
  openSynthesiser,
  Synthesiser,
  type SynthesiserState,
} from '../../src/market/synth/synthesiser.ts'
import { INSTRUMENT_PROFILES } from '../../src/tape/synth/listing.ts'

const START_MS = Date.UTC(2026, 0, 15, 12)
const STEPS_PER_MINUTE = 600
const BEFORE = newSynthesiser(5, START_MS, INSTRUMENT_PROFILES)
const SCHEDULED_BEFORE = eventsOf(new Synthesiser(BEFORE), 2 * STEPS_PER_MINUTE)
const END_MS = START_MS + BEFORE.nextMs

test('opened markets continue from their given books and prices', () => {
  const state = opened()
  const books = JSON.stringify(state.markets.map(({ book }) => book))
  const first = new Synthesiser(state).step()
  expect(books).toBe(JSON.stringify(BEFORE.markets.map(({ book }) => book)))
  expect(first.some(({ kind }) => kind === 'book')).toBe(false)
  for (const event of first)
    if (event.kind === 'mark') {
      const before = SCHEDULED_BEFORE.findLast(
        ({ kind, coin }) => kind === 'mark' && coin === event.coin,
      )
      if (before?.kind !== 'mark') throw new Error(`${event.coin} had a mark price before`)
      expect(event.mark / before.mark).toBeWithin(0.998, 1.002)
      expect(event.oracle / before.oracle).toBeWithin(0.998, 1.002)
    }
})

test('publications continue at the same multiples of their period', () => {
  const events = eventsOf(new Synthesiser(opened()), STEPS_PER_MINUTE)
  for (const { kind, timeMs } of events) {
    if (kind === 'mark') expect(timeMs % 3000).toBe(0)
    if (kind === 'interest') expect(timeMs % 30_000).toBe(0)
    expect(kind).not.toBe('funding')
  }
})

test('a copy of opened markets gives the same events, another key different ones', () => {
  const text = (state: SynthesiserState) =>
    JSON.stringify(eventsOf(new Synthesiser(state), STEPS_PER_MINUTE))
  const first = text(opened())
  expect(text(opened())).toBe(first)
  expect(text(opened('other'))).not.toBe(first)
  const state = opened()
  const whole = new Synthesiser(state)
  eventsOf(whole, 333)
  const copy = JSON.parse(JSON.stringify(state)) as SynthesiserState
  expect(JSON.stringify(eventsOf(new Synthesiser(copy), 333))).toBe(
    JSON.stringify(eventsOf(whole, 333)),
  )
})

test('an order from outside takes from the book, marked with its tag, and moves the price', () => {
  const state = opened()
  const asks = (state.markets[0]?.book.asks ?? []).toReversed()
  const wanted = sum(asks.slice(0, 12)) + 1
  const [quiet, moved] = [new Synthesiser(opened()), new Synthesiser(state)]
  moved.submit({ coin: 'BTC', side: 'B', lots: wanted, tag: 77 })
  const trades = tradesOf(moved.step()).filter(({ tag }) => tag !== undefined)
  expect(trades.every(({ coin, side, tag }) => coin === 'BTC' && side === 'B' && tag === 77)).toBe(
    true,
  )
  expect(trades.reduce((lots, each) => lots + each.lots, 0)).toBe(wanted)
  const { unitsAt } = priceGrid({ pxDecimals: 1 })
  expect(trades[0]?.px).toBe(unitsAt(asks[0]?.tick ?? 0))
  expect(trades.at(-1)?.px).toBe(unitsAt(asks[12]?.tick ?? 0))
  expect(tradesOf(moved.step()).some(({ tag }) => tag !== undefined)).toBe(false)
  quiet.step()
  quiet.step()
  const [withOrder, without] = [lastMark(moved), lastMark(quiet)]
  expect(withOrder / without).toBeGreaterThan(1.0001)
})

test('an order from outside goes six thousandths from the fair price and no farther', () => {
  const state = opened()
  const { unitsAt } = priceGrid({ pxDecimals: 1 })
  const best = unitsAt(state.markets[0]?.book.bids.at(-1)?.tick ?? 0)
  const synthesiser = new Synthesiser(state)
  synthesiser.submit({ coin: 'BTC', side: 'A', lots: 1e12, tag: 5 })
  const trades = tradesOf(synthesiser.step()).filter(({ tag }) => tag === 5)
  expect((trades.at(-1)?.px ?? 0) / best).toBeWithin(0.992, 0.996)
})

test('an order of an unknown coin is refused', () => {
  const order = { coin: 'NONE', side: 'B', lots: 1, tag: 1 } as const
  expect(() => new Synthesiser(opened()).submit(order)).toThrow('there is no market of NONE')
})

test('a partly known book is completed, an unknown one is generated', () => {
  const openings = openingsOf(BEFORE)
  const [part, none] = openings as [MarketOpening, MarketOpening]
  part.book = { bids: part.book.bids.slice(0, 20), asks: part.book.asks.slice(0, 20) }
  none.book = { bids: [], asks: [] }
  const state = openSynthesiser('part', END_MS, [part, none], { key: 'line', sinceMs: END_MS })
  const first = new Synthesiser(state).step()
  const scheduled = (coin: string) => first.find((event) => event.coin === coin)
  expect(scheduled('BTC')).toMatchObject({ kind: 'delta', timeMs: END_MS })
  expect(scheduled('ETH')).toMatchObject({ kind: 'book', timeMs: END_MS })
  for (const { book } of state.markets)
    for (const side of [book.bids, book.asks]) expect(side.length).toBeWithin(450, 900)
})

/** The markets of BEFORE, reopened. */
function opened(key = 'future'): SynthesiserState {
  return openSynthesiser(key, END_MS, openingsOf(BEFORE), { key: 'line', sinceMs: END_MS })
}

function openingsOf(state: SynthesiserState): MarketOpening[] {
  return state.markets.map(({ profile, book, lastTick, metrics }) => {
    const grid = priceGrid(profile)
    const level = ({ tick, lots, orders }: SynthLevel) => ({ px: grid.unitsAt(tick), lots, orders })
    return {
      profile,
      book: { bids: book.bids.toReversed().map(level), asks: book.asks.toReversed().map(level) },
      lastPx: grid.unitsAt(lastTick),
      oraclePx: metrics.oracle,
      premium: metrics.premium,
      openInterestLots: metrics.interest,
    }
  })
}

function eventsOf(synthesiser: Synthesiser, steps: number): SynthEvent[] {
  return Array.from({ length: steps }, () => synthesiser.step()).flat()
}

function tradesOf(events: SynthEvent[]): SynthTrade[] {
  return events.flatMap((event) => (event.kind === 'trade' ? [event] : []))
}

function sum(levels: SynthLevel[]): number {
  return levels.reduce((lots, each) => lots + each.lots, 0)
}

/** BTC's mark price some seconds later. */
function lastMark(synthesiser: Synthesiser): number {
  const marks = eventsOf(synthesiser, 40).flatMap((event) =>
    event.kind === 'mark' && event.coin === 'BTC' ? [event.mark] : [],
  )
  return marks.at(-1) ?? Number.NaN
}
