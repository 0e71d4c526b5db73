/** Fills and orders of a world agree with one another at any instant. */

import { expect, test } from 'bun:test'
import { runToEnd } from '../../src/clock/turns.ts'
import type { Fill } from '../../src/contract/records/fill.ts'
import type { Order } from '../../src/contract/records/order.ts'
import { CROWD, type OrderRow } from '../../src/market/schema/schema.ts'
import { crowdAddress } from '../../src/market/world/crowd-address.ts'
import { busiestAccounts, factsAt, smallWorld } from '../fixtures/small-world.ts'

const world = await smallWorld()
const instants = [1, 31_777, 95_432, 150_000].map((at) => world.startMs + at)
const busiest = busiestAccounts(world)

/** A decimal text in millionths. */
const micros = (text: string | undefined) => Math.round(Number(text) * 1e6)

test('startPosition chains through the fills of an account', () => {
  for (const { address } of busiest) {
    const { fills } = factsAt(world, world.endMs)
    const rows = runToEnd(fills.nativeBetween(address, { startTimeMs: 0, limit: 2_000 }))
    const positions = new Map<string, number>()
    for (const { coin, startPosition, side, sz } of rows) {
      // Spot tokens also come by transfer; perpetuals change in no other way.
      const before = positions.get(coin)
      if (before !== undefined && coin !== 'PURR/USDC')
        expect(Number(startPosition)).toBeCloseTo(before, 6)
      positions.set(coin, Number(startPosition) + (side === 'B' ? 1 : -1) * Number(sz))
    }
  }
})

test('a page ends with the latest fill of its instant, in any order of instants', () => {
  for (const { address } of busiest.slice(0, 6)) {
    const all = factsAt(world, world.endMs).fills.ofAddress(address, { limit: 500 }) as Fill[]
    const times = [...new Set(all.map(({ time }) => time))].slice(-12)
    const instants = times.flatMap((time) => [time - 1, time, time + 1])
    for (const coin of [undefined, all.at(-1)?.coin])
      for (const atMs of [...instants, ...instants.toReversed(), ...instants]) {
        const { fills } = factsAt(world, atMs)
        const wanted = all.filter((one) => one.time <= atMs && one.coin === (coin ?? one.coin))
        const [last] = (fills.ofAddress(address, { coin, limit: 20 }) as Fill[]).slice(-1)
        if (wanted.length > 0) expect(last).toEqual(wanted.at(-1) as Fill)
      }
  }
})

test('the forms of fills are the same fills, newest or oldest first', () => {
  const [atMs = 0] = instants.slice(-1)
  const { fills } = factsAt(world, atMs)
  for (const { address } of busiest) {
    const newest = fills.native(address, 100)
    const simple = fills.ofAddress(address, { limit: 100 }) as Fill[]
    expect(simple.map(({ oid, price }) => [oid, Number(price)])).toEqual(
      newest.toReversed().map(({ oid, px }) => [oid, Number(px)]),
    )
    const from = newest.at(-1)?.time ?? 0
    const between = runToEnd(fills.nativeBetween(address, { startTimeMs: from, limit: 2_000 }))
    expect(between.slice(-newest.length)).toEqual(newest.toReversed())
    const coin = newest[0]?.coin ?? ''
    for (const fill of fills.ofAddress(address, { coin, limit: 5 })) expect(fill.coin).toBe(coin)
    expect(fills.ofOrder(newest[0]?.oid ?? 0).at(-1)?.time).toBeLessThanOrEqual(atMs)
  }
})

test('the sides of a trade show the same trade, those of the crowd too', () => {
  const { market, fills } = factsAt(world, world.endMs)
  const shown = { traders: 0, both: 0 }
  const trades = ['BTC', 'ETH', 'SOL'].flatMap((coin) => market.recentTrades(coin, 2_000))
  for (const [at, { tid, users, px, sz, hash, time, side }] of trades.entries()) {
    const { buyer, seller } = parties.get(tid) as Parties
    // A crowd account is created on request: some of them are.
    const isRequested = [buyer, seller].map((trader) => trader !== CROWD || at % 40 === 0)
    const sides = users.map((user, side) =>
      isRequested[side]
        ? runToEnd(fills.nativeBetween(user, { startTimeMs: time, endTimeMs: time, limit: 2_000 }))
        : [],
    )
    const [bought, sold] = sides.map((rows, at) =>
      rows.find((row) => row.tid === tid && row.side === 'BA'[at]),
    )
    expect(users[0]).not.toBe(users[1])
    if (isRequested[0]) expect(bought).toMatchObject({ px, sz, hash, crossed: side === 'B' })
    if (isRequested[1]) expect(sold).toMatchObject({ px, sz, hash, crossed: side === 'A' })
    shown.traders += buyer === CROWD && seller === CROWD ? 0 : 1
    shown.both += buyer !== CROWD && seller !== CROWD ? 1 : 0
  }
  expect(shown.traders).toBeGreaterThan(40)
  expect(shown.both).toBeGreaterThan(0)
})

type Parties = { tid: number; buyer: number; seller: number }
const parties = new Map(
  world.db
    .query<Parties, []>('select tid, buyer, seller from trade')
    .all()
    .map((row) => [row.tid, row]),
)

test('the largest trades are the largest, each with its taker or its maker', () => {
  const intervalMs = 600_000
  const { fills } = factsAt(world, world.endMs)
  const top = runToEnd(fills.topTrades({ coin: 'SOL', intervalMs, limit: 10 }))
  const values = world.db
    .query<{ notional: number }, [number, number]>(
      'select notional from trade where instrument = 1 and timeMs > ? and timeMs <= ?',
    )
    .all(world.endMs - intervalMs, world.endMs)
    .map(({ notional }) => notional)
    .sort((a, b) => b - a)
  expect(top.map(({ val }) => micros(val))).toEqual(values.slice(0, 10))
  const ofCrowd = world.db.query<object, [number]>(
    'select 1 from trade where ?1 in (buyerOid * (buyer = 0), sellerOid * (seller = 0))',
  )
  for (const { address, time, oid, side, isTaker, endPosition } of top) {
    const taken = world.db
      .query<{ side: string }, [number]>('select side from trade where ?1 in (buyerOid, sellerOid)')
      .get(oid)
    expect(isTaker === (taken?.side === side)).toBe(true)
    if (ofCrowd.get(oid)) expect(crowdAddress(oid)).toBe(address)
    const [fill, ...others] = runToEnd(
      fills.nativeBetween(address, { startTimeMs: time, endTimeMs: time, limit: 50 }),
    )
    expect(fill?.time).toBe(time)
    const held = [fill, ...others].map((one) =>
      micros(String(Number(one?.startPosition) + (one?.side === 'B' ? 1 : -1) * Number(one?.sz))),
    )
    expect(held).toContain(micros(endPosition ?? undefined))
    expect(fills.ofOrder(oid).some((one) => one.time === time)).toBe(true)
  }
})

test('an order is open until it ends, and filled by the sum of its fills', () => {
  for (const atMs of instants) {
    const { orders, fills } = factsAt(world, atMs)
    for (const { id, address } of busiest) {
      const open = [...orders.open(address, ''), ...orders.open(address, 'xyz')]
      const stored = world.db
        .query<OrderRow, [number, number, number]>(
          `select * from orders where trader = ? and timeMs <= ?
           and (endMs is null or endMs > ?)`,
        )
        .all(id, atMs, atMs)
      expect(new Set(open.map(({ oid }) => oid))).toEqual(new Set(stored.map(({ oid }) => oid)))
      for (const { oid, sz, origSz } of open.slice(0, 20)) {
        const filled = (fills.ofOrder(oid) as Fill[]).reduce(
          (sum, { size }) => sum + Number(size),
          0,
        )
        expect(Number(origSz) - Number(sz)).toBeCloseTo(filled, 6)
        const order = orders.byId(String(oid))
        expect(order?.status).toBe('open')
        expect(orders.filledById(String(oid))).toEqual(filled > 0 ? order : null)
      }
      const full = [...orders.frontendOpen(address, ''), ...orders.frontendOpen(address, 'xyz')]
      expect(full.map(({ oid }) => oid)).toEqual(open.map(({ oid }) => oid))
    }
  }
})

test('order lists come newest first by their last change, each order as byId gives it', () => {
  const [atMs = 0] = instants.slice(-1)
  const { orders } = factsAt(world, atMs)
  for (const { address } of busiest) {
    const latest = orders.latest(address, { limit: 200 }) as Order[]
    const times = latest.map(({ time }) => time)
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    expect(times.every((time) => time <= atMs)).toBe(true)
    for (const order of latest.slice(0, 30)) expect(orders.byId(order.oid)).toEqual(order)
    const filled = orders.filledLatest(address, { limit: 200 }) as Order[]
    expect(filled.every(({ filledSize }) => Number(filledSize) > 0)).toBe(true)
    const expected = latest.filter(({ filledSize }) => Number(filledSize) > 0)
    expect(filled.slice(0, expected.length)).toEqual(expected)
    const sol = orders.latest(address, { coin: 'SOL', limit: 50 }) as Order[]
    expect(sol.every(({ coin }) => coin === 'SOL')).toBe(true)
  }
  expect([orders.byId('1'), orders.byId('0xabc'), orders.filledById('x')]).toEqual([
    ...[null, null, null],
  ])
})
