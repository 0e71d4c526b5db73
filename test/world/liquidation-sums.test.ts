/** Sums over liquidations equal those of the rows, with every account counted once. */

import { expect, test } from 'bun:test'
import { tradersOf } from '../../src/market/rows/traders.ts'
import { factsAt, smallWorld } from '../fixtures/small-world.ts'

const world = await smallWorld()
const DAY_MS = 86_400_000
/** In the past, in the middle of the cascade, and after it. */
const instants = [-5 * DAY_MS, 75_000, 90_000, 179_000].map((at) => world.startMs + at)

/** A decimal text in millionths. */
const micros = (text: string) => Math.round(Number(text) * 1e6)
const sum = (list: number[]) => list.reduce((all, one) => all + one, 0)

test('the sums are those of the rows of their window, each account counted once', () => {
  const { addressOf } = tradersOf(world)
  const all = world.db
    .query<Liquidated, []>(
      'select timeMs, instrument, trader, direction, notional, closedPnl, oid from liquidation',
    )
    .all()
  for (const atMs of instants)
    for (const [interval, lengthMs] of [['1h', 3_600_000] as const, ['7d', 7 * DAY_MS] as const])
      for (const of of [undefined, ...world.instruments]) {
        const rows = all.filter(
          ({ timeMs, instrument }) =>
            timeMs > atMs - lengthMs && timeMs <= atMs && (!of || instrument === of.id),
        )
        const named = rows.flatMap(({ trader, oid }) =>
          trader === null ? [] : [addressOf(trader, oid ?? 0)],
        )
        const total = (name: 'notional' | 'closedPnl', side?: string) =>
          sum(rows.filter((row) => !side || row.direction === side).map((row) => row[name]))
        const stat = factsAt(world, atMs).liquidations.stat({ coin: of?.coin, interval })
        expect(stat.addresses).toBe(new Set(named).size)
        expect([stat.shortLiquidations, stat.longLiquidations]).toEqual(
          ['short', 'long'].map((side) => rows.filter((row) => row.direction === side).length),
        )
        const { totalFilled, longFilled, shortFilled, totalPnl, longPnl, shortPnl } = stat
        expect([totalFilled, longFilled, shortFilled].map(micros)).toEqual([
          total('notional'),
          total('notional', 'long'),
          total('notional', 'short'),
        ])
        expect([totalPnl, longPnl, shortPnl].map(micros)).toEqual([
          total('closedPnl'),
          total('closedPnl', 'long'),
          total('closedPnl', 'short'),
        ])
      }
})

interface Liquidated {
  timeMs: number
  instrument: number
  trader: number | null
  direction: 'long' | 'short'
  notional: number
  closedPnl: number
  oid: number | null
}
