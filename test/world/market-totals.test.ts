/** Open interest of the perpetual venue, recomputed from all accounts. */
import { expect, test } from 'bun:test'
import { tapeMs } from '../../src/clock/instant.ts'
import { runToEnd } from '../../src/clock/turns.ts'
import { DEFAULT_ANSWERS } from '../../src/contract/questions.ts'
import { parse } from '../../src/decimal/quantity.ts'
import { tradersOf } from '../../src/market/rows/traders.ts'
import type { InstrumentRow } from '../../src/market/schema/schema.ts'
import { factsOf } from '../../src/market/world/facts.ts'
import { crowdLongOf } from '../fixtures/interest-reference.ts'
import { smallWorld } from '../fixtures/small-world.ts'

const world = await smallWorld()
/** Not a whole number of hours or days. */
const SHIFT_MS = 30_000_007_000
const MOMENTS = [0, 75_000, 179_000].map((ms) => world.startMs + ms)
const PERPS = world.instruments.filter(({ kind }) => kind === 'perp')
const DAY_MS = 86_400_000

const at = (atMs: number, answers = {}) =>
  factsOf(world)({
    atMs: tapeMs(atMs),
    shiftMs: SHIFT_MS,
    answers: { ...DEFAULT_ANSWERS, ...answers },
  })

const usd = (text: string) => parse(text, 6)
const sum = (list: readonly number[]) => list.reduce((a, b) => a + b, 0)

/** Every open position in account states. */
function positions(atMs: number) {
  const { accounts } = at(atMs)
  return tradersOf(world).list.flatMap(({ address }) =>
    ['', 'xyz'].flatMap((dex) =>
      accounts
        .native(address, dex)
        .assetPositions.map(({ position }) => ({ address, ...position })),
    ),
  )
}

test('open interest is that of all accounts and the crowd, at the mark price', () => {
  for (const atMs of MOMENTS) {
    const all = positions(atMs)
    const rows = at(atMs).openInterest.topCoins({ windowMs: 3 * DAY_MS, limit: 50 })
    expect(rows.map(({ coin }) => coin).sort()).toEqual([...new Set(all.map(coinOf))].sort())
    for (const row of rows) {
      const held = all.filter(({ coin }) => coin === row.coin)
      const worth = (sign: number) =>
        sum(held.filter(({ szi }) => Math.sign(Number(szi)) === sign).map(worthOf)) +
        crowdWorth(row.coin, atMs, sign, held)
      const crowdCount = crowdPositions(row.coin, atMs)
      expect(row.positionCount).toBe(held.length + 2 * crowdCount)
      // Each of the values is rounded to a micro-dollar, the open interest only once.
      expect(Math.abs(usd(row.longPv) - worth(1))).toBeLessThanOrEqual(held.length / 2)
      expect(Math.abs(usd(row.shortPv) - worth(-1))).toBeLessThanOrEqual(held.length / 2)
      expect(usd(row.totalPv)).toBe(usd(row.longPv) + usd(row.shortPv))
      expect(Math.abs(usd(row.avgPv) * row.positionCount - usd(row.totalPv))).toBeLessThanOrEqual(
        row.positionCount / 2,
      )
      const [last] = runToEnd(
        at(atMs).openInterest.history({ coin: row.coin, windowMs: DAY_MS }),
      ).slice(-1)
      const { longPv, totalPv, avgPv, positionCount } = row
      expect(last).toMatchObject({ time: atMs, longPv, totalPv, avgPv, positionCount })
      const longCount = held.filter(({ szi }) => Number(szi) > 0).length
      expect(last?.longCount).toBe(longCount + crowdCount)
    }
    const values = rows.map(({ totalPv }) => usd(totalPv))
    expect(values).toEqual(values.toSorted((a, b) => b - a))
    const summary = at(atMs).openInterest.summary()
    for (const field of ['longPv', 'shortPv', 'totalPv'] as const)
      expect(usd(summary[field])).toBe(sum(rows.map((row) => usd(row[field]))))
    expect(summary.positionCount).toBe(sum(rows.map(({ positionCount }) => positionCount)))
  }
})

/** The crowd's value at the mark price: its shorts make all positions sum to zero. */
function crowdWorth(coin: string, atMs: number, sign: number, held: { szi: string }[]): number {
  const of = world.byCoin.get(coin) as InstrumentRow
  const unit = 10 ** of.szDecimals
  const net = sum(held.map(({ szi }) => Math.round(Number(szi) * unit)))
  const size = crowdLongOf(world, of, atMs) + (sign > 0 ? 0 : net)
  const mark = parse(
    runToEnd(at(atMs).assetContexts.perps(of.dex))?.[of.asset]?.markPx ?? '',
    of.pxDecimals,
  )
  return Math.round((size * mark * 1e6) / unit / 10 ** of.pxDecimals)
}

/** Its positions average 20,000 dollars, at the tape's first price. */
function crowdPositions(coin: string, atMs: number): number {
  const of = world.byCoin.get(coin) as InstrumentRow
  const px = Number(of.firstPx) / 10 ** of.pxDecimals
  return Math.ceil(((crowdLongOf(world, of, atMs) / 10 ** of.szDecimals) * px) / 20_000)
}

const coinOf = ({ coin }: { coin: string }) => coin
const worthOf = ({ positionValue }: { positionValue: string }) => usd(positionValue)

test('only positions opened in the window count when the open question is set so', () => {
  const answers = { 'top-coins-window': 'opened' }
  const query = (windowMs: number) =>
    at(world.endMs, answers).openInterest.topCoins({ windowMs, limit: 50 })
  const counts = (rows: { coin: string; positionCount: number }[]) =>
    Object.fromEntries(rows.map(({ coin, positionCount }) => [coin, positionCount]))
  const ever = at(world.endMs).openInterest.topCoins({ windowMs: 180 * DAY_MS, limit: 50 })
  expect(counts(query(180 * DAY_MS))).toEqual(counts(ever))
  for (const [at, row] of query(180 * DAY_MS).entries())
    for (const side of ['longPv', 'shortPv'] as const)
      expect(Math.abs(usd(row[side]) - usd(ever[at]?.[side] ?? ''))).toBeLessThan(1_000)
  const minutes = counts(query(15 * 60_000))
  for (const [coin, count] of Object.entries(minutes))
    expect(count).toBeLessThan(counts(ever)[coin] ?? 0)
})

test('points of histories are at whole steps of the shown clock, and never change', () => {
  const [early, late] = [MOMENTS[1] as number, MOMENTS[2] as number]
  for (const windowMs of [15 * 60_000, DAY_MS, 180 * DAY_MS])
    for (const step of ['few', 'fine'])
      for (const { coin } of PERPS) {
        const query = (atMs: number) =>
          runToEnd(
            at(atMs, { 'open-interest-step': step }).openInterest.history({ coin, windowMs }),
          )
        const points = query(late).slice(0, -1)
        for (const { time } of points) expect((time + SHIFT_MS) % 60_000).toBe(0)
        const before = query(early).slice(0, -1)
        const firstMs = points[0]?.time ?? late
        const kept = before.filter(({ time }) => time >= firstMs)
        expect(points.filter(({ time }) => time <= early)).toEqual(kept)
      }
})
