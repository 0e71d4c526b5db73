import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { tapeMs } from '../../clock/instant.ts'
import { type Px, px, raw, sum, sz, ZERO } from '../../decimal/quantity.ts'
import { derivedBook } from '../exchanges/derived-books.ts'
import { EXCHANGES } from '../exchanges/exchanges.ts'
import {
  type Book,
  type BookChanges,
  BookWalk,
  bookOf,
  figureStep,
  type LevelRow,
  type PriceLevel,
  roundedBook,
  roundedLevels,
  SHOWN_LEVELS,
} from './book.ts'
import { priceIntervals } from './price-intervals.ts'

const DECIMALS = { pxDecimals: 2, szDecimals: 3 }

/** Levels around 10 000 with each price once; bids lie below the asks. */
const books = fc
  .tuple(levels(1, 9_999), levels(10_000, 2_000_000))
  .map(([bids, asks]) => bookOf(tapeMs(1_000), bids, asks))

function levels(low: number, high: number): fc.Arbitrary<LevelRow[]> {
  const level = fc.tuple(
    fc.integer({ min: low, max: high }).map(px),
    fc.integer({ min: 1, max: 1_000_000 }).map(sz),
    fc.integer({ min: 1, max: 50 }),
  )
  return fc.uniqueArray(level, { selector: ([price]) => price, maxLength: 60 })
}

function changed(book: Book, timeMs: Book['timeMs'], changes: BookChanges): Book {
  const walk = new BookWalk(book)
  walk.apply(changes)
  return walk.book(timeMs)
}

const total = (side: readonly PriceLevel[]) => sum(side.map((one) => one.sz))
const level = (price: number, size: number, n: number): LevelRow => [px(price), sz(size), n]
const priceOf = (side: readonly PriceLevel[]) => raw(side[0]?.px ?? ZERO)
const orders = (side: readonly { n: number }[]) => side.reduce((sum, { n }) => sum + n, 0)
const plain = ({ bids, asks }: Pick<Book, 'bids' | 'asks'>) =>
  [bids, asks].map((side) => side.map(({ px, sz, n }) => [px, sz, n]))

/** Asserts strictly falling bids and strictly rising asks. */
function expectOrdered({ bids, asks }: Pick<Book, 'bids' | 'asks'>): void {
  const falls = (side: readonly PriceLevel[]) =>
    side.every((one, at) => at === 0 || one.px < (side[at - 1]?.px ?? ZERO))
  expect(falls(bids)).toBe(true)
  expect(falls(asks.toReversed())).toBe(true)
}

test('a changed book is the whole book with those levels put in place', () => {
  fc.assert(
    fc.property(books, levels(1, 9_999), levels(10_000, 2_000_000), (book, bids, asks) => {
      const gone = ([price, size, n]: LevelRow): LevelRow => [
        price,
        raw(size) % 3 === 0 ? ZERO : size,
        n,
      ]
      const [toBids, toAsks] = [bids.map(gone), asks.map(gone)]
      const after = (side: readonly PriceLevel[], changes: LevelRow[]): LevelRow[] => {
        const left = new Map(side.map((one) => [one.px, [one.px, one.sz, one.n] as LevelRow]))
        for (const change of changes) left.set(change[0], change)
        return [...left.values()].filter(([, size]) => size > ZERO)
      }
      const next = changed(book, tapeMs(2_000), [toBids, toAsks])
      const whole = bookOf(tapeMs(2_000), after(book.bids, toBids), after(book.asks, toAsks))
      expect(plain(next)).toEqual(plain(whole))
      expectOrdered(next)
    }),
  )
})

test('a book stays as it was when the next one is made from it', () => {
  const book = bookOf(tapeMs(1), [level(100, 5, 1)], [level(101, 7, 2)])
  changed(book, tapeMs(2), [[level(100, 0, 0)], [level(101, 9, 1)]])
  expect(plain(book) as unknown).toEqual([[[100, 5, 1]], [[101, 7, 2]]])
})

const roundings = fc.oneof(
  fc.record({ figures: fc.integer({ min: 2, max: 5 }), mantissa: fc.constant(1) }),
  fc.record({ figures: fc.constant(5), mantissa: fc.constantFrom(2, 5) }),
)

test('rounding keeps every size and order, on the grid, bids down and asks up', () => {
  fc.assert(
    fc.property(books, roundings, (book, rounding) => {
      const { bids, asks } = roundedBook(book, rounding)
      expect([total(bids), total(asks)]).toEqual([total(book.bids), total(book.asks)])
      expect([orders(bids), orders(asks)]).toEqual([orders(book.bids), orders(book.asks)])
      expectOrdered({ bids, asks })
      for (const { px } of [...bids, ...asks]) expect(raw(px) % figureStep(px, rounding)).toBe(0)
      const roundedPx = (price: Px, round: (steps: number) => number) =>
        round(raw(price) / figureStep(price, rounding)) * figureStep(price, rounding)
      const pricesOf = (side: readonly PriceLevel[], round: (steps: number) => number) => [
        ...new Set(side.map((one) => roundedPx(one.px, round))),
      ]
      expect(bids.map((one) => raw(one.px))).toEqual(pricesOf(book.bids, Math.floor))
      expect(asks.map((one) => raw(one.px))).toEqual(pricesOf(book.asks, Math.ceil))
      const [bid, ask] = [book.bids[0], book.asks[0]]
      if (bid) expect(priceOf(bids)).toBeLessThanOrEqual(raw(bid.px))
      if (ask) expect(priceOf(asks)).toBeGreaterThanOrEqual(raw(ask.px))
    }),
  )
})

test('a rounded book is summed over the whole book before it is cut to 20 levels', () => {
  const bids = Array.from({ length: 100 }, (_, at) => level(10_000 - at, 1, 1))
  const [shown] = roundedLevels(bookOf(tapeMs(1), bids, []), DECIMALS, { figures: 3, mantissa: 1 })
  expect(shown).toHaveLength(11)
  expect(shown[0]).toEqual({ px: '100.0', sz: '0.001', n: 1 })
  expect(shown[1]).toEqual({ px: '99.9', sz: '0.01', n: 10 })
  expect(shown[10]).toEqual({ px: '99.0', sz: '0.009', n: 9 })
  const whole = roundedLevels(bookOf(tapeMs(1), bids, []), DECIMALS, null)[0]
  expect(whole).toHaveLength(SHOWN_LEVELS)
})

/** A decimal text in units of 10^-7. */
function units(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(7, '0'))
}

test('intervals hold the whole book, each level in the interval that it belongs to', () => {
  const widths = fc.constantFrom('0.001', '0.01', '0.05', '0.3', '1', '2.5', '100', '0.0000001')
  fc.assert(
    fc.property(books, widths, (book, width) => {
      const bins = priceIntervals(book, DECIMALS, Number(width))
      for (const [side, found] of [
        [book.bids, bins.bids],
        [book.asks, bins.asks],
      ] as const) {
        const quantities = new Map(found.map(([start, , sz]) => [units(start), units(sz)]))
        for (const [start, end] of found) {
          expect(units(start) % units(width)).toBe(0n)
          expect(units(end) - units(start)).toBe(units(width))
        }
        for (const { px, sz } of side) {
          const price = BigInt(raw(px)) * 100_000n
          const start = price - (price % units(width))
          quantities.set(start, (quantities.get(start) ?? 0n) - BigInt(raw(sz)) * 10_000n)
        }
        expect([...quantities.values()].filter((left) => left !== 0n)).toEqual([])
      }
      const starts = (side: readonly (readonly string[])[]) => side.map(([start]) => Number(start))
      expect(starts(bins.bids)).toEqual(starts(bins.bids).toSorted((a, b) => b - a))
      expect(starts(bins.asks)).toEqual(starts(bins.asks).toSorted((a, b) => a - b))
      expect(new Set(starts(bins.bids)).size).toBe(bins.bids.length)
    }),
  )
})

test('intervals are half-open and written without binary noise', () => {
  const book = bookOf(
    tapeMs(1),
    [],
    [10, 19, 20, 30].map((price) => level(price, 1_000, 1)),
  )
  expect(priceIntervals(book, DECIMALS, 0.1).asks).toEqual([
    ['0.1', '0.2', '2'],
    ['0.2', '0.3', '1'],
    ['0.3', '0.4', '1'],
  ])
})

test('a derived book is in order, on its tick, never crossed, and the same each time', () => {
  const basis = fc.double({ min: -0.002, max: 0.002, noNaN: true })
  const views = fc.record({
    exchange: fc.constantFrom(...EXCHANGES),
    basis,
    ownPx: fc.option(fc.integer({ min: 1, max: 2_000_000 }).map(px)),
    salt: fc.integer(),
    timeMs: fc.integer({ min: 1, max: 2e12 }).map(tapeMs),
  })
  fc.assert(
    fc.property(books, views, (book, view) => {
      const of = { firstPx: px(1_000_000) }
      const other = derivedBook(book, of, view)
      expectOrdered(other)
      expect([other.bids.length > 0, other.asks.length > 0]).toEqual([
        book.bids.length > 0,
        book.asks.length > 0,
      ])
      for (const { px, sz } of [...other.bids, ...other.asks]) {
        expect(raw(px) % stepOn(of, view.exchange)).toBe(0)
        expect(raw(sz)).toBeGreaterThan(0)
      }
      const [bid, ask] = [other.bids[0], other.asks[0]]
      if (bid && ask) expect(raw(bid.px)).toBeLessThan(raw(ask.px))
      expect(plain(derivedBook(book, of, view))).toEqual(plain(other))
    }),
  )
})

const stepOn = ({ firstPx }: { firstPx: Px }, { tick }: (typeof EXCHANGES)[number]) =>
  tick.step * 10 ** (String(firstPx).length - tick.figures)
