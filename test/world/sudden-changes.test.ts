/** Sudden changes agree with the rows of the world. */
import { expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { runToEnd } from '../../src/clock/turns.ts'
import { CHANGE_TYPES, ChangeSignal, type ChangeType } from '../../src/contract/records/signal.ts'
import { factsAt, smallWorld } from '../fixtures/small-world.ts'
import { tradedBetween } from '../fixtures/traded-reference.ts'

const world = await smallWorld()
const DAY = 86_400_000
const TYPES = Object.keys(CHANGE_TYPES) as ChangeType[]

const changes = (type: ChangeType, atMs: number = world.endMs, currency: 'cny' | 'usd' = 'usd') =>
  runToEnd(factsAt(world, atMs).signal.changes({ type, currency }))

const rows = (sql: string, ...parameters: (string | number)[]) =>
  world.db.query(sql).values(...parameters) as number[][]

test('changes are newest first, of the last day, and as the coin ticker was then', () => {
  const shown = TYPES.flatMap((type) => {
    const list = changes(type)
    for (const one of list) expect([...Value.Errors(ChangeSignal, one)]).toEqual([])
    const times = list.map(({ created_at }) => Number(created_at) * 1000)
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    for (const time of times) expect(time).toBeGreaterThan(world.endMs - DAY - 1000)
    expect(list.length).toBeLessThanOrEqual(100)
    return list.filter(({ type }) => Number(type) < 11)
  })
  expect(new Set(shown.map(({ type }) => type)).size).toBeGreaterThan(5)
  const keys = { BTC: 'bitcoin', SOL: 'solana', PURR: 'purr' }
  for (const { show, created_at, price, trade, degree_24h } of shown) {
    const { coin } = factsAt(world, Number(created_at) * 1000)
    const [ticker] = runToEnd(coin.tickers([keys[show as keyof typeof keys]]))
    expect([price, trade, degree_24h]).toEqual([
      ticker?.price_usd as string,
      ticker?.trade_24h_usd as string,
      ticker?.degree_24h_usd as string,
    ])
  }
})

test('a new high and a new low are beyond everything of the 24 hours before', () => {
  for (const [type, sign] of [['7', 1] as const, ['8', -1] as const])
    for (const { show, created_at, price } of changes(type)) {
      const of = world.instruments.find(({ base }) => base === show)
      const timeMs = Number(created_at) * 1000
      if (!of) throw new Error(`there is no ${show}`)
      const { high, low } = tradedBetween(world, of, timeMs - DAY, timeMs - 300_000) ?? fail(show)
      const px = Number(price) * 10 ** of.pxDecimals
      expect(sign === 1 ? px > high : px < low).toBe(true)
    }
})

function fail(show: string): never {
  throw new Error(`nothing of ${show} was traded`)
}

test('large orders took at least 100,000 dollars, large closings at least 10,000', () => {
  for (const [type, side] of [['11', 'B'] as const, ['12', 'A'] as const]) {
    const list = changes(type)
    expect(list.length).toBeGreaterThan(0)
    for (const { show, created_at } of list) {
      const of = world.instruments.find(({ base }) => base === show)
      const sums = rows(
        `select sum(notional) from trade where instrument = ? and side = ?
         and timeMs >= ? and timeMs < ? group by timeMs, case side when 'B' then buyerOid
         else sellerOid end`,
        ...[of?.id as number, side],
        ...[Number(created_at) * 1000, Number(created_at) * 1000 + 1000],
      )
      expect(Math.max(...sums.flat())).toBeGreaterThanOrEqual(100_000e6)
    }
  }
  const closed = rows(
    `select distinct instrument, timeMs from liquidation l join instrument i
     on i.id = l.instrument where i.dex = '' and direction = 'long'
     and notional >= 10000000000 and timeMs > ? and timeMs <= ?`,
    world.endMs - DAY,
    world.endMs,
  )
  expect(changes('23')).toHaveLength(Math.min(closed.length, 100))
})

test('shown changes are never withdrawn, and none is shown before it happens', () => {
  const midMs = Math.floor((world.startMs + world.endMs) / 2)
  const timeOf = ({ created_at }: { created_at: string }) => Number(created_at) * 1000
  let compared = 0
  for (const type of TYPES) {
    const [early, late] = [changes(type, midMs), changes(type)]
    for (const one of early) expect(timeOf(one)).toBeLessThanOrEqual(midMs)
    // A full list has dropped its oldest.
    const oldest = late.length === 100 ? late.at(-1) : undefined
    const fromMs = Math.max(world.endMs - DAY, oldest ? timeOf(oldest) : 0) + 1000
    const both = (list: ChangeSignal[]) =>
      list.filter((one) => timeOf(one) >= fromMs && timeOf(one) + 1000 <= midMs)
    expect(both(late)).toEqual(both(early))
    compared += both(late).length
  }
  expect(compared).toBeGreaterThan(100)
})

test('in yuan a change costs 7.1 times as much', () => {
  const [usd, cny] = [changes('11')[0], changes('11', world.endMs, 'cny')[0]]
  expect(Number(cny?.price)).toBeCloseTo(Number(usd?.price) * 7.1, 6)
  expect([cny?.id, cny?.currency_str]).toEqual([usd?.id, 'cny'])
})
