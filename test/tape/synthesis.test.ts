import { afterAll, expect, test } from 'bun:test'
import { parse } from '../../src/decimal/quantity.ts'
import {
  newSynthesiser,
  Synthesiser,
  type SynthesiserState,
} from '../../src/market/synth/synthesiser.ts'
import { INSTRUMENT_PROFILES } from '../../src/tape/synth/listing.ts'
import { type SynthOptions, synthesise, synthInstruments } from '../../src/tape/synth/synthesis.ts'
import type { BookData, EventDraft, LiquidationData, TradeData } from '../../src/tape/tape-event.ts'

const START_MS = Date.UTC(2026, 0, 15, 12)
const LENGTH_MS = 20 * 60_000
const INSTRUMENTS = new Map(synthInstruments().map((each) => [each.coin, each]))
const EVENTS = [...synthesise({ seed: 1 })]
// Else the process would keep them until it ends.
afterAll(() => EVENTS.splice(0))

test('events are in order of time from the start to the end of the tape', () => {
  expect(EVENTS[0]?.time).toBe(START_MS)
  const times = EVENTS.map(({ time }) => time)
  expect(times).toEqual([...times].sort((a, b) => a - b))
  expect(times.at(-1)).toBeWithin(START_MS + LENGTH_MS - 1000, START_MS + LENGTH_MS)
  expect(new Set(EVENTS.map(({ coin }) => coin))).toEqual(new Set(INSTRUMENTS.keys()))
})

test('every trade takes from the book, and the book is never crossed', () => {
  const books = new Map<string, Book>()
  for (const { kind, coin, data } of EVENTS) {
    const book = books.get(coin) ?? new Book()
    books.set(coin, book)
    if (kind === 'trade') book.hit(data)
    if (kind !== 'book' && kind !== 'delta') continue
    book.apply(kind, data)
    expect(book.best('bids')).toBeLessThan(book.best('asks'))
    expect(Math.min(book.bids.size, book.asks.size)).toBeGreaterThan(9)
  }
})

test('prices have the decimals and the five figures of the venue, sizes whole lots', () => {
  for (const { kind, coin, data } of EVENTS) {
    const { pxDecimals, szDecimals } = instrument(coin)
    const prices = (px: string) => {
      expect(parse(px, pxDecimals)).toBeGreaterThan(0)
      expect(px.includes('.') ? figures(px) : 0).toBeLessThanOrEqual(5)
    }
    if (kind === 'mark') [data.mark, data.oracle].forEach(prices)
    if (kind === 'trade') {
      prices(data.px)
      expect(parse(data.sz, szDecimals)).toBeGreaterThan(0)
    }
    if (kind !== 'book' && kind !== 'delta') continue
    for (const [px, sz, n] of [...data.bids, ...data.asks]) {
      prices(px)
      expect(parse(sz, szDecimals) === 0).toBe(n === 0)
    }
  }
})

test('trade numbers are exact and never repeat', () => {
  const tids = EVENTS.flatMap(({ kind, data }) => (kind === 'trade' ? [data.tid ?? -1] : []))
  expect(tids.length).toBeWithin(8000, 15_000)
  expect(new Set(tids).size).toBe(tids.length)
  expect(tids.every((tid) => Number.isSafeInteger(tid) && tid >= 0)).toBe(true)
})

test('about minute 13 longs are liquidated by the trades that follow at once', () => {
  const liquidations = EVENTS.flatMap((event, at) =>
    event.kind === 'liquidation' ? [{ event, at }] : [],
  )
  expect(liquidations.length).toBeWithin(8, 21)
  expect(new Set(liquidations.map(({ event }) => event.coin)).size).toBeGreaterThan(4)
  const dollars = liquidations.map(({ event }) => Number(event.data.sz) * Number(event.data.markPx))
  expect(Math.max(...dollars)).toBeGreaterThan(1_000_000)
  expect(Math.min(...dollars)).toBeLessThan(10_000)
  for (const { event, at } of liquidations) {
    expect(event.time - START_MS).toBeWithin(12 * 60_000, 14 * 60_000)
    carriedOut(event.coin, event.data, EVENTS.slice(at + 1, at + 1 + event.data.tids.length))
  }
})

test('the same seed gives the same events, another seed others', () => {
  const text = (seed: number, minutes: number) =>
    [...synthesise({ seed, minutes })].map((event) => JSON.stringify(event)).join('\n')
  const first = text(7, 1)
  expect(text(7, 1)).toBe(first)
  expect(text(7, 2).startsWith(first)).toBe(true)
  expect(text(8, 1)).not.toBe(first)
})

test('markets continue from a stored state without a seam, and so does a copy', () => {
  const text = (synthesiser: Synthesiser, steps: number) =>
    Array.from({ length: steps }, () => JSON.stringify(synthesiser.step())).join('\n')
  const state = newSynthesiser(5, START_MS - 30_000, INSTRUMENT_PROFILES)
  const first = new Synthesiser(state)
  text(first, 900)
  const stored = JSON.stringify(state)
  const further = text(first, 900)
  const copies = [JSON.parse(stored), JSON.parse(stored)] as SynthesiserState[]
  for (const copy of copies) expect(text(new Synthesiser(copy), 900)).toBe(further)
  expect(copies.map((copy) => JSON.stringify(copy))).toEqual(
    copies.map(() => JSON.stringify(state)),
  )
})

test('funding is due at the start and on each hour, for perpetuals only', () => {
  const startMs = START_MS - 60_000
  const due = [...synthesise({ seed: 3, minutes: 2, startMs })].filter((e) => e.kind === 'funding')
  const perps = [...INSTRUMENTS.values()].filter(({ kind }) => kind === 'perp')
  expect(due.map(({ time }) => time)).toEqual([
    ...perps.map(() => startMs),
    ...perps.map(() => START_MS),
  ])
  expect(due[0]?.data).toMatchObject({ rate: '0.0000125' })
})

test('an invalid seed, length or start is refused with a hint', () => {
  const synthesising = (options: SynthOptions) => () => synthesise(options).next()
  expect(synthesising({ seed: 1.5 })).toThrow('seed 1.5 is not a whole number')
  expect(synthesising({ seed: 1, minutes: 0 })).toThrow('0 minutes is no length, it lies above 0')
  expect(synthesising({ seed: 1, minutes: Number.NaN })).toThrow('NaN minutes is no length')
  expect(synthesising({ seed: 1, startMs: -1 })).toThrow(
    'start -1 is not a time in whole milliseconds',
  )
})

/** A book as built by a reader of the tape. */
class Book {
  readonly bids = new Map<number, number>()
  readonly asks = new Map<number, number>()

  apply(kind: 'book' | 'delta', data: BookData): void {
    for (const side of ['bids', 'asks'] as const) {
      if (kind === 'book') this[side].clear()
      for (const [px, size] of data[side]) {
        const sz = parse(size, 5)
        if (sz === 0) this[side].delete(Number(px))
        else this[side].set(Number(px), sz)
      }
    }
  }

  best(side: 'bids' | 'asks'): number {
    const better = side === 'bids' ? Math.max : Math.min
    return this[side].keys().reduce((best, px) => better(best, px))
  }

  /** Removes a trade from the book; it must be at the best price with enough size. */
  hit({ side: takerSide, px, sz }: TradeData): void {
    const side = takerSide === 'B' ? 'asks' : 'bids'
    const price = Number(px)
    expect(price).toBe(this.best(side))
    const rest = (this[side].get(price) ?? -1) - parse(sz, 5)
    expect(rest).toBeGreaterThanOrEqual(0)
    if (rest === 0) this[side].delete(price)
    else this[side].set(price, rest)
  }
}

function carriedOut(coin: string, data: LiquidationData, trades: EventDraft[]): void {
  const { szDecimals } = instrument(coin)
  const done = trades.flatMap((each) => (each.kind === 'trade' ? [each] : []))
  expect(done.map((each) => each.data.tid)).toEqual(data.tids)
  expect(done.every((each) => each.coin === coin && each.data.side === 'A')).toBe(true)
  const lots = done.reduce((sum, each) => sum + parse(each.data.sz, szDecimals), 0)
  expect(lots).toBe(parse(data.sz, szDecimals))
  expect(data.position).toBe('long')
}

function instrument(coin: string) {
  const found = INSTRUMENTS.get(coin)
  if (!found) throw new Error(`no instrument ${coin}`)
  return found
}

/** Significant figures of a price. */
function figures(px: string): number {
  return px.replace('.', '').replace(/^0+/, '').length
}
