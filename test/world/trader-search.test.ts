/** A search for traders agrees with their figures. */
import { expect, test } from 'bun:test'
import {
  DEFAULT_TRADER_COLUMNS,
  type FilterOperator,
  TRADER_COLUMNS,
} from '../../src/contract/records/trader-search.ts'
import { tradersOf } from '../../src/market/rows/traders.ts'
import {
  DAY_MS,
  everyTrader,
  factsAtTime,
  nowMs,
  type SearchOptions,
  SHIFT_MS,
  search,
  searchAllPages,
  sortedAddresses,
  world,
} from '../fixtures/trader-search.ts'

test('every trader with activity is there once, with the usual columns or all of them', () => {
  expect(everyTrader.length).toBe(search({ countOnly: true }).total)
  expect(new Set(sortedAddresses(everyTrader)).size).toBe(everyTrader.length)
  expect(everyTrader.length).toBeGreaterThan(tradersOf(world).list.length * 0.9)
  for (const row of everyTrader) expect(Object.keys(row).sort()).toEqual(TRADER_COLUMNS.toSorted())
  const [usual] = search({}).list
  expect(Object.keys(usual ?? {}).sort()).toEqual(DEFAULT_TRADER_COLUMNS.toSorted())
  const { list } = search({ selects: ['winRate'], loadPnls: true, loadTags: true })
  expect(Object.keys(list[0] ?? {}).sort()).toEqual(['address', 'pnlList', 'tags', 'winRate'])
})

test('figures are those of the other endpoints', () => {
  const { pnlCurves, completedTrades, traders } = factsAtTime(nowMs)
  for (const row of everyTrader.slice(0, 40)) {
    const [statistics] = traders.statistics([row.address], 7, true)
    expect(row.positionCount).toBe(statistics?.positions as number)
    expect(row.winRate).toBe(Number(statistics?.winRate))
    expect(row.longWinRate).toBe(Number(statistics?.longWr))
    expect(Number(row.totalPnl)).toBe(Number(statistics?.realizedPnl))
    expect(row.snapTotalValue).toBe(statistics?.totalValue as string)
    expect(row.snapPerpValue).toBe(statistics?.perpValue as string)
    expect(row.snapSpotValue).toBe(statistics?.spotValue as string)
    expect(row.snapPositionCount).toBe(statistics?.currentPosition as number)
    expect(
      Math.abs((row.avgDurationMin ?? 0) * 60 - (statistics?.avgHoldingSec ?? 0)),
    ).toBeLessThan(2)
    expect(row.pnlList).toEqual(statistics?.pnlList as never)
    expect(String(row.ddDrawdown)).toBe(pnlCurves.drawdown(row.address, 7).maxDrawdown)
    expect(String(row.ddDrawdown)).toBe(completedTrades.stat(row.address, 7).maxDrawdown)
    expect((row.snapLongPositionCount ?? 0) + (row.snapShortPositionCount ?? 0)).toBe(
      row.snapPositionCount as number,
    )
  }
})

const COMPARE: [FilterOperator, (a: number, b: number) => boolean][] = [
  ['>', (a, b) => a > b],
  ['>=', (a, b) => a >= b],
  ['<', (a, b) => a < b],
  ['<=', (a, b) => a <= b],
  ['=', (a, b) => a === b],
  ['!=', (a, b) => a !== b],
  ['<>', (a, b) => a !== b],
]

test('every number can be compared in every way', () => {
  const numbers = TRADER_COLUMNS.filter((name) => /^-?[\d.]+$/.test(String(everyTrader[3]?.[name])))
  expect(numbers.length).toBeGreaterThan(20)
  for (const field of numbers) {
    const values = everyTrader.map((row) => row[field]).filter((value) => value !== null)
    const middle = values.map(Number).toSorted((a, b) => a - b)[values.length >> 1] as number
    for (const [op, compare] of COMPARE)
      for (const val of [middle, String(middle)]) {
        const expected = everyTrader.filter(
          (row) => row[field] !== null && compare(Number(row[field]), middle),
        )
        expect(search({ filters: [{ field, op, val }], countOnly: true })).toEqual({
          list: [],
          total: expected.length,
        })
      }
  }
})

test('`>` is the default operator, a filter has its own period, and all must be true', () => {
  const val = 0.5
  const month = searchAllPages({ selects: ['winRate', 'positionCount'], period: 30 })
  const expected = month.filter(
    ({ address, winRate }) =>
      (winRate ?? 0) > val &&
      (everyTrader.find((row) => row.address === address)?.positionCount ?? 0) <= 9,
  )
  const found = searchAllPages({
    filters: [
      { field: 'winRate', val, period: 30 },
      { field: 'positionCount', op: '<=', val: 9 },
    ],
  })
  expect(sortedAddresses(found)).toEqual(sortedAddresses(expected))
  expect(found.length).toBeGreaterThan(3)
})

test('dates are in shown time', () => {
  const times = everyTrader.flatMap(({ oaLastOrderAt }) => oaLastOrderAt ?? [])
  const middle = times.toSorted()[times.length >> 1] as string
  const shown = new Date(Date.parse(middle) + SHIFT_MS).toISOString()
  const expected = everyTrader.filter(({ oaLastOrderAt }) => (oaLastOrderAt ?? '') > middle)
  for (const val2 of [shown, shown.replace('T', ' ').replace('Z', '')]) {
    const found = searchAllPages({ filters: [{ field: 'oaLastOrderAt', op: '>', val2 }] })
    expect(found.length).toBe(expected.length)
  }
  const { total } = search({ filters: [{ field: 'oaLastOrderAt', op: 'exist' }] })
  expect(total).toBe(times.length)
  const { total: levered } = search({ filters: [{ field: 'snapEffLeverage', op: 'exist' }] })
  expect(levered).toBe(everyTrader.filter((row) => row.snapEffLeverage !== null).length)
})

test('held coins follow from the rows of positions', () => {
  const held = new Map<string, Set<string>>()
  const rows = world.db
    .query<{ address: string; coin: string }, [number, number]>(
      `select t.address, i.coin from position p join trader t on t.id = p.trader
       join instrument i on i.id = p.instrument
       where p.openMs <= ?1 and (p.closeMs is null or p.closeMs >= ?2)`,
    )
    .all(nowMs, nowMs - DAY_MS)
  for (const { address, coin } of rows)
    held.set(address, (held.get(address) ?? new Set()).add(coin))
  const expect_ = (options: SearchOptions, test: (coins: Set<string>) => boolean) => {
    const expected = everyTrader.filter(({ address }) => test(held.get(address) ?? new Set()))
    expect(expected.length).toBeGreaterThan(0)
    expect(search({ period: 1, countOnly: true, ...options }).total).toBe(expected.length)
  }
  expect_({ coins: ['BTC', 'SOL'] }, (has) => has.has('BTC') && has.has('SOL'))
  expect_({ anyCoins: ['BTC', 'xyz:TSLA'] }, (has) => has.has('BTC') || has.has('xyz:TSLA'))
  expect_({ noCoins: ['SOL'] }, (has) => !has.has('SOL'))
  expect_({ allCoins: ['SOL', 'BTC'] }, (has) => has.size > 0 && !has.has('xyz:TSLA'))
  expect(search({ coins: ['NOTHING'] }).total).toBe(0)
})
