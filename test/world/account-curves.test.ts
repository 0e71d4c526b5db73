/** Curves, drawdowns and flows agree with account states, ledgers and one another. */

import { expect, test } from 'bun:test'
import { tapeMs } from '../../src/clock/instant.ts'
import { runToEnd } from '../../src/clock/turns.ts'
import { DEFAULT_ANSWERS } from '../../src/contract/questions.ts'
import type { CurveWindow } from '../../src/contract/records/completed-trade.ts'
import { parse } from '../../src/decimal/quantity.ts'
import { factsOf } from '../../src/market/world/facts.ts'
import { busiestAccounts, smallWorld } from '../fixtures/small-world.ts'

const world = await smallWorld()
/** Not a whole number of hours. */
const SHIFT_MS = 30_000_007_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MOMENTS = [-5 * DAY_MS - 1_234, 0, 150_000].map((ms) => world.startMs + ms)
const nowMs = MOMENTS.at(-1) as number
const busiest = busiestAccounts(world)
const at = (atMs: number, answers = {}) =>
  factsOf(world)({
    atMs: tapeMs(atMs),
    shiftMs: SHIFT_MS,
    answers: { ...DEFAULT_ANSWERS, ...answers },
  })
const usd = (text: string) => parse(text, 6)
const WINDOWS: Record<CurveWindow, [days: number, stepMs: number]> = {
  day: [1, HOUR_MS / 4],
  week: [7, HOUR_MS],
  month: [30, 4 * HOUR_MS],
  allTime: [0, DAY_MS],
}
const windows = Object.keys(WINDOWS) as CurveWindow[]

test('the last point of a portfolio is the account value', () => {
  for (const atMs of MOMENTS)
    for (const { address } of busiest) {
      const facts = at(atMs)
      const [row] = facts.traders.accounts([address])
      const value = (dex: string) => facts.accounts.native(address, dex).marginSummary.accountValue
      expect(usd(row?.perpValue ?? '')).toBe(usd(value('')))
      expect(usd(row?.builderPerpValue ?? '')).toBe(usd(value('xyz')))
      for (const window of windows) {
        const { accountValue } = facts.pnlCurves.portfolio(address, window)
        const last = accountValue.at(-1)
        if (last) expect(last.time).toBe(atMs)
        expect(usd(last?.value ?? '0')).toBe(usd(row?.totalValue ?? ''))
      }
    }
})

test("a portfolio's point equals the account's state at its instant, and the venue's", () => {
  let compared = 0
  for (const { address } of busiest.slice(0, 9)) {
    const answers = { 'portfolio-builder-dexes': 'counted' }
    const venue = new Map(runToEnd(at(nowMs).users.portfolio(address)))
    for (const window of windows) {
      const values = new Map(venue.get(window)?.accountValueHistory)
      for (const { time, value } of at(nowMs, answers).pnlCurves.portfolio(address, window)
        .accountValue) {
        const expected = values.get(time)
        if (expected === undefined) continue
        compared++
        // Tokens are rounded to a micro-dollar in both, pair by pair.
        expect(Math.abs(usd(expected) - usd(value))).toBeLessThanOrEqual(2)
      }
      const { accountValue } = at(nowMs).pnlCurves.portfolio(address, window)
      for (const { time, value } of accountValue.filter((_, place) => place % 40 === 5)) {
        const [row] = at(time).traders.accounts([address])
        expect(usd(row?.totalValue ?? '')).toBe(usd(value))
      }
    }
  }
  expect(compared).toBeGreaterThan(300)
})

test('points are at whole steps of shown time in the window, the last one is now', () => {
  for (const atMs of MOMENTS)
    for (const { address } of busiest)
      for (const window of windows) {
        const [days, stepMs] = WINDOWS[window]
        const { accountValue, pnl } = at(atMs).pnlCurves.portfolio(address, window)
        const times = pnl.map(({ time }) => time)
        expect(accountValue.map(({ time }) => time)).toEqual(times)
        expect(times).toEqual(times.toSorted((a, b) => a - b))
        for (const time of times.slice(0, -1)) expect((time + SHIFT_MS) % stepMs).toBe(0)
        if (days > 0)
          for (const time of times) expect(time).toBeGreaterThanOrEqual(atMs - days * DAY_MS)
        if (pnl[0]) expect(pnl[0].value).toBe('0.00')
      }
})

test('an earlier moment does not depend on a later one, and the later one keeps its points', () => {
  for (const { address } of busiest.slice(0, 9)) {
    const before = at(MOMENTS[0] as number).pnlCurves.portfolio(address, 'allTime')
    const after = at(nowMs).pnlCurves.portfolio(address, 'allTime')
    for (const curve of ['accountValue', 'pnl'] as const) {
      const kept = before[curve].slice(0, -1)
      expect(after[curve].slice(0, kept.length)).toEqual(kept)
    }
    expect(at(MOMENTS[0] as number).pnlCurves.portfolio(address, 'allTime')).toEqual(before)
  }
})

test('the value of an account is its deposits and its profit', () => {
  for (const atMs of MOMENTS)
    for (const { address } of busiest) {
      const { pnlCurves, traders } = at(atMs)
      const [row] = traders.accounts([address])
      const worth = usd(row?.totalValue ?? '') + usd(row?.builderPerpValue ?? '')
      const { netPerpIn, netSpotIn } = pnlCurves.netFlow(address, 0)
      const earned = usd(pnlCurves.portfolio(address, 'allTime').pnl.at(-1)?.value ?? '0')
      expect(worth).toBe(earned + usd(netPerpIn) + usd(netSpotIn))
    }
})

test('profit of perpetuals is realised plus unrealised, less fees and funding', () => {
  const sums = world.db.query<{ realised: number; fees: number }, [number, number]>(
    `select coalesce(sum(closedPnl), 0) realised, coalesce(sum(fee), 0) fees from fill f
     join instrument i on i.id = f.instrument
     where i.kind = 'perp' and f.trader = ? and f.timeMs <= ?`,
  )
  for (const { id, address } of busiest) {
    const { pnlCurves, accounts, users } = at(nowMs)
    const { realised, fees } = sums.get(id, nowMs) ?? { realised: 0, fees: 0 }
    const open = ['', 'xyz']
      .flatMap((dex) => accounts.native(address, dex).assetPositions)
      .reduce((sum, { position }) => sum + usd(position.unrealizedPnl), 0)
    const funding = runToEnd(users.funding(address, {}, 1e6)).reduce(
      (sum, { delta }) => sum + usd(delta.usdc),
      0,
    )
    const [row] = pnlCurves.batchPnls([address], 0, 'perp')
    const pnl = row?.pnls.at(-1) as { pnl: string } | undefined
    expect(Math.abs(usd(pnl?.pnl ?? '0') - (realised - fees + open + funding))).toBeLessThan(1_000)
  }
})

test('curves of PnL are those of the portfolio, alone and in batches', () => {
  for (const { address } of busiest)
    for (const window of windows) {
      const [days] = WINDOWS[window]
      const { pnlCurves } = at(nowMs)
      const { pnl } = pnlCurves.portfolio(address, window)
      const points = pnlCurves.pnls(address, days, 'all')
      expect(points).toEqual(pnl.map(({ time, value }) => ({ time, pnl: value })))
      expect(pnlCurves.batchPnls([address.toUpperCase().replace('X', 'x')], days, 'all')).toEqual([
        { address, pnls: points },
      ])
    }
})

test('an account without activity has empty curves and zeros', () => {
  const [{ address } = { address: '' }] = busiest
  const beforeMs = world.meta.historyStartMs - 1
  for (const [atMs, who] of [
    [nowMs, `0x${'0'.repeat(40)}`],
    [beforeMs, address],
  ] as const) {
    const { pnlCurves } = at(atMs)
    expect(pnlCurves.portfolio(who, 'week')).toEqual({ accountValue: [], pnl: [] })
    expect(pnlCurves.pnls(who, 0, 'all')).toEqual([])
    expect(pnlCurves.netFlow(who, 7)).toEqual({ netPerpIn: '0', netSpotIn: '0' })
    expect(pnlCurves.drawdown(who, 7)).toMatchObject({ maxDrawdown: '0', netIn: '0' })
  }
})
