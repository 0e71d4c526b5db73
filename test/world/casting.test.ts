/** Casting of a tape with known lines. */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { castWorld } from '../../src/market/casting/cast-world.ts'
import { RowWriter } from '../../src/market/casting/writing/row-writer.ts'
import { tableLayouts } from '../../src/market/schema/statements.ts'
import { UserError } from '../../src/platform/user-error.ts'
import {
  ALICE,
  BOB,
  HAND_WRITTEN_START_MS,
  handWrittenTape,
} from '../fixtures/hand-written-tape.ts'
import { rowDigests } from '../fixtures/rows-digest.ts'

async function casting(tape = handWrittenTape(), seed = '1'): Promise<Database> {
  const db = new Database(':memory:')
  await castWorld(tape, seed, new RowWriter(db, tableLayouts()))
  return db
}

const hand = await casting()
const rows = (text: string, db = hand) => db.query<Record<string, unknown>, []>(text).all()

test('the same tape and seed give the same rows, another seed gives others', async () => {
  const [again, other] = [await casting(), await casting(handWrittenTape(), '2')]
  const digests = rowDigests(hand)
  expect(rowDigests(again)).toEqual(digests)
  expect(rowDigests(other)).not.toEqual(digests)
  expect(rows('select count(*) n from trade', other)).not.toEqual(
    rows('select count(*) n from trade'),
  )
})

test('trades of one instant, side and taker are one order', () => {
  const burst = rows(
    `select px, sz, buyer, buyerOid oid, hash from trade
     where timeMs >= ${HAND_WRITTEN_START_MS} and side = 'B' and timeMs =
       (select timeMs from trade where timeMs >= ${HAND_WRITTEN_START_MS} and side = 'B'
       and px = 964130 and sz = 20000 order by id limit 1)
     order by id`,
  )
  expect(burst.map(({ px, sz }) => [px, sz])).toEqual([
    [964120, 5000],
    [964130, 20_000],
  ])
  // An order intent takes as many waiting trades as it needs, by one order.
  for (const [oid, trades] of Map.groupBy(burst, (row) => row.oid)) {
    expect(new Set(trades.map(({ buyer, hash }) => `${buyer} ${hash}`)).size).toBe(1)
    const origSz = trades.reduce((sum, { sz }) => sum + Number(sz), 0)
    // The crowd's orders have numbers and no rows.
    const placed = rows(`select origSz from orders where oid = ${oid}`)
    expect(placed).toEqual(trades[0]?.buyer === 0 ? [] : [{ origSz }])
  }
  expect(new Set(burst.map(({ oid }) => oid)).size).toBe(
    new Set(burst.map(({ buyer }) => buyer)).size,
  )
})

test('addresses that the tape names are the two sides, in lower case', () => {
  const named = rows(
    `select b.address buyer, s.address seller, b.role, t.side, t.tid, t.hash from trade t
     join trader b on b.id = t.buyer join trader s on s.id = t.seller where b.role = 'named'
     order by t.id`,
  )
  expect(named).toHaveLength(2)
  const sides = { buyer: ALICE.toLowerCase(), seller: BOB, role: 'named' }
  expect(named[0]).toMatchObject({ ...sides, side: 'A', tid: 77, hash: `0x${'ab'.repeat(32)}` })
  expect(named[1]).toMatchObject({ ...sides, side: 'B' })
})

test('a liquidation of the tape finds its position open and leaves nothing of it', () => {
  const closed = liquidated().filter(({ timeMs }) => timeMs >= HAND_WRITTEN_START_MS)
  expect(closed).toMatchObject([
    { direction: 'long', sz: 350000, startPosition: 350000, positionAfter: 0, fills: 2 },
    { direction: 'short', sz: 40000, startPosition: -40000, positionAfter: 0, fills: 1 },
  ])
  for (const { role, closedPnl } of closed) {
    expect(role).toBe('liquidated')
    expect(closedPnl).toBeLessThan(0)
  }
})

test('a liquidation of the past leaves four fifths of a large position, or nothing', () => {
  const past = liquidated().filter(({ timeMs }) => timeMs < HAND_WRITTEN_START_MS)
  /** Sizes left by each account's latest partial one. */
  const lefts = new Map<string, number>()
  const seen = { first: 0, rest: 0, whole: 0 }
  for (const row of past) {
    const { trader, instrument, direction, sz, startPosition, positionAfter, closedPnl } = row
    const sign = direction === 'long' ? 1 : -1
    expect(sign * startPosition).toBeGreaterThan(0)
    expect(startPosition - sign * sz).toBe(positionAfter)
    expect([row.fills > 0, row.filled]).toEqual([true, sz])
    expect(closedPnl).toBeLessThan(0)
    const key = `${trader}/${instrument}`
    const follows = lefts.get(key) === startPosition
    if (positionAfter === 0) seen[follows ? 'rest' : 'whole']++
    else {
      expect(follows).toBe(false)
      expect(row.notional / 0.2).toBeGreaterThan(100_000e6 * 0.9)
      expect(positionAfter / startPosition).toBeCloseTo(0.8, 4)
      lefts.set(key, positionAfter)
      seen.first++
    }
  }
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0)
})

/** Those of accounts that have fills, oldest first. */
function liquidated() {
  return hand
    .query<LiquidatedRow, []>(
      `select l.timeMs, l.trader, l.instrument, l.direction, l.sz, l.startPosition,
       l.positionAfter, l.notional, l.closedPnl, t.role, count(f.id) fills, sum(f.sz) filled
     from liquidation l join trader t on t.id = l.trader
     join fill f on f.liquidation = l.id and f.trader = l.trader
     group by l.id order by l.timeMs, l.id`,
    )
    .all()
}

interface LiquidatedRow {
  timeMs: number
  trader: number
  instrument: number
  direction: 'long' | 'short'
  sz: number
  startPosition: number
  positionAfter: number
  notional: number
  closedPnl: number
  role: string
  fills: number
  filled: number
}

test('each row of a world lies within its span, and history lies before the tape', () => {
  const [span] = rows('select min(timeMs) first, max(timeMs) last from trade') as [
    { first: number; last: number },
  ]
  expect(HAND_WRITTEN_START_MS - span.first).toBeGreaterThan(29 * 86_400_000)
  expect(HAND_WRITTEN_START_MS - span.first).toBeLessThanOrEqual(30 * 86_400_000)
  const tape = rows(`select count(*) n from trade where timeMs >= ${HAND_WRITTEN_START_MS}`)
  expect(tape).toEqual([{ n: 11 }])
})

test('funding is charged at full hours, and announced rates charge nothing', () => {
  const late = rows(
    `select charged, rate, timeMs - ${HAND_WRITTEN_START_MS} ms, oracle, fundingIndex from funding
     where instrument = 0 and timeMs > ${HAND_WRITTEN_START_MS} - 3600000 order by timeMs`,
  )
  expect(late).toMatchObject([
    { charged: 1 },
    { charged: 0, rate: 125_000 },
    { charged: 1, rate: 125_000, ms: 30_000, oracle: 964_200 },
  ])
  const [before, announced, after] = late.map((row) => Number(row.fundingIndex))
  expect(announced).toBe(before as number)
  expect(after).toBe((before as number) + 125_000 * 964_200)
})

test('an instrument listed in the tape without events has no history', () => {
  expect(rows("select firstPx from instrument where coin = 'GHOST'")).toEqual([{ firstPx: null }])
  expect(rows('select count(*) n from trade where instrument = 3')).toEqual([{ n: 0 }])
})

test('spot pairs and builder dexes have sub-accounts of their own', () => {
  const dexes = rows('select distinct dex from account order by dex')
  expect(dexes.map(({ dex }) => dex)).toEqual(['', 'spot', 'staking', 'vault', 'xyz'])
  const shown = rows(
    "select type from ledger where hidden = 0 and type != 'spotTransfer' group by 1",
  )
  expect(shown.map(({ type }) => type)).toContain('send')
})

test('reported values are kept beside computed ones', () => {
  expect(rows('select reported from interest')).toEqual([{ reported: 3_012_350_000 }])
  const tokens = rows("select asset, baseToken, quoteToken from instrument where coin = '@107'")
  expect(tokens).toEqual([{ asset: 107, baseToken: 150, quoteToken: 0 }])
})

test('an event that cannot be cast is an error that names it', async () => {
  // The time before the tape does not matter here: a day of it is cast.
  const complaint = async (coin: string, px: string) => {
    const data = { side: 'B' as const, px, sz: '1' }
    const tape = handWrittenTape([{ kind: 'trade', coin, data } as never])
    const rows = new RowWriter(new Database(':memory:'), tableLayouts())
    return castWorld(tape, '1', rows, undefined, undefined, 86_400_000).catch((error) => error)
  }
  const unknown = await complaint('DOGE', '1')
  expect(unknown).toBeInstanceOf(UserError)
  expect(unknown.message).toContain('names DOGE; the header has BTC, xyz:TSLA, @107, GHOST')
  const fine = await complaint('BTC', '1.23')
  expect(fine.message).toMatch(/event 21 \(trade BTC\).*more than 1 decimals/)
  expect((await complaint('BTC', '0')).message).toMatch(/event 21 .*above 0/)
})
