/** TWAPs agree with their slices, and their pressure with their remaining sizes. */

import { expect, test } from 'bun:test'
import { runToEnd } from '../../src/clock/turns.ts'
import { factsAt, smallWorld } from '../fixtures/small-world.ts'

const world = await smallWorld()
const instants = [1, 60_123, 178_000].map((at) => world.startMs + at)
const owners = world.db
  .query<{ address: string }, []>(
    'select distinct address from twap w join trader t on t.id = w.trader order by address',
  )
  .all()
  .map(({ address }) => address)

const micros = (text: string | null) => Math.round(Number(text) * 1e6)
const sum = (list: number[]) => list.reduce((all, one) => all + one, 0)

test('the executed size of a TWAP is the sum of its slices', () => {
  for (const atMs of instants) {
    const { twaps, users } = factsAt(world, atMs)
    for (const address of owners.slice(0, 20)) {
      const slices = users.twapSlices(address, 2_000)
      const oldest = slices.at(-1)?.fill.time ?? 0
      for (const twap of twaps.latest(address, { limit: 100 })) {
        // If there are more slices than can be listed, the oldest are missing.
        if (slices.length === 2_000 && twap.timestamp <= oldest) continue
        const own = slices.filter(({ twapId }) => twapId === twap.twapId)
        expect(sum(own.map(({ fill }) => micros(fill.sz)))).toBe(micros(twap.executedSz))
        const value = sum(own.map(({ fill }) => Number(fill.sz) * Number(fill.px)))
        expect(value).toBeCloseTo(Number(twap.executedNtl), 3)
        for (const { fill } of own) {
          expect([fill.twapId, fill.side, fill.coin]).toEqual([twap.twapId, twap.side, twap.coin])
          expect(fill.time).toBeLessThanOrEqual(atMs)
        }
      }
    }
  }
})

test('TWAPs of an address come newest first, none of them from the future', () => {
  const words = new Set<string>()
  for (const atMs of instants)
    for (const address of owners) {
      const { twaps } = factsAt(world, atMs)
      const latest = twaps.latest(address, { limit: 100 })
      const starts = latest.map(({ timestamp }) => timestamp)
      expect(starts).toEqual(starts.toSorted((a, b) => b - a))
      expect(starts.every((timeMs) => timeMs <= atMs)).toBe(true)
      for (const { status } of latest) words.add(status)
      const coin = latest[0]?.coin ?? 'BTC'
      const only = twaps.latest(address, { coin, limit: 100 })
      expect(only).toEqual(latest.filter((twap) => twap.coin === coin).slice(0, only.length))
      const running = twaps.running(address).map(([id]) => id)
      const activated = latest.filter(({ status }) => status === 'activated')
      expect(activated.map(({ twapId }) => twapId).toSorted()).toEqual(running.toSorted())
    }
  expect([...words].sort()).toEqual(['activated', 'finished', 'terminated'])
})

test('a TWAP that will be cancelled looks like any other', () => {
  type Row = { id: number; address: string; endMs: number }
  const rows = world.db
    .query<Row, []>(
      `select w.id, address, endMs from twap w join trader t on t.id = w.trader
       where endStatus = 'terminated' order by w.id desc limit 20`,
    )
    .all()
  for (const { id, address, endMs } of rows) {
    const seen = (atMs: number) =>
      factsAt(world, atMs)
        .twaps.latest(address, { limit: 100 })
        .find(({ twapId }) => twapId === id)?.status
    expect([seen(endMs - 1), seen(endMs)]).toEqual(['activated', 'terminated'])
  }
})

test('the wall is made of the remaining sizes of running TWAPs', () => {
  for (const atMs of instants) {
    const shiftMs = 4_321
    const { twaps } = factsAt(world, atMs, shiftMs)
    const running = runToEnd(twaps.topImpact({ limit: 10_000 }))
    expect(running.length).toBeGreaterThan(0)
    const values = running.map(({ remainVal }) => Number(remainVal))
    expect(values).toEqual(values.toSorted((a, b) => b - a))
    for (const interval of ['1m', '5m', '1h']) {
      const all = twaps.wall({ interval })
      const of = (side: 'B' | 'A') => running.filter((one) => one.side === side)
      expect([all.buyCount, all.sellCount]).toEqual([of('B').length, of('A').length])
      const left = (side: 'B' | 'A') => sum(of(side).map(({ remainVal }) => micros(remainVal)))
      expect([all.buyVal, all.sellVal].map(micros)).toEqual([left('B'), left('A')])
      expect(micros(all.netVal)).toBe(left('B') - left('A'))
      for (const name of ['buyVal', 'sellVal', 'netVal'] as const)
        expect(sum(all.wall.map((one) => micros(one[name])))).toBe(micros(all[name]))
      const [first] = all.wall
      expect(first?.time).toBeLessThanOrEqual(atMs)
      expect(all.wall.every(({ time }) => (time + shiftMs) % 60_000 === 0)).toBe(true)
      const last = Math.max(...running.map(({ endTime }) => endTime))
      expect(all.wall.at(-1)?.time).toBeLessThanOrEqual(last)
    }
  }
})

test('sizes of the wall are given for one coin and add up to the remaining sizes', () => {
  const [atMs = 0] = instants
  const { twaps } = factsAt(world, atMs)
  const coins = new Set(runToEnd(twaps.topImpact({ limit: 10_000 })).map(({ coin }) => coin))
  for (const coin of coins) {
    const { wall } = twaps.wall({ coin, interval: '5m' })
    for (const [side, name] of [
      ['B', 'buySz'],
      ['A', 'sellSz'],
    ] as const) {
      const left = runToEnd(twaps.topImpact({ coin, limit: 10_000 })).filter(
        (one) => one.side === side,
      )
      expect(sum(wall.map((one) => micros(one[name])))).toBe(
        sum(left.map(({ remainSz }) => micros(remainSz))),
      )
    }
  }
  expect(twaps.wall({ interval: '5m' }).wall[0]).toMatchObject({ buySz: null, sellSz: null })
})

test('the impact is the remaining size in percent of a day of trades', () => {
  const [atMs = 0] = instants
  const { twaps, assetContexts } = factsAt(world, atMs)
  const perps = runToEnd(assetContexts.perps('')) ?? []
  const coins = factsAt(world, atMs).venue.meta('')?.universe ?? []
  for (const { coin, remainVal, impactPct } of runToEnd(twaps.topImpact({ limit: 100 }))) {
    const at = coins.findIndex(({ name }) => name === coin)
    if (at < 0) continue
    const percent = (100 * Number(remainVal)) / Number(perps[at]?.dayNtlVlm)
    expect(Number(impactPct)).toBeCloseTo(percent, 4)
  }
})

test('where nothing runs there is nothing', () => {
  const { twaps } = factsAt(world, world.meta.historyStartMs - 1)
  expect(runToEnd(twaps.topImpact({ limit: 10 }))).toEqual([])
  expect(twaps.wall({ interval: '1m' })).toMatchObject({ buyCount: 0, buyVal: '0', wall: [] })
  expect(twaps.wall({ coin: 'NONE', interval: '1m' })).toMatchObject({ coin: 'NONE', wall: [] })
  expect(twaps.latest('0x0000000000000000000000000000000000000000', { limit: 5 })).toEqual([])
})
