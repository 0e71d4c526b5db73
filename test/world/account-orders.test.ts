/** The venue's fills and orders of one account are consistent. */

import { expect, test } from 'bun:test'
import { runToEnd } from '../../src/clock/turns.ts'
import type { UserFill } from '../../src/contract/records/fill.ts'
import { busiestAccounts, factsAt, smallWorld } from '../fixtures/small-world.ts'

const world = await smallWorld()
const atMs = world.startMs + 150_000
const facts = factsAt(world, atMs)
const busiest = busiestAccounts(world)
const unknownAddress = '0x0000000000000000000000000000000000000000'

const micros = (text: string) => Math.round(Number(text) * 1e6)
const sum = (list: number[]) => list.reduce((all, one) => all + one, 0)
const value = ({ px, sz }: UserFill) => Number(px) * Number(sz)

test('partial fills of a crossing order are one when they are aggregated, and sum up', () => {
  let combined = 0
  for (const { address } of busiest) {
    const parts = facts.fills.native(address, 2_000)
    const combinedFills = runToEnd(
      facts.fills.nativeBetween(address, {
        startTimeMs: 0,
        limit: 2_000,
        reversed: true,
        aggregated: true,
      }),
    )
    combined += parts.length - combinedFills.length
    const keys = combinedFills
      .filter(({ crossed }) => crossed)
      .map(({ oid, time }) => `${oid}/${time}`)
    expect(new Set(keys).size).toBe(keys.length)
    const chronological = runToEnd(
      facts.fills.nativeBetween(address, {
        startTimeMs: 0,
        limit: 2_000,
        aggregated: true,
      }),
    )
    // A truncated group is not shown, so there are no sums to compare.
    if (parts.length === 2_000) {
      const [oldest] = combinedFills.slice(-1)
      expect(parts.filter((fill) => fill.time >= (oldest?.time ?? 0)).length).toBeGreaterThan(1_900)
      continue
    }
    expect(chronological).toEqual(combinedFills.toReversed())
    for (const name of ['sz', 'fee', 'closedPnl'] as const)
      expect(sum(combinedFills.map((fill) => micros(fill[name])))).toBe(
        sum(parts.map((fill) => micros(fill[name]))),
      )
    expect(sum(combinedFills.map(value)) / sum(parts.map(value))).toBeCloseTo(1, 9)
  }
  expect(combined).toBeGreaterThan(100)
})

test('fills of a span come from either end', () => {
  const span = { startTimeMs: world.startMs, endTimeMs: world.startMs + 600_000 }
  const fillsOf = (address: string) =>
    runToEnd(facts.fills.nativeBetween(address, { ...span, limit: 2_000 }))
  const address = busiest.map((one) => one.address).find((one) => fillsOf(one).length > 10) ?? ''
  const all = fillsOf(address)
  expect(all.length).toBeGreaterThan(10)
  const first = runToEnd(facts.fills.nativeBetween(address, { ...span, limit: 7 }))
  const last = runToEnd(facts.fills.nativeBetween(address, { ...span, limit: 7, reversed: true }))
  expect(first).toEqual(all.slice(0, 7))
  expect(last).toEqual(all.slice(-7).reverse())
})

test('orders are in the history as placed and as ended', () => {
  for (const { address } of busiest) {
    const history = facts.users.orderHistory(address, 2_000)
    const times = history.map(({ statusTimestamp }) => statusTimestamp)
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    expect(times.every((timeMs) => timeMs <= atMs)).toBe(true)
    expect(facts.users.orderHistory(address, 10)).toEqual(history.slice(0, 10))
    const seen = new Set<number>()
    for (const { order, status } of history) {
      if (status === 'open') expect(order.sz).toBe(order.origSz)
      if (status === 'filled') expect(Number(order.sz)).toBe(0)
      // The newest status of an order is its present one.
      if (!seen.has(order.oid)) {
        const now = facts.users.orderStatus(address, order.oid)
        if (now.status === 'unknownOid') throw new Error(`${order.oid} is not known`)
        expect(now.order.status).toBe(status)
      }
      seen.add(order.oid)
    }
  }
})

test('an order is found by both of its ids, by its owner only', () => {
  let tried = 0
  for (const { address } of busiest) {
    for (const { order } of facts.users.orderHistory(address, 500)) {
      if (!order.cloid) continue
      const spelt = order.cloid.toUpperCase().replace('X', 'x')
      const byNumber = facts.users.orderStatus(address, order.oid)
      expect(facts.users.orderStatus(address, spelt)).toEqual(byNumber)
      tried++
    }
    for (const order of facts.orders.open(address, '').slice(0, 20)) {
      const found = facts.users.orderStatus(address, order.oid)
      const full = facts.orders.frontendOpen(address, '').find(({ oid }) => oid === order.oid)
      expect(found).toEqual({
        status: 'order',
        order: { order: full, status: 'open', statusTimestamp: order.timestamp } as never,
      })
      expect(facts.users.orderStatus(unknownAddress, order.oid)).toEqual({ status: 'unknownOid' })
    }
  }
  expect(tried).toBeGreaterThan(0)
})

test('an order is unknown before it is placed', () => {
  type Row = { oid: number; address: string; timeMs: number }
  const rows = world.db
    .query<Row, [number]>(
      `select oid, address, timeMs from orders o join trader t on t.id = o.trader
       where timeMs > ? order by oid limit 20`,
    )
    .all(world.startMs)
  for (const { oid, address, timeMs } of rows) {
    const seen = (then: number) => factsAt(world, then).users.orderStatus(address, oid).status
    expect([seen(timeMs - 1), seen(timeMs)]).toEqual(['unknownOid', 'order'])
  }
})
