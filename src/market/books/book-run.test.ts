import { expect, test } from 'bun:test'
import { tapeMs } from '../../clock/instant.ts'
import { px, sz } from '../../decimal/quantity.ts'
import type { Book, BookChanges, LevelRow, PriceLevel } from './book.ts'
import { BookRun } from './book-run.ts'

const COUNT = 300
const LATEST_MOST = 2
const level = (price: number, size: number): LevelRow => [px(price), sz(size), 1]
const whole: BookChanges = [[level(100, 5)], [level(101, 7), level(102, 1)]]
/** The best bid appears and disappears, and the best ask has another size each time. */
const changes = (at: number): BookChanges =>
  at === 0 ? whole : [[level(100, at % 3)], [level(101, at)]]
const stored = {
  timesMs: Array.from({ length: COUNT }, (_, at) => tapeMs(1_000 + at)),
  levels: 3,
  changes,
}

const sizes = (side: readonly PriceLevel[]) => side.map((one) => [Number(one.px), Number(one.sz)])
const expected = (at: number) => {
  const bid = at === 0 ? 5 : at % 3
  return [
    bid === 0 ? [] : [[100, bid]],
    [
      [101, at === 0 ? 7 : at],
      [102, 1],
    ],
  ]
}

const whatIs = ({ timeMs, bids, asks }: Book) => [timeMs, sizes(bids), sizes(asks)]

/** A book that was handed out before the run continued. */
function bookOfEarlier(run: BookRun, at: number): Book {
  const book = run.at(at)
  for (const next of [at + 1, at + 2, 0]) run.look(next % COUNT, whatIs)
  return book
}

for (const [order, places] of [
  ['in order', (at: number) => at],
  ['backwards', (at: number) => COUNT - 1 - at],
  ['to and fro', (at: number) => (at * 7_919) % COUNT],
] as const)
  test(`books of a run do not depend on the order of reads: ${order}`, () => {
    const run = new BookRun(stored, null, LATEST_MOST)
    for (let n = 0; n < COUNT; n++) {
      const at = places(n)
      if (n % 2 === 0) run.bestAt((at * 31) % COUNT)
      const wanted = [tapeMs(1_000 + at), ...expected(at)]
      expect(run.look(at, whatIs)).toEqual(wanted)
      expect(run.look((at * 37) % COUNT, whatIs).slice(1)).toEqual(expected((at * 37) % COUNT))
      const { bids, asks } = n % 3 === 0 ? bookOfEarlier(run, at) : run.at(at)
      expect(whatIs(run.at(at))).toEqual(wanted)
      const { bid, ask } = run.bestAt(at)
      expect([bid?.sz, ask?.sz]).toEqual([bids[0]?.sz, asks[0]?.sz])
    }
  })

test('a run continues from the last book of the one before it', () => {
  const start = new BookRun(stored, null, LATEST_MOST).at(COUNT - 1)
  const run = new BookRun({ ...stored, changes: () => [[], [level(102, 0)]] }, start, LATEST_MOST)
  expect(sizes(run.at(0).asks)).toEqual([[101, COUNT - 1]])
  expect(run.bestAt(0).bid?.sz).toBe(start.bids[0]?.sz)
})
