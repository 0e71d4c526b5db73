/** Drawdowns and net flows, recomputed from account states and ledgers. */
import { expect, test } from 'bun:test'
import { parse } from '../../src/decimal/quantity.ts'
import { busiestAccounts, factsAt, smallWorld } from '../fixtures/small-world.ts'

const world = await smallWorld()
/** Not a whole number of hours. */
const SHIFT_MS = 30_000_007_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const nowMs = world.startMs + 150_000
const busiest = busiestAccounts(world)
const at = (atMs: number) => factsAt(world, atMs, SHIFT_MS)
const usd = (text: string) => parse(text, 6)

test('net flow is the sum of the ledger in the span', () => {
  const rows = world.db.query<
    { usd: number; sz: number | null; dex: string; delta: string },
    number[]
  >(
    `select l.usd, l.sz, a.dex, l.delta from ledger l join account a on a.id = l.account
     where l.trader = ?1 and l.timeMs > ?2 and l.timeMs <= ?3`,
  )
  for (const { id, address } of busiest)
    for (const days of [1, 7, 30, 0]) {
      let [perp, spot] = [0, 0]
      const fromMs = days === 0 ? 0 : nowMs - days * DAY_MS
      for (const { usd: deposited, sz, dex, delta } of rows.all(id, fromMs, nowMs)) {
        const tokens = sz === null ? 0 : Math.sign(sz) * usd(JSON.parse(delta).usdcValue)
        if (['spot', 'staking', 'vault'].includes(dex)) spot += deposited + tokens
        else perp += deposited
      }
      const { netPerpIn, netSpotIn } = at(nowMs).pnlCurves.netFlow(address, days)
      expect([usd(netPerpIn), usd(netSpotIn)]).toEqual([perp, spot])
    }
})

test('net deposits of the dexes are the net flows of all accounts', () => {
  const addresses = world.db.query<{ address: string }, []>('select address from trader').all()
  const flowsAt = (atMs: number) =>
    addresses
      .map(({ address }) => usd(at(atMs).pnlCurves.netFlow(address, 0).netPerpIn))
      .reduce((a, b) => a + b)
  const depositsAt = (atMs: number, dexs = ['', 'xyz']) =>
    dexs.map((dex) => usd(at(atMs).venue.netDeposits(dex))).reduce((a, b) => a + b)
  for (const atMs of [nowMs - 10 * DAY_MS, nowMs]) expect(depositsAt(atMs)).toBe(flowsAt(atMs))
  expect(depositsAt(nowMs, [''])).toBeGreaterThan(depositsAt(nowMs - 10 * DAY_MS, ['']))
  expect(depositsAt(nowMs, ['nothing'])).toBe(0)
})

test('no drawdown of the PnL was deeper, hour by hour', () => {
  for (const { address } of busiest.slice(0, 6)) {
    const firstMs = Math.ceil((nowMs + SHIFT_MS) / HOUR_MS) * HOUR_MS - SHIFT_MS - DAY_MS
    const times = Array.from({ length: 24 }, (_, hour) => firstMs + hour * HOUR_MS)
    const points = [...times, nowMs].map((timeMs) => {
      const { accounts, pnlCurves } = at(timeMs)
      const value = ['', 'xyz']
        .map((dex) => usd(accounts.native(address, dex).marginSummary.accountValue))
        .reduce((a, b) => a + b)
      const deposited = usd(pnlCurves.netFlow(address, 0).netPerpIn)
      return { timeMs, value, deposited, pnl: value - deposited }
    })
    let deepest = 0
    for (const [place, low] of points.entries()) {
      const past = points.slice(0, place + 1)
      const height = Math.max(...past.map(({ pnl }) => pnl))
      const high = past.findLast(({ pnl }) => pnl === height) ?? low
      const base = Math.max(high.value + Math.max(low.deposited - high.deposited, 0), 1)
      deepest = Math.max(deepest, (height - low.pnl) / base)
    }
    const drawdown = at(nowMs).pnlCurves.drawdown(address, 1)
    expect(Number(drawdown.maxDrawdown)).toBeCloseTo(deepest, 5)
    const [high, low] = [usd(drawdown.high.value), usd(drawdown.low.value)]
    const netIn = usd(drawdown.netIn)
    expect(Date.parse(drawdown.high.time)).toBeLessThanOrEqual(Date.parse(drawdown.low.time))
    const ratio = (high + netIn - low) / Math.max(high + Math.max(netIn, 0), 1)
    expect(Number(drawdown.maxDrawdown)).toBeCloseTo(ratio, 5)
    expect(at(nowMs).completedTrades.stat(address, 1).maxDrawdown).toBe(drawdown.maxDrawdown)
  }
})
