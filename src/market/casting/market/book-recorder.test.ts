import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { px, sz } from '../../../decimal/quantity.ts'
import type { InstrumentRow } from '../../schema/schema.ts'
import { tableLayouts } from '../../schema/statements.ts'
import { RowNumbers } from '../row-numbers.ts'
import type { InputLevel } from '../tape-input.ts'
import { RowWriter } from '../writing/row-writer.ts'
import { BookRecorder } from './book-recorder.ts'
import { MarketState } from './market-state.ts'

const ROW: InstrumentRow = {
  id: 0,
  coin: 'BTC',
  kind: 'perp',
  dex: '',
  base: 'BTC',
  quote: 'USDC',
  asset: 0,
  pxDecimals: 1,
  szDecimals: 5,
  maxLeverage: 40,
  fundingDecimals: 11,
  tick: px(10),
  baseToken: null,
  quoteToken: null,
  firstPx: px(1000),
}
const SURVEY = {
  firstPx: px(1000),
  tick: px(10),
  lot: sz(1),
  tradeUsd: 1e6,
  meanTradeUsd: 1e6,
  usdPerSecond: 1e6,
  interest: null,
  premium: null,
}

interface BookRow {
  timeMs: number
  keyframe: number
  levels: string
}

/** Books after so many changes, `stepMs` apart; each changes the best bid's size. */
function booksOf(changes: number, stepMs: number): BookRow[] {
  const db = new Database(':memory:')
  const writer = new RowWriter(db, tableLayouts())
  const books = new BookRecorder(writer, new RowNumbers())
  const market = new MarketState(ROW, SURVEY)
  const asks: InputLevel[] = [
    ['101.0', '1', 1],
    ['99.5', '4', 2],
  ]
  books.replace(market, 0, { bids: [['9.0', '2', 1]], asks })
  for (let n = 1; n <= changes; n++) {
    const bids: InputLevel[] = [['99.0', String(n), 1]]
    books.applyDelta(market, n * stepMs, { bids, asks: [] })
  }
  writer.settled()
  return db.query<BookRow, []>('select timeMs, keyframe, levels from book order by id').all()
}

test('a full book is written again after 64 changes, sorted by price', () => {
  const rows = booksOf(130, 1)
  const frames = rows.flatMap((row, at) => (row.keyframe === 1 ? [at] : []))
  expect(frames).toEqual([0, 65, 130])
  expect(JSON.parse(rows[65]?.levels ?? '')).toEqual([
    [
      ['99.0', '65', 1],
      ['9.0', '2', 1],
    ],
    [
      ['99.5', '4', 2],
      ['101.0', '1', 1],
    ],
  ])
  expect(JSON.parse(rows[64]?.levels ?? '')).toEqual([[['99.0', '64', 1]], []])
})

test('each level of a full book is written as received, whatever its numbers', () => {
  const db = new Database(':memory:')
  const writer = new RowWriter(db, tableLayouts())
  const books = new BookRecorder(writer, new RowNumbers())
  const market = new MarketState(ROW, SURVEY)
  const bids: InputLevel[] = [
    ['99.5', '12.00001', 9],
    ['99', '4', 10],
    ['8.5', '100000', 1234567],
  ]
  const asks: InputLevel[] = [
    ['100', '0.5', 0],
    ['100000.5', '7', 100],
  ]
  books.replace(market, 0, { bids, asks })
  const changed: InputLevel = ['99', '5', 11]
  books.applyDelta(market, 60_000, { bids: [changed], asks: [] })
  writer.settled()
  const rows = db.query<BookRow, []>('select timeMs, keyframe, levels from book order by id').all()
  const [first, , last] = bids as [InputLevel, InputLevel, InputLevel]
  expect(rows.map(({ levels }) => JSON.parse(levels))).toEqual([
    [bids, asks],
    [[first, changed, last], asks],
  ])
})

test('a deep book is written again after as many changes as a quarter of its levels', () => {
  const db = new Database(':memory:')
  const writer = new RowWriter(db, tableLayouts())
  const books = new BookRecorder(writer, new RowNumbers())
  const market = new MarketState(ROW, SURVEY)
  const side = (from: number, step: number) =>
    Array.from({ length: 200 }, (_, at): InputLevel => [String(from + step * at), '1', 1])
  books.replace(market, 0, { bids: side(1000, -1), asks: side(1001, 1) })
  for (let n = 1; n <= 250; n++)
    books.applyDelta(market, n, { bids: [['1000', String(n + 1), 1]], asks: [] })
  writer.settled()
  const frames = db.query<{ id: number }, []>('select id from book where keyframe = 1').all()
  expect(frames.map(({ id }) => id)).toEqual([1, 102, 203])
})

test('a full book is written again after a minute', () => {
  const rows = booksOf(7, 20_000)
  expect(rows.map(({ keyframe }) => keyframe)).toEqual([1, 0, 0, 1, 0, 0, 1, 0])
})

test('size 0 removes a level, and the mid price follows', () => {
  const books = new BookRecorder(
    new RowWriter(new Database(':memory:'), tableLayouts()),
    new RowNumbers(),
  )
  const market = new MarketState(ROW, SURVEY)
  expect(books.midPrice(market)).toBeNull()
  books.replace(market, 0, { bids: [['99.0', '1', 1]], asks: [['101.0', '1', 1]] })
  expect(books.midPrice(market)).toBe(px(1000))
  books.applyDelta(market, 1, { bids: [], asks: [['101.0', '0.0', 0]] })
  expect(books.midPrice(market)).toBeNull()
})
