/** Accounts, statistics and searches agree with one another and with completed trades. */
import { expect, test } from 'bun:test'
import { tapeMs } from '../../src/clock/instant.ts'
import { runToEnd, type Slices } from '../../src/clock/turns.ts'
import type {
  FoundTraders,
  SmartMoneyQuery,
  SmartMoneySort,
} from '../../src/contract/facts/perpdex/traders.ts'
import { DEFAULT_ANSWERS } from '../../src/contract/questions.ts'
import type { TraderAccount, TraderStatistics } from '../../src/contract/records/trader-search.ts'
import { parse } from '../../src/decimal/quantity.ts'
import { tradersOf } from '../../src/market/rows/traders.ts'
import { factsOf } from '../../src/market/world/facts.ts'
import { smallWorld } from '../fixtures/small-world.ts'

const world = await smallWorld()
const DAY_MS = 86_400_000
const MOMENTS = [-6 * DAY_MS, 0, 150_000].map((ms) => world.startMs + ms)
const allAddresses = tradersOf(world).list.map(({ address }) => address)
const at = (atMs: number, answers = {}) =>
  factsOf(world)({ atMs: tapeMs(atMs), shiftMs: 0, answers: { ...DEFAULT_ANSWERS, ...answers } })
const usd = (text: string) => parse(text, 6)

test('an account is the same alone, in the list and in its states', () => {
  for (const atMs of MOMENTS) {
    const facts = at(atMs)
    const rows = facts.traders.accounts(allAddresses)
    expect(rows.map(({ address }) => address)).toEqual(allAddresses)
    for (const row of rows) {
      const { marginSummary, assetPositions } = facts.accounts.perp(row.address, '')
      const { accountValue, totalMarginUsed, totalNtlPos } = marginSummary
      expect(usd(row.perpValue)).toBe(usd(accountValue))
      expect(usd(row.marginUsage)).toBe(usd(totalMarginUsed))
      expect(row.currentPosition).toBe(assetPositions.length)
      if (usd(accountValue) > 0) {
        const [leverage, rate] = [totalNtlPos, totalMarginUsed].map(
          (part) => Number(part) / Number(accountValue),
        )
        expect(Number(row.effLeverage)).toBeCloseTo(leverage as number, 5)
        expect(Number(row.marginUsageRate)).toBeCloseTo(rate as number, 5)
      }
      const { stakedTokens, vault } = facts.users.savings(row.address)
      const { balances } = facts.users.spot(row.address)
      const debt = Math.min(0, usd(balances.find(({ coin }) => coin === 'USDC')?.total ?? '0'))
      const equity = facts.users.isUnified(row.address) ? 0 : usd(row.perpValue)
      const sum = usd(row.spotValue) + debt + equity + usd(vault?.equity ?? '0')
      if (Number(stakedTokens) > 0) expect(usd(row.totalValue)).toBeGreaterThan(sum)
      else expect(usd(row.totalValue)).toBe(sum)
    }
    for (const address of allAddresses.slice(0, 30))
      expect(facts.traders.accounts([address])).toEqual(
        rows.filter((row) => row.address === address),
      )
  }
})

test('the newest operation is the newest order or fill, and 0 is shown before the first', () => {
  const newest = world.db.query<{ timeMs: number | null }, [number, number]>(
    `select max(timeMs) timeMs from (select timeMs from fill where trader = ?1 and timeMs <= ?2
     union all select timeMs from orders where trader = ?1 and timeMs <= ?2)`,
  )
  const [atMs] = MOMENTS as [number]
  const facts = factsOf(world)({ atMs: tapeMs(atMs), shiftMs: 12_000, answers: DEFAULT_ANSWERS })
  const rows = facts.traders.accounts(allAddresses)
  for (const [place, { id }] of tradersOf(world).list.entries())
    expect(rows[place]?.lastOperationAt).toBe(newest.get(id, atMs)?.timeMs ?? -12_000)
})

test('statistics are the sums of the positions that were closed in the period', () => {
  for (const atMs of MOMENTS)
    for (const days of [0, 1, 7]) {
      const facts = at(atMs)
      for (const row of facts.traders.statistics(allAddresses.slice(0, 50), days, true)) {
        const stat = facts.completedTrades.stat(row.address, days)
        expect(row.positions).toBe(stat.closePosCount)
        expect(usd(row.realizedPnl)).toBe(usd(stat.totalPnl))
        expect(row.winRate).toBe(stat.winRate)
        expect(row.avgHoldingSec).toBe(Number(stat.avgPosDuration))
        expect(usd(row.longPnl) + usd(row.shortPnl)).toBe(usd(row.realizedPnl))
        const coins = facts.completedTrades.byCoin(row.address, days, 100)
        expect(coins.reduce((sum, { winCount }) => sum + winCount, 0)).toBe(row.profitPositions)
        const trades = facts.completedTrades
          .latest(row.address, { limit: 2_000 })
          .filter(({ closeTime }) => days === 0 || closeTime >= atMs - days * DAY_MS)
        const longs = trades.filter(({ side }) => side === 'long')
        const won = longs.filter(({ pnl }) => Number(pnl) > 0).length
        expect(Number(row.longWr)).toBeCloseTo(won / Math.max(longs.length, 1), 5)
        const points = facts.pnlCurves.pnls(row.address, days, 'all') as { pnl: string }[]
        const list = (row.pnlList ?? []) as { v: string }[]
        expect(list.map(({ v }) => v)).toEqual(points.map(({ pnl }) => pnl))
        const [account] = facts.traders.accounts([row.address])
        expect(row).toMatchObject(account as TraderAccount)
      }
    }
})

const KEYS: Record<SmartMoneySort, (row: TraderStatistics) => number> = {
  'win-rate': ({ winRate }) => Number(winRate),
  'account-balance': ({ totalValue }) => usd(totalValue),
  ROI: ({ realizedPnl, totalValue }) => usd(realizedPnl) / usd(totalValue),
  pnl: ({ realizedPnl }) => usd(realizedPnl),
  'position-count': ({ positions }) => positions,
  'profit-count': ({ profitPositions }) => profitPositions,
  'last-operation': ({ lastOperationAt }) => lastOperationAt,
  'avg-holding-period': ({ avgHoldingSec }) => avgHoldingSec,
  'current-position': ({ currentPosition }) => currentPosition,
}

test('smart money is accounts with more than 100,000 USD on the main dex, in 9 orders', () => {
  const { traders } = at(MOMENTS[2] as number)
  const rich = traders
    .accounts(allAddresses)
    .filter(({ perpValue }) => Number(perpValue) > 100_000)
    .map(({ address }) => address)
  expect(rich.length).toBeGreaterThan(30)
  for (const sort of Object.keys(KEYS) as SmartMoneySort[])
    for (const period of [0, 7]) {
      const query: SmartMoneyQuery = { pageNum: 1, pageSize: 25, period, sort, pnlList: false }
      const found: TraderStatistics[] = []
      for (let pageNum = 1; found.length < rich.length; pageNum++) {
        const page = runToEnd(traders.smartMoney({ ...query, pageNum })) as TraderStatistics[]
        expect(page.length).toBeGreaterThan(0)
        found.push(...page)
      }
      expect(found.map(({ address }) => address).sort()).toEqual(rich.toSorted())
      const keys = found.map(KEYS[sort])
      for (const [place, key] of keys.slice(1).entries())
        expect(key).toBeLessThanOrEqual((keys[place] as number) + 1e-6)
      const { pnlList: _, ...first } = found[0] as TraderStatistics
      expect(traders.statistics([first.address], period, false)[0]).toMatchObject(first)
    }
})

test('before the history begins no trader is found', () => {
  const { traders } = at(world.meta.historyStartMs - 1)
  const query = { pageNum: 1, pageSize: 20, period: 7 }
  expect(runToEnd(traders.smartMoney({ ...query, sort: 'pnl', pnlList: true }))).toEqual([])
  expect(runToEnd(traders.discover(query) as Slices<FoundTraders>)).toEqual({ list: [], total: 0 })
  const [row] = traders.accounts(allAddresses.slice(0, 1))
  expect(row).toMatchObject({ totalValue: '0', currentPosition: 0, effLeverage: '0' })
})
