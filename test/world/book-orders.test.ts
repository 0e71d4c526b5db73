/** The open orders of the market are what its books show, level by level. */
import { expect, test } from 'bun:test'
import { later, type TapeMs } from '../../src/clock/instant.ts'
import { runToEnd } from '../../src/clock/turns.ts'
import type { TopOpenOrder } from '../../src/contract/records/order.ts'
import { bookCacheOf } from '../../src/market/books/book-cache.ts'
import { growWorld } from '../../src/market/world/cache.ts'
import { placeOf } from '../../src/market/world/crowd-address.ts'
import type { World } from '../../src/market/world/world.ts'
import { openUngrown } from '../../src/market/world/world-file.ts'
import { growTo, lineOf } from '../fixtures/grown-world.ts'
import { factsAt, smallWorld } from '../fixtures/small-world.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const tape = await smallWorld()
const file = temporaryFolder()('line.sqlite')
growTo(lineOf(tape, file), 6)
const line = openUngrown(file, tape.tapeEndMs)
runToEnd(growWorld(line, later(tape.tapeEndMs, 360_000)))

const WORLDS = [
  ['on the tape', tape, [0, 45_000, 110_000, 179_000].map((ms) => later(tape.startMs, ms))],
  ['after it', line, [20_000, 100_123, 350_000].map((ms) => later(line.tapeEndMs, ms))],
] as const

const ordersOf = (world: World, atMs: TapeMs, coin?: string): TopOpenOrder[] =>
  runToEnd(
    factsAt(world, atMs).orders.largestOpen({
      ...(coin === undefined ? {} : { coin }),
      minUsd: '0',
      limit: 1_000_000,
    }),
  )

const units = (text: string, decimals: number) => Math.round(Number(text) * 10 ** decimals)

for (const [when, world, moments] of WORLDS)
  test(`the orders of a level have its size and its number, ${when}`, () => {
    for (const atMs of moments)
      for (const of of world.instruments) {
        const book = bookCacheOf(world).at(of, atMs)
        const found = Map.groupBy(
          ordersOf(world, atMs, of.coin),
          ({ side, limitPx }) => `${side} ${units(limitPx, of.pxDecimals)}`,
        )
        const shown = (['B', 'A'] as const).flatMap(
          (side) =>
            (side === 'B' ? book?.bids : book?.asks)?.map(({ px, sz, n }) => ({
              level: `${side} ${px}`,
              size: Number(sz),
              n,
            })) ?? [],
        )
        expect(
          [...found]
            .map(([level, orders]) => ({
              level,
              size: orders.reduce((sum, { sz }) => sum + units(sz, of.szDecimals), 0),
              n: orders.length,
            }))
            .sort((a, b) => a.level.localeCompare(b.level)),
        ).toEqual(shown.sort((a, b) => a.level.localeCompare(b.level)))
      }
  })

test('orders of traders that rest away from the price are a part of a level', () => {
  for (const [, world, moments] of WORLDS)
    for (const atMs of moments.slice(1)) {
      const named = new Set(ordersOf(world, atMs).map(({ oid }) => oid))
      const own = world.db
        .query<{ oid: number }, [number, number]>(
          `select oid from orders o join trader t on t.id = o.trader
           where timeMs <= ? and (endMs is null or endMs > ?) and orderType = 'Limit'
             and triggerPx is null and persona is null`,
        )
        .all(atMs, atMs)
      expect(own.length).toBeGreaterThan(20)
      const shown = own.filter(({ oid }) => named.has(oid))
      expect(shown.length / own.length).toBeGreaterThan(0.8)
    }
})

test('an order of a book is one of its owner, by its number and by the address', () => {
  for (const [, world, moments] of WORLDS)
    for (const atMs of moments.slice(1)) {
      const { orders, users } = factsAt(world, atMs)
      const all = ordersOf(world, atMs)
      expect(new Set(all.map(({ oid }) => oid)).size).toBe(all.length)
      for (const { oid, address, coin, limitPx, sz, time } of all.filter(
        (_, at) => at % 997 === 0,
      )) {
        const dex = coin.includes(':') ? coin.slice(0, coin.indexOf(':')) : ''
        const own = orders.open(address, dex).find((order) => order.oid === oid)
        expect(own).toMatchObject({ coin, timestamp: time })
        expect([Number(own?.limitPx), Number(own?.sz)]).toEqual([Number(limitPx), Number(sz)])
        expect(orders.byId(`${oid}`)).toMatchObject({
          oid: `${oid}`,
          status: 'open',
          price: limitPx,
        })
        expect(users.orderStatus(address, oid)).toMatchObject({ order: { status: 'open' } })
        expect(users.isKnown(address)).toBe(true)
        expect(time).toBeLessThanOrEqual(atMs)
      }
    }
})

test('an order is found open by its number where many were placed at one instant', () => {
  const file = temporaryFolder()('moved.sqlite')
  const order = lineOf(tape, file)
  const event = { kind: 'move', coin: 'BTC', pct: -12, overS: 60 } as const
  growTo({ ...order, events: [{ event, requestedMs: tape.endMs, fromMs: tape.endMs }] }, 2)
  const moved = openUngrown(file, tape.tapeEndMs)
  runToEnd(growWorld(moved, later(tape.endMs, 40_000)))
  const shown = [5_000, 30_000, 40_000].flatMap((ms) => {
    const atMs = later(tape.endMs, ms)
    return ordersOf(moved, atMs)
      .filter(({ oid, time }) => later(moved.meta.historyStartMs, placeOf(oid).ms) < time)
      .filter((_, at) => at % 97 === 0)
      .map(({ oid }) => factsAt(moved, atMs).orders.byId(`${oid}`))
  })
  expect(shown).not.toBeEmpty()
  for (const one of shown) expect(one).toMatchObject({ status: 'open' })
})

test('an order that was shown is cancelled later, at an instant that stays', () => {
  const atMs = later(line.tapeEndMs, 60_000)
  const gone = new Set(ordersOf(line, line.endMs, 'BTC').map(({ oid }) => oid))
  const shown = ordersOf(line, atMs, 'BTC').filter(({ oid }) => !gone.has(oid))
  expect(shown.length).toBeGreaterThan(50)
  const sampled = shown.filter((_, at) => at % Math.ceil(shown.length / 20) === 0)
  const known = sampled.flatMap(({ oid, address, limitPx, time }) => {
    const found = factsAt(line, line.endMs).users.orderStatus(address, oid)
    if (found.status !== 'order') return []
    const { order, status, statusTimestamp } = found.order
    expect(Number(order.limitPx)).toBe(Number(limitPx))
    expect([status, order.timestamp]).toEqual(['canceled', time])
    expect(statusTimestamp).toBeWithin(time, line.endMs + 1)
    const simple = factsAt(line, line.endMs).orders.byId(`${oid}`)
    expect(simple).toMatchObject({ status: 'cancelled', time: statusTimestamp })
    return [oid]
  })
  expect(known.length).toBeGreaterThan(0.6 * sampled.length)
})

test('a number is that of one order at all times, wherever the price goes', () => {
  const placed = new Map<number, string>()
  const conflicts: string[] = []
  let seen = 0
  for (const [world, fromMs] of [
    [tape, tape.startMs],
    [line, line.tapeEndMs],
  ] as const)
    for (let at = 0; at < 16; at++)
      for (const one of ordersOf(world, later(fromMs, 777 + at * (at % 4 ? 9_300 : 50)), 'BTC')) {
        const { oid, side, limitPx } = one
        const own = `${side} ${limitPx}`
        const before = placed.get(oid)
        if (before === undefined) placed.set(oid, own)
        else if (before !== own) conflicts.push(`${oid}: ${before}, ${own}`)
        else seen++
      }
  expect(seen).toBeGreaterThan(10_000)
  // In a cascade the price may pass more ticks in two seconds than have numbers of their own.
  expect(new Set(conflicts).size).toBeLessThan(placed.size / 1_000)
})

test('an order stays the same while its level does', () => {
  const atMs = later(line.tapeEndMs, 200_000)
  const [before, after] = [atMs, later(atMs, 5_000)].map((ms) => ordersOf(line, ms, 'BTC'))
  const later_ = new Map(after?.map((order) => [order.oid, order]))
  const same = before?.filter(({ oid, sz }) => later_.get(oid)?.sz === sz) ?? []
  expect(same.length).toBeGreaterThan(0.8 * (before?.length ?? 0))
  expect(same.every(({ oid, time }) => later_.get(oid)?.time === time)).toBe(true)
})

test('no order is older than the last trade beyond its price', () => {
  for (const atMs of [later(line.tapeEndMs, 330_000), later(tape.startMs, 150_000)]) {
    const world = atMs > tape.endMs ? line : tape
    const of = world.byCoin.get('BTC')
    const trades = world.db
      .query<{ timeMs: number; px: number }, [number, number]>(
        `select timeMs, px from trade where instrument = ${of?.id} and timeMs between ? and ?`,
      )
      .all(tape.startMs, atMs)
    for (const { side, limitPx, time } of ordersOf(world, atMs, 'BTC')) {
      const px = units(limitPx, of?.pxDecimals ?? 0)
      const isBeyond = (one: { px: number }) => (side === 'B' ? one.px < px : one.px > px)
      const last = trades.findLast(isBeyond)?.timeMs ?? 0
      expect(time).toBeGreaterThanOrEqual(last)
    }
  }
})
