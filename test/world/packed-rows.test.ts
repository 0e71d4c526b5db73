/** Packed data of a world equals its rows, at any instant. */
import { expect, test } from 'bun:test'
import { later, tapeMs } from '../../src/clock/instant.ts'
import { raw } from '../../src/decimal/quantity.ts'
import { liquidationsBetween } from '../../src/market/rows/liquidation-columns.ts'
import { markPx } from '../../src/market/rows/mark-prices.ts'
import { type PositionColumns, positionColumns } from '../../src/market/rows/position-columns.ts'
import { accountOn, traderHistories } from '../../src/market/rows/trader-histories.ts'
import { tradersOf } from '../../src/market/rows/traders.ts'
import type { InstrumentRow } from '../../src/market/schema/schema.ts'
import { smallWorld } from '../fixtures/small-world.ts'

const world = await smallWorld()
const { list } = tradersOf(world)
const DAY_MS = 86_400_000
/** In the history, and in the tape. */
const instants = [-40 * DAY_MS, -29 * DAY_MS, -3 * DAY_MS, -1, 0, 5_000, 40_001, 179_000].map(
  (at) => later(world.startMs, at),
)

const first = (text: string, ...given: (string | number)[]) =>
  (world.db.query(text).values(...given)[0] ?? null) as number[] | null

test('cash of an account is that of its newest fill or entry of the ledger', () => {
  let count = 0
  // By trader too: fills have no index by account alone.
  for (const { id } of list)
    for (const { dex, cash } of traderHistories(world).of(id).accounts) {
      const account = tradersOf(world).accountOf(id, dex) as number
      for (const atMs of instants) {
        const newest = first(
          `select cashAfter from (select timeMs, id, cashAfter from fill
             where trader = ?3 and account = ?1
           union all select timeMs, id, cashAfter from ledger where account = ?1)
           where timeMs <= ?2 order by timeMs desc, id desc limit 1`,
          account,
          Number(atMs),
          id,
        )
        expect(cash.at(atMs)).toBe(newest?.[0] ?? null)
        count += newest === null ? 0 : 1
      }
    }
  expect(count).toBeGreaterThan(1000)
})

test('holdings are those after the newest row of the instrument', () => {
  let count = 0
  for (const { id } of list)
    for (const holding of traderHistories(world).of(id).holdings)
      for (const atMs of instants) {
        const newest = first(
          `select sz, cost, funding, atOpen, fundingIndex from (
             select timeMs, id, positionAfter sz, costAfter cost, fundingAfter funding,
               fundingAtOpen atOpen, fundingIndex from fill where trader = ?1 and instrument = ?2
             union all select timeMs, id, positionAfter, costAfter, 0, 0, 0 from ledger
             where trader = ?1 and instrument = ?2)
           where timeMs <= ?3 order by timeMs desc, id desc limit 1`,
          id,
          holding.instrument.id,
          Number(atMs),
        )
        const row = holding.lastUpTo(atMs)
        expect(row < 0).toBe(newest === null)
        if (newest === null) continue
        const packed = [
          ...[holding.sz(row), holding.cost(row), holding.funding(row)],
          ...[holding.fundingAtOpen(row), holding.fundingIndex(row)],
        ]
        expect(packed.map(raw)).toEqual(newest)
        count++
      }
  expect(count).toBeGreaterThan(1000)
})

test('leverage and margin mode are those of every fill', () => {
  for (const { id } of list)
    for (const { instrument, leverage, isolated } of traderHistories(world).of(id).holdings) {
      const rows = world.db
        .query('select distinct leverage, isolated from fill where trader = ? and instrument = ?')
        .values(id, instrument.id)
      if (instrument.kind === 'perp') expect(rows).toEqual([[leverage, Number(isolated)]])
    }
})

test('a trader and its accounts exist from their first row on', () => {
  for (const { id } of list) {
    const history = traderHistories(world).of(id)
    const begun = first(
      `select min(timeMs) from (select timeMs from fill where trader = ?1
       union all select timeMs from ledger where trader = ?1)`,
      id,
    )
    expect(history.firstMs as number | null).toBe(begun?.[0] ?? null)
    expect(accountOn(history, 'nowhere')).toBeUndefined()
  }
})

test('after the bars a price is the newest mark, and the newest trade while there is none', () => {
  const afterBars = instants.filter((atMs) => atMs >= world.meta.barsEndMs)
  expect(afterBars.length).toBeGreaterThan(2)
  for (const instrument of world.instruments as InstrumentRow[])
    for (const atMs of afterBars) {
      const at = [instrument.id, Number(atMs)] as const
      const newest = (table: string, column: string) =>
        first(
          `select ${column} from ${table} where instrument = ? and timeMs <= ?
           order by timeMs desc, id desc limit 1`,
          ...at,
        )?.[0]
      const price = markPx(world, instrument, atMs)
      expect(price === null ? null : raw(price)).toBe(
        newest('mark', 'mark') ?? newest('trade', 'px') ?? null,
      )
    }
})

test('positions are those of the table, in the order of their closing', () => {
  const [whole, ...parts] = positionColumns(world)
  expect(parts).toEqual([])
  const { traders, instruments, openMs, closeMs, isLong, leverages, pnls } =
    whole as PositionColumns
  const rows = world.db
    .query(
      `select trader, instrument, openMs, coalesce(closeMs, 9e999), direction = 'long', leverage,
       closedPnl from position order by closeMs is null, closeMs, id`,
    )
    .values()
  expect(rows.length).toBeGreaterThan(1000)
  expect(
    rows.map((_, at) =>
      [traders, instruments, openMs, closeMs, isLong, leverages, pnls].map((column) => column[at]),
    ),
  ).toEqual(rows as number[][])
})

test('liquidations are those of the table, each with the one before it of its account', () => {
  const { columns, first, last } = liquidationsBetween(world, null, tapeMs(0), world.endMs)
  const rows = world.db
    .query<Liquidated, []>(
      `select timeMs, instrument, direction = 'long' isLong, sz, notional, closedPnl, trader, oid
       from liquidation order by timeMs, id`,
    )
    .all()
  expect([first, last]).toEqual([0, rows.length - 1])
  const { timesMs, instruments, isLong, sizes, notionals, pnls, priors, ownPriors } = columns
  const packed = [timesMs, instruments, isLong, sizes, notionals, pnls, priors, ownPriors]
  const { addressOf } = tradersOf(world)
  const latest = new Map<string, number>()
  const different: number[] = []
  const replaced = (key: string, at: number) => {
    const prior = latest.get(key) ?? -1
    latest.set(key, at)
    return prior
  }
  for (const [at, { trader, oid, ...row }] of rows.entries()) {
    const account = trader === null ? `unknown ${at}` : addressOf(trader, oid ?? 0)
    const before = [replaced(account, at), replaced(`${account}/${row.instrument}`, at)]
    const expected = [...Object.values(row), ...(trader === null ? [at, at] : before)]
    if (packed.some((column, place) => column[at] !== expected[place])) different.push(at)
  }
  expect(different).toEqual([])
})

interface Liquidated {
  instrument: number
  trader: number | null
  oid: number | null
}
