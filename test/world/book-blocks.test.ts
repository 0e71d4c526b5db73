import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { cutBooks } from '../../src/market/growth/cut/cut-world.ts'
import { BookBlockReader, type BookChange, packBook } from '../../src/market/schema/book-blocks.ts'
import { tableStatement } from '../../src/market/schema/statements.ts'

/** Changes of a book whose prices and sizes have a common factor. */
const changes: fc.Arbitrary<BookChange[]> = fc
  .record({
    pxUnit: fc.constantFrom(1, 5, 100),
    lotUnit: fc.constantFrom(1, 1_000),
    startMs: fc.integer({ min: 0, max: 2 ** 41 }),
    steps: fc.array(fc.tuple(fc.nat(5_000), levels(), levels()), { minLength: 1, maxLength: 20 }),
  })
  .map(({ pxUnit, lotUnit, startMs, steps }) => {
    const scaled = (side: Level[]) =>
      side.map(([px, lots, orders]) => ({ px: px * pxUnit, lots: lots * lotUnit, orders }))
    let timeMs = startMs
    return steps.map(([ms, bids, asks]) => {
      timeMs += ms
      return { timeMs, bids: scaled(bids), asks: scaled(asks) }
    })
  })

type Level = [px: number, lots: number, orders: number]

function levels(): fc.Arbitrary<Level[]> {
  const level = fc.tuple(fc.integer({ min: 1, max: 1e9 }), fc.nat(1e9), fc.nat(300))
  return fc.array(level, { maxLength: 8 })
}

function read(blob: Uint8Array): BookChange[] {
  const reader = new BookBlockReader(blob)
  const plain = ([px, lots, orders]: readonly number[]) => ({ px, lots, orders }) as never
  return reader.timesMs.map((timeMs) => {
    const [bids, asks] = reader.next()
    return { timeMs, bids: bids.map(plain), asks: asks.map(plain) }
  })
}

test('a block unpacks to its input', () => {
  fc.assert(fc.property(changes, (some) => expect(read(packBook(some))).toEqual(some)))
})

test('a block that spans the instant of a cut keeps the changes up to it', () => {
  const of = (...times: number[]) =>
    times.map((timeMs) => ({ timeMs, bids: [{ px: timeMs, lots: 3, orders: 1 }], asks: [] }))
  const db = new Database(':memory:', { strict: true })
  db.exec(tableStatement('bookBlock'))
  const add = db.query('insert into bookBlock values (0, ?, ?, 0, ?)')
  for (const some of [of(10, 20), of(30, 40, 40, 50), of(60)])
    add.run(some[0]?.timeMs ?? 0, some.at(-1)?.timeMs ?? 0, packBook(some))
  cutBooks(db, 40)
  const rows = db
    .query<{ toMs: number; changes: Uint8Array }, []>('select * from bookBlock order by fromMs')
    .all()
  expect(rows.map(({ toMs, changes }) => [toMs, read(changes)])).toEqual([
    [20, of(10, 20)],
    [40, of(30, 40, 40)],
  ])
})
