/** Statistics of the default world's traders before the tape: within bounds of real ones. */
import { beforeAll, expect, test } from 'bun:test'
import path from 'node:path'
import { CROWD } from '../../src/market/schema/schema.ts'
import type { World } from '../../src/market/world/world.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { worldOfTape } from '../fixtures/small-world.ts'

const RECORDING = path.join(PROJECT_FOLDER, 'recordings', 'default.tape.ndjson.zst')
let world: World
let untilMs: number
beforeAll(async () => {
  world = await worldOfTape(RECORDING)
  untilMs = world.meta.barsEndMs
})

const all = <Row>(text: string, ...given: number[]): Row[] =>
  world.db.query<Row, number[]>(text).all(...given)

const OTHERS = "role not in ('liquidated', 'named') and persona is null"

/** Quantile of a list. */
function quantile(list: readonly number[], part: number): number {
  const sorted = list.toSorted((a, b) => a - b)
  return sorted[Math.floor(part * sorted.length)] ?? Number.NaN
}

/** Exponent of a power-law tail, by the largest part of a list. */
function tailExponent(list: readonly number[], part: number): number {
  const largest = list.toSorted((a, b) => b - a).slice(0, Math.floor(part * list.length))
  const least = largest.at(-1) as number
  return largest.length / largest.reduce((sum, one) => sum + Math.log(one / least), 0)
}

test('a third to a half are ahead by closed positions, and win rates are spread', () => {
  const closed = all<{ pnl: number; wins: number; count: number }>(
    `select sum(p.closedPnl - p.fees - p.funding) pnl, avg(p.closedPnl > 0) wins, count(*) count
     from position p join trader t on t.id = p.trader
     where p.closeMs < ? and ${OTHERS} group by p.trader`,
    untilMs,
  )
  expect(closed.length).toBeGreaterThan(200)
  const ahead = closed.filter(({ pnl }) => pnl > 0).length / closed.length
  expect(ahead).toBeGreaterThan(0.25)
  expect(ahead).toBeLessThan(0.6)
  const rates = closed.filter(({ count }) => count >= 10).map(({ wins }) => wins)
  expect(quantile(rates, 0.05)).toBeLessThan(0.38)
  expect(quantile(rates, 0.95)).toBeGreaterThan(0.65)
})

test('positions are held for seconds and for weeks, at leverages up to the highest', () => {
  const rows = all<{ ms: number; leverage: number }>(
    `select closeMs - openMs ms, leverage from position p join trader t on t.id = p.trader
     where closeMs < ? and ${OTHERS}`,
    untilMs,
  )
  const seconds = rows.map(({ ms }) => ms / 1000)
  expect(quantile(seconds, 0.05)).toBeLessThan(120)
  expect(quantile(seconds, 0.5)).toBeLessThan(7_200)
  expect(Math.max(...seconds)).toBeGreaterThan(7 * 86_400)
  const leverages = rows.map(({ leverage }) => leverage)
  expect(quantile(leverages, 0.5)).toBeGreaterThanOrEqual(3)
  expect(quantile(leverages, 0.5)).toBeLessThanOrEqual(8)
  expect(Math.max(...leverages)).toBeGreaterThanOrEqual(25)
})

test('fills of an account and its deposits follow power laws', () => {
  const fills = all<{ count: number }>(
    `select count(*) count from fill f join trader t on t.id = f.trader
     where timeMs < ? and ${OTHERS} group by f.trader`,
    untilMs,
  ).map(({ count }) => count)
  expect(quantile(fills, 0.95) / quantile(fills, 0.5)).toBeGreaterThan(8)
  const money = all<{ usd: number }>(
    `select sum(usd) usd from ledger l join trader t on t.id = l.trader
     where type = 'deposit' and timeMs < ? and ${OTHERS} group by l.trader`,
    untilMs,
  ).map(({ usd }) => usd)
  expect(tailExponent(money, 0.12)).toBeGreaterThan(0.6)
  expect(tailExponent(money, 0.12)).toBeLessThan(2.5)
})

test('money goes out as well as in', () => {
  const [row] = all<{ inside: number; out: number }>(
    `select sum(iif(type = 'deposit', usd, 0)) inside, sum(iif(type = 'withdraw', -usd, 0)) out
     from ledger l join trader t on t.id = l.trader where timeMs < ? and ${OTHERS}`,
    untilMs,
  )
  const share = (row?.out ?? 0) / (row?.inside ?? 1)
  expect(share).toBeGreaterThan(0.08)
  expect(share).toBeLessThan(1)
})

test('liquidations of both sides come every hour, of the crowd and of traders', () => {
  const rows = all<{ timeMs: number; direction: string; trader: number; notional: number }>(
    'select timeMs, direction, trader, notional from liquidation where timeMs < ?',
    untilMs,
  )
  const hours = (untilMs - world.meta.historyStartMs) / 3_600_000
  const sides = new Set(rows.map((row) => `${Math.floor(row.timeMs / 3_600_000)}${row.direction}`))
  expect(sides.size / (2 * hours)).toBeGreaterThan(0.95)
  const own = rows.filter(({ trader }) => trader !== CROWD)
  expect(own.length).toBeGreaterThan(10)
  expect(new Set(own.map(({ direction }) => direction)).size).toBe(2)
  expect(
    tailExponent(
      rows.map(({ notional }) => notional),
      0.02,
    ),
  ).toBeLessThan(1.8)
})

test('a TWAP that ran to its end has a slice for each half minute', () => {
  const programs = all<{ minutes: number; slices: number }>(
    `select minutes, (select count(distinct timeMs) from fill where twap = w.id) slices
     from twap w where endStatus = 'finished' and endMs < ?`,
    untilMs,
  )
  expect(programs.length).toBeGreaterThan(50)
  const slices = programs.reduce((sum, one) => sum + one.slices, 0)
  const slots = programs.reduce((sum, one) => sum + 2 * one.minutes, 0)
  expect(slices / slots).toBeGreaterThan(0.9)
  expect(slices / slots).toBeLessThanOrEqual(1)
})

test('TWAPs run as the tape begins, with their fills so far', () => {
  const running = all<{ slices: number }>(
    `select (select count(*) from fill where twap = w.id and timeMs < ?1) slices from twap w
     where timeMs < ?1 and (endMs is null or endMs > ?1)`,
    world.startMs,
  )
  expect(running.length).toBeGreaterThan(0)
  expect(Math.max(...running.map(({ slices }) => slices))).toBeGreaterThan(5)
})
