/** Worlds that continue after their tape: the same bytes however they are grown. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { later } from '../../src/clock/instant.ts'
import type { Book } from '../../src/market/books/book.ts'
import { BookCache, bookCacheOf } from '../../src/market/books/book-cache.ts'
import { Growth } from '../../src/market/growth/growth.ts'
import { openLineFile } from '../../src/market/growth/line-opening.ts'
import { LongLivedOrders } from '../../src/market/queries/perpdex/orders/long-lived-orders.ts'
import { growWorld } from '../../src/market/world/cache.ts'
import type { World } from '../../src/market/world/world.ts'
import { openGrown, openUngrown } from '../../src/market/world/world-file.ts'
import { IDENTITIES } from '../fixtures/accounting-identities.ts'
import { differingTables, growTo, lineOf } from '../fixtures/grown-world.ts'
import { repeatedNumbers } from '../fixtures/seam-checks.ts'
import { ownSmallWorld } from '../fixtures/small-world.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
/** More than a segment. */
const MINUTES = 64
let base: World

beforeAll(async () => {
  base = await ownSmallWorld()
  growTo(lineOf(base, at('whole.sqlite')), MINUTES)
})
afterAll(() => base.close())

test('a line grown in pieces, some of them broken off, is the line grown in one go', () => {
  const order = lineOf(base, at('pieces.sqlite'))
  growTo(order, 2)
  // What was not committed is grown again.
  for (const commits of [3, 25, 4]) {
    const db = openLineFile(order)
    const growth = Growth.of(db)
    const growing = growth.grow(Number.POSITIVE_INFINITY)
    for (let commit = 0; commit < commits; commit++) growing.next()
    const { grownToMs } = growth
    expect(grownToMs).toBeLessThan(base.endMs + MINUTES * 60_000)
    growth.close()
    db.close()
  }
  for (const minutes of [40.5, 60, MINUTES]) growTo(order, minutes)
  expect(differingTables(order.file, at('whole.sqlite'))).toEqual([])
})

test('the first commits of a line are short, so that its events are seen at once', () => {
  const order = lineOf(base, at('first.sqlite'), base.endMs - 90_050)
  const db = openLineFile(order)
  const growth = Growth.of(db)
  const ends = [...growth.grow(order.t0Ms + 300_000)].map((endMs) => (endMs - order.t0Ms) / 1000)
  expect(ends).toEqual([10, 20, 30, 60, 120, 240, 360])
  growth.close()
  db.close()
})

test('a file at its limit is not grown further, and keeps its contents', () => {
  const order = lineOf(base, at('large.sqlite'))
  growTo(order, 2)
  const db = openLineFile(order)
  const growth = Growth.of(db, 1e6)
  const { grownToMs } = growth
  expect(() => growth.grow(grownToMs + 1).next()).toThrow(
    'it has gone on for 0 hours after its tape, and its file takes 0 GB, which is the most: ' +
      'begin anew with reset',
  )
  growth.close()
  db.close()
  growTo(order, 4)
  const world = openGrown(order.file, base.endMs)
  expect(world.endMs - base.endMs).toBe(240_000)
  world.close()
})

test('a world of a line reaches as far as it has been grown', () => {
  const order = lineOf(base, at('read.sqlite'))
  growTo(order, 2)
  expect(differingTables(order.file, at('whole.sqlite'))).toContain('trade')
  const world = openGrown(order.file, base.endMs)
  expect([world.tapeEndMs, world.endMs - base.endMs]).toEqual([base.endMs, 120_000 as never])
  world.close()
})

test('open orders of an hour ago are the same whether they are in memory or read again', () => {
  const [whole, growing] = [0, 1].map(() => openUngrown(at('whole.sqlite'), base.endMs))
  if (!whole || !growing) throw new Error('no worlds')
  const toMs = later(base.endMs, MINUTES * 60_000)
  for (const _ of growWorld(whole, toMs));
  const kept = new LongLivedOrders(whole, Number.POSITIVE_INFINITY)
  const orders = new LongLivedOrders(growing, 600_000)
  for (let minutes = 10; minutes < MINUTES; minutes += 10) {
    for (const _ of growWorld(growing, later(base.endMs, minutes * 60_000)));
    orders.grown()
  }
  const oids = (of: LongLivedOrders, minutes: number) =>
    of.at(later(base.endMs, minutes * 60_000)).map(({ oid }) => oid)
  const requested = [-1, 0, 5, 31, 44, 52, 60]
  for (const minutes of requested)
    expect(oids(orders, minutes).sort()).toEqual(oids(kept, minutes).sort())
  expect(new Set(requested.map((minutes) => oids(kept, minutes).join())).size).toBe(
    requested.length,
  )
  for (const world of [whole, growing]) world.close()
})

test('a line of a line continues from an instant within it, by its events', () => {
  const line = lineOf(base, at('line.sqlite'))
  growTo(line, 6)
  const t0Ms = base.endMs + 210_123
  const event = { kind: 'move', coin: 'BTC', pct: 4, overS: 60 } as const
  const whale = { kind: 'whale', coin: 'SOL', side: 'buy', usd: 60_000, overS: 90 } as const
  const events = [event, whale].map((one) => ({ event: one, requestedMs: t0Ms, fromMs: t0Ms }))
  const branch = { baseFile: line.file, file: at('branch.sqlite'), t0Ms, events }
  growTo(branch, 4)
  const [unscheduled, scheduled] = [line, branch].map(({ file }) => openGrown(file, base.endMs))
  if (!unscheduled || !scheduled) throw new Error('both have been opened')
  for (const check of Object.values(IDENTITIES)) expect(check(scheduled).slice(0, 5)).toEqual([])
  expect(repeatedNumbers(scheduled)).toEqual([])
  const trades = (world: World) =>
    world.db.query('select * from trade where timeMs <= ? order by id').all(t0Ms)
  expect(trades(scheduled)).toEqual(trades(unscheduled))
  const books = (world: World) =>
    [0, 60_000, 200_000, 210_123].map((ms) =>
      world.instruments.map((of) => bookCacheOf(world).at(of, later(base.endMs, ms))),
    )
  expect(books(scheduled)).toEqual(books(unscheduled))
  const last = (world: World) =>
    world.db
      .query('select px from trade where instrument = 0 and timeMs <= ? order by id desc limit 1')
      .get(t0Ms + 120_000) as { px: number }
  expect(last(scheduled).px / last(unscheduled).px).toBeWithin(1.02, 1.06)
  const emptyTraderOrders =
    "select * from orders o join trader t on t.id = o.trader where persona = 'empty'"
  expect(scheduled.db.query(emptyTraderOrders).values()).toEqual([])
  // The whale's scheduled order belongs to one account, as one TWAP.
  const bought = scheduled.db
    .query<{ usd: number; twaps: number; ended: number }, [number]>(
      `select sum(f.notional) / 1e6 as usd, count(distinct f.twap) as twaps, max(w.endMs) as ended
       from fill f join trader t on t.id = f.trader join twap w on w.id = f.twap
       where t.persona = 'whale' and f.timeMs > ?`,
    )
    .get(t0Ms)
  expect(bought?.usd).toBeWithin(57_000, 63_000)
  expect([bought?.twaps, (bought?.ended ?? 0) - t0Ms < 121_000]).toEqual([1, true])
  for (const world of [unscheduled, scheduled]) world.close()
})

test('books do not depend on the order of reads', () => {
  const world = openGrown(at('whole.sqlite'), base.endMs)
  if (!world) throw new Error('it has been opened')
  const cache = new BookCache(world, { weight: 100_000, latest: 2 })
  const made = new BookCache(world)
  const plain = ({ timeMs, bids, asks }: Book) => [
    timeMs,
    [bids, asks].map((side) => side.map(({ px, sz, n }) => [px, sz, n])),
  ]
  const [spanMs, count] = [MINUTES * 60_000, 60]
  for (let n = 0; n < count; n++)
    // Two playheads, and one sporadic reader.
    for (const of of world.instruments)
      for (const ms of [1e6 + n * 700, 2e6 + n * 300, (n * 7_919_001) % spanMs]) {
        const atMs = later(base.endMs, ms)
        const book = made.at(of, atMs)
        expect(cache.look(of, atMs, plain)).toEqual(book && plain(book))
      }
  world.close()
})
