/** The timeline of a world is every event in it, once, in order. */

import { expect, test } from 'bun:test'
import { runToEnd } from '../../src/clock/turns.ts'
import type { Order } from '../../src/contract/records/order.ts'
import type { TimelineEvent } from '../../src/contract/timeline.ts'
import { timelineOf } from '../../src/market/playback/timeline.ts'
import { factsAt, ownSmallWorld, smallWorld } from '../fixtures/small-world.ts'

const world = await smallWorld()
const timeline = timelineOf(world)
const count = Math.floor((timeline.endMs - timeline.startMs) / timeline.chunkMs) + 1
const chunks = Array.from({ length: count }, (_, at) => timeline.chunk(at))
const all = chunks.flat()

const of = <K extends TimelineEvent['kind']>(kind: K) =>
  all.filter((one): one is Extract<TimelineEvent, { kind: K }> => one.kind === kind)

const rows = (sql: string) =>
  world.db.query<{ n: number }, [number, number]>(sql).get(world.startMs, world.endMs)?.n

const KIND_ORDER = ['mark', 'ledger', 'trade', 'fill', 'order', 'book', 'bbo']

test('chunks hold their own span, in order of time and then of kind', () => {
  expect(count).toBeGreaterThan(3)
  let last: TimelineEvent | undefined
  for (const [index, chunk] of chunks.entries())
    for (const one of chunk) {
      expect(Math.floor((one.timeMs - timeline.startMs) / timeline.chunkMs)).toBe(index)
      if (last?.timeMs === one.timeMs)
        expect(KIND_ORDER.indexOf(one.kind)).toBeGreaterThanOrEqual(KIND_ORDER.indexOf(last.kind))
      else if (last) expect(one.timeMs).toBeGreaterThan(last.timeMs)
      last = one
    }
  expect(timeline.chunk(count)).toEqual([])
  expect(timeline.chunk(-1)).toEqual([])
})

test('a chunk read again is the same', async () => {
  const other = await ownSmallWorld()
  const text = (list: readonly TimelineEvent[]) => JSON.stringify(list.map(eventKey))
  for (const index of [count - 1, 0, 2])
    expect(text(timelineOf(other).chunk(index))).toBe(text(chunks[index] ?? []))
  other.close()
})

test('a prepared chunk is read in slices, and is cached then', async () => {
  const opened = await ownSmallWorld()
  const other = timelineOf(opened)
  let slices = 0
  for (const _ of other.prepare(2)) slices++
  expect(slices).toBeGreaterThan(3)
  const prepared = other.chunk(2)
  expect(prepared.map(eventKey)).toEqual(chunks[2]?.map(eventKey) as object[])
  expect(other.chunk(2)).toBe(prepared)
  expect([...other.prepare(2)]).toEqual([])
  expect([...other.prepare(-1), ...other.prepare(count)]).toEqual([])
  opened.close()
})

/** An event with all its lazily written parts. */
function eventKey(one: TimelineEvent): object {
  if (one.kind === 'fill') return { ...pick(one), fill: one.fill, native: one.native }
  if (one.kind === 'order') return { ...pick(one), dex: one.dex, ended: one.ended }
  return one
}

const pick = ({ kind, timeMs, address }: { kind: string; timeMs: number; address: string }) => ({
  kind,
  timeMs,
  address,
})

test('every trade, fill, mark and ledger entry of the tape is in it once', () => {
  const trades = of('trade').flatMap((one) => one.trades)
  const between = 'timeMs between ? and ?'
  expect(trades.length).toBe(rows(`select count(*) n from trade where ${between}`) as number)
  expect(new Set(trades.map(({ tid }) => tid)).size).toBe(trades.length)
  const crowds = ['buyer', 'seller'].map(
    (side) => rows(`select count(*) n from trade where ${side} = 0 and ${between}`) as number,
  )
  const sides = crowds.reduce((left, ofCrowd) => left - ofCrowd, 2 * trades.length)
  expect(of('fill').length).toBe(sides)
  expect(sides).toBeGreaterThan(100)
  expect(of('fill').length).toBe(rows(`select count(*) n from fill where ${between}`) as number)
  expect(of('mark').length).toBe(rows(`select count(*) n from mark where ${between}`) as number)
  expect(of('ledger').length).toBe(
    rows(`select count(*) n from ledger where ${between} and hidden = 0`) as number,
  )
})

test('trades of one coin and instant come as one', () => {
  const seen = new Set<string>()
  for (const { coin, timeMs, trades } of of('trade')) {
    expect(seen.has(`${coin} ${timeMs}`)).toBe(false)
    seen.add(`${coin} ${timeMs}`)
    for (const trade of trades) expect([trade.coin, trade.time]).toEqual([coin, timeMs])
    const recent = factsAt(world, timeMs).market.recentTrades(coin, trades.length)
    expect(recent).toEqual(trades.toReversed())
  }
})

test('a push equals the response at its instant', () => {
  for (const { address, fill, native, timeMs } of of('fill').slice(0, 400)) {
    const found = runToEnd(
      factsAt(world, timeMs).fills.nativeBetween(address, {
        startTimeMs: timeMs,
        limit: 2_000,
      }),
    )
    expect(found).toContainEqual(native)
    const { cloid: _, liquidation: __, ...rest } = native
    expect(fill).toEqual({ address, ...rest })
  }
  for (const { address, update, timeMs } of of('ledger'))
    expect(factsAt(world, timeMs).accounts.ledger(address, 2_000)).toContainEqual(update)
})

test('best prices are pushed when they change, and only then', () => {
  const last = new Map<string, string>()
  for (const { coin, bbo, timeMs } of of('bbo')) {
    const now = JSON.stringify(bbo.bbo)
    expect(now).not.toBe(last.get(coin) ?? '')
    last.set(coin, now)
    expect(factsAt(world, timeMs).books.bbo(coin)).toEqual(bbo)
  }
  const before = new Map<string, string>()
  for (const one of all) {
    if (one.kind === 'bbo') before.set(one.coin, JSON.stringify(one.bbo.bbo))
    if (one.kind !== 'mark') continue
    for (const coin of before.keys()) {
      const now = factsAt(world, one.timeMs - 1).books.bbo(coin)
      expect(JSON.stringify(now?.bbo)).toBe(before.get(coin) as string)
    }
  }
})

test('open orders change when the timeline has an event, and at no other time', () => {
  const busy = [...new Set(of('order').map(({ address }) => address))].slice(0, 12)
  for (const address of busy) {
    const orderEvents = of('order').filter((one) => one.address === address && one.dex === '')
    const list = (atMs: number) => JSON.stringify(factsAt(world, atMs).orders.open(address, ''))
    const moments = [...new Set(orderEvents.map(({ timeMs }) => timeMs))].slice(0, 25)
    for (const [at, timeMs] of moments.entries()) {
      const next = moments[at + 1]
      if (next !== undefined) expect(list(next - 1)).toBe(list(timeMs))
    }
  }
})

test('a partly filled order that ended is pushed once, as it ended', () => {
  const ended = of('order').flatMap((one) => one.ended ?? [])
  const between = 'endMs between ? and ? and filledSz > 0'
  expect(ended.length).toBe(rows(`select count(*) n from orders where ${between}`) as number)
  expect(new Set(ended.map(({ oid }) => oid)).size).toBe(ended.length)
  expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(['filled', 'canceled']))
  for (const { oid, ts, sz, origSz, status } of ended.slice(0, 300)) {
    const order = factsAt(world, ts).orders.byId(String(oid)) as Order | null
    expect(order?.time).toBe(ts)
    expect(Number(order?.filledSize)).toBeCloseTo(Number(origSz) - Number(sz), 6)
    if (status === 'filled') expect(Number(sz)).toBe(0)
  }
})
