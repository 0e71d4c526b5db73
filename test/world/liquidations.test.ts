/** Liquidations are equal in all endpoints. */

import { expect, test } from 'bun:test'
import { runToEnd } from '../../src/clock/turns.ts'
import type { LiquidationStat } from '../../src/contract/records/liquidation.ts'
import { tradersOf } from '../../src/market/rows/traders.ts'
import { factsAt, smallWorld } from '../fixtures/small-world.ts'

const world = await smallWorld()
const allTraders = world.db.query<{ address: string }, []>('select address from trader').all()
/** In the middle of the cascade, and after it. */
const instants = [75_000, 90_000, 179_000].map((at) => world.startMs + at)

/** A decimal text in millionths. */
const micros = (text: string) => Math.round(Number(text) * 1e6)
const sum = (list: number[]) => list.reduce((all, one) => all + one, 0)
const turnover = (cells: (readonly (string | number)[])[]) =>
  sum(cells.map(([, , value]) => micros(String(value))))

const COUNTS = ['shortLiquidations', 'longLiquidations'] as const
const AMOUNTS = [
  ...(['totalFilled', 'longFilled', 'shortFilled'] as const),
  ...(['totalPnl', 'longPnl', 'shortPnl'] as const),
]
type Sums = Omit<LiquidationStat, 'startTime' | 'addresses'>
const added = (list: Sums[]) => [
  ...COUNTS.map((name) => sum(list.map((one) => one[name]))),
  ...AMOUNTS.map((name) => sum(list.map((one) => micros(one[name])))),
]

test('the sums, those by coin, and those over time are the same sums', () => {
  for (const atMs of instants) {
    const { liquidations } = factsAt(world, atMs)
    const stat = liquidations.stat({ interval: '60d' })
    const byCoin = liquidations.byCoin({ interval: '60d' })
    const history = liquidations.history({ interval: '1h', limit: 1_000 })
    expect(stat.longLiquidations + stat.shortLiquidations).toBeGreaterThan(0)
    expect(added(byCoin)).toEqual(added([stat]))
    expect(added(history)).toEqual(added([stat]))
    const values = byCoin.map(({ totalFilled }) => Number(totalFilled))
    expect(values).toEqual(values.toSorted((a, b) => b - a))
    for (const { coin, ...sums } of byCoin) {
      const { startTime: _, ...own } = liquidations.stat({ coin, interval: '60d' })
      expect(own).toEqual(sums)
    }
  }
})

test('the sums include everything so far and nothing more', () => {
  const rows = world.db
    .query<{ timeMs: number }, []>('select timeMs from liquidation order by timeMs')
    .all()
  const sampled = rows.filter(({ timeMs }, at) => timeMs >= world.startMs || at % 11 === 0)
  expect(sampled.length).toBeGreaterThan(300)
  for (const { timeMs } of sampled) {
    const count = (atMs: number) =>
      added([factsAt(world, atMs).liquidations.stat({ interval: '60d' })])
    const [before, after] = [count(timeMs - 1), count(timeMs)]
    expect(sum(after.slice(0, 2))).toBeGreaterThan(sum(before.slice(0, 2)))
  }
  const quiet = factsAt(world, world.startMs - 1).liquidations
  expect(quiet.topPositions({ coin: 'BTC', interval: '1m', limit: 5 })).toEqual([])
  const dawn = factsAt(world, world.meta.historyStartMs - 1).liquidations
  expect(dawn.history({ interval: '1h', limit: 5 })).toEqual([])
  expect(dawn.map({ coin: 'BTC' })).toBeNull()
})

test('intervals lie on shown time, newest first', () => {
  const [, atMs = 0] = instants
  const shiftMs = 1_234_567
  const { liquidations } = factsAt(world, atMs, shiftMs)
  const shown = (row: { startTime: string }) => Date.parse(row.startTime) + shiftMs
  const history = liquidations.history({ interval: '5m', limit: 12 })
  expect(history).toHaveLength(12)
  expect(history.map((row) => shown(row) % 300_000)).toEqual(Array(12).fill(0))
  expect(history.map(shown)).toEqual(history.map(shown).toSorted((a, b) => b - a))
  expect(shown(history[0] as LiquidationStat)).toBeGreaterThan(atMs + shiftMs - 300_000)
  const { startTime } = liquidations.stat({ interval: '15m' })
  expect((Date.parse(startTime) + shiftMs) % 1_000).toBe(0)
})

test('the largest positions make up the sum, as do their fills', () => {
  const atMs = world.endMs
  const { liquidations, fills } = factsAt(world, atMs)
  for (const coin of ['BTC', 'SOL']) {
    const top = liquidations.topPositions({ coin, interval: '1d', limit: 10_000 })
    const { totalFilled, totalPnl } = liquidations.stat({ coin, interval: '1d' })
    expect(top.length).toBeGreaterThan(0)
    expect(sum(top.map(({ liquidatedVal }) => micros(liquidatedVal)))).toBe(micros(totalFilled))
    expect(sum(top.map(({ pnl }) => micros(pnl)))).toBe(micros(totalPnl))
    const tracked = top.filter(({ address }) => tradersOf(world).find(address))
    expect(tracked.length).toBeGreaterThan(0)
    expect(tracked.length).toBeLessThan(top.length)
    // Crowd accounts are created on request: some of them are.
    const others = top.filter((row) => !tracked.includes(row))
    for (const row of [...tracked, ...others.filter((_, at) => at % 8 === 0)]) {
      const { address, oid, liquidatedVal, startPosition, endPosition, time, pnl } = row
      const own = runToEnd(
        fills.nativeBetween(address, { startTimeMs: time, limit: 2_000 }),
      ).filter((fill) => fill.oid === oid)
      expect(own.map(({ liquidation }) => liquidation?.liquidatedUser)).toEqual(
        own.map(() => address),
      )
      const value = sum(own.map(({ px, sz }) => Math.round(Number(px) * Number(sz) * 1e6)))
      expect(Math.abs(value - micros(liquidatedVal))).toBeLessThanOrEqual(own.length)
      expect(sum(own.map(({ closedPnl }) => micros(closedPnl)))).toBe(micros(pnl))
      expect(Number(own[0]?.startPosition)).toBe(Number(startPosition))
      const left = Math.abs(Number(startPosition)) - sum(own.map(({ sz }) => Number(sz)))
      expect(Math.abs(Number(endPosition))).toBeCloseTo(left, 9)
      if (time >= world.startMs) expect(Number(endPosition)).toBe(0)
    }
    expect(liquidations.topPositions({ coin, interval: '1d', limit: 1 })).toEqual(top.slice(0, 1))
  }
})

test('the cells of past liquidations sum up to them', () => {
  const { liquidations } = factsAt(world, world.endMs, 777_777)
  for (const interval of ['15m', '1h', '1d', '60d']) {
    const columns = liquidations.columns({ coin: 'BTC', interval })
    const { longFilled, shortFilled } = liquidations.stat({ coin: 'BTC', interval })
    expect(sum(columns.map(({ long }) => turnover(long)))).toBe(micros(longFilled))
    expect(sum(columns.map(({ short }) => turnover(short)))).toBe(micros(shortFilled))
    expect(columns.map(({ time }) => (time + 777_777) % 60_000)).toEqual(columns.map(() => 0))
  }
  expect(liquidations.columns({ coin: 'NONE', interval: '1d' })).toEqual([])
})

test('the cells to come are the liquidation prices of the states of all accounts', () => {
  for (const atMs of instants) {
    const { liquidations, accounts } = factsAt(world, atMs)
    for (const [coin, dex] of [
      ['BTC', ''],
      ['xyz:TSLA', 'xyz'],
    ] as const) {
      const map = liquidations.map({ coin })
      const mark = Number(map?.markPx)
      const held = allTraders
        .flatMap(({ address }) => accounts.native(address, dex).assetPositions)
        .map(({ position }) => position)
        .filter((one) => one.coin === coin && one.liquidationPx !== null)
        .filter(({ liquidationPx }) => Math.abs(Number(liquidationPx) - mark) <= mark / 2)
      const worth = (sign: number) =>
        held
          .filter(({ szi, liquidationPx }) => {
            const isAhead = sign * Number(liquidationPx) < sign * mark
            return Math.sign(Number(szi)) === sign && isAhead
          })
          .map(({ positionValue }) => micros(positionValue))
      expect([map?.longTotal, map?.shortTotal].map((text) => micros(text ?? ''))).toEqual([
        sum(worth(1)),
        sum(worth(-1)),
      ])
      expect(turnover(map?.long ?? [])).toBe(sum(worth(1)))
      expect(turnover(map?.short ?? [])).toBe(sum(worth(-1)))
      expect(map?.long.every(([from]) => Number(from) < mark)).toBe(true)
      expect(map?.short.every(([, to]) => Number(to) > mark)).toBe(true)
    }
    const all = liquidations.map({ coin: 'BTC' })
    const lately = liquidations.map({ coin: 'BTC', interval: '1h' })
    const totalOf = (one: typeof all) => Number(one?.longTotal) + Number(one?.shortTotal)
    expect(totalOf(lately)).toBeLessThan(totalOf(all))
    expect(liquidations.map({ coin: 'PURR/USDC' })).toBeNull()
  }
})
