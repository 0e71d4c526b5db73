/** Order books and histories of futures. */

import { someCoin, somePair } from '../../example-filler.ts'
import type { Case, Probe } from '../../probe.ts'
import {
  assertAtLeast,
  assertAtMost,
  assertList,
  assertNoSuccess,
  assertObject,
  assertOrder,
  assertSame,
  assertSuccess,
  column,
  isClose,
  isIncreasing,
  isJsonObject,
  isSameJson,
  type JsonObject,
  MOVED,
  objectOf,
  objectsOf,
  retryUntilHeld,
  whileStill,
} from '../../responses.ts'

/** Books over REST (the service's documentation, Depth snapshot and Depth rules). */
export const FUTURES_DEPTH_CASES: readonly Case[] = [
  {
    id: 'futures.depth.order',
    title: 'asks rise and bids fall by price, and do not cross',
    checks: ['record.depth.order', 'record.fullDepth.order'],
    run: async (probe: Probe) => {
      for (const path of [LATEST, FULL]) {
        const { bids, asks } = await sides(probe, path)
        assertOrder(probe, firsts(asks), isIncreasing, `asks of ${path} rise by price`)
        assertOrder(probe, firsts(bids).reverse(), isIncreasing, `bids of ${path} fall by price`)
        const [bid, ask] = [firsts(bids)[0] ?? 0, firsts(asks)[0] ?? Infinity]
        probe.assert(bid < ask, `the best bid of ${path} is below its best ask`, { bid, ask })
      }
    },
  },
  {
    id: 'futures.depth.latest.fields',
    title: 'latest-depth counts its levels, has its time, success and 1',
    checks: ['record.depth.length', 'record.depth.now', 'record.depth.result'],
    run: async (probe: Probe) => {
      const { row, bids, asks } = await sides(probe, LATEST, { size: 7 })
      assertSame(probe, row.length, bids.length + asks.length, 'length counts both sides')
      const written = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(String(row.now))
      probe.assert(written, 'now is written YYYY-MM-DD HH:mm:ss', {
        expected: 'YYYY-MM-DD HH:mm:ss',
        found: row.now ?? null,
      })
      assertSame(probe, row.result, 'success', 'result is success')
      assertSame(probe, row.ds, 1, 'ds is the number 1')
    },
  },
  {
    id: 'futures.depth.latest.size',
    title: 'size is how many levels a side latest-depth gives, 500 at most',
    checks: ['limit.depthSize'],
    run: async (probe: Probe) => {
      for (const size of [1, 5, 500, 501, 100_000]) {
        const { bids, asks } = await sides(probe, LATEST, { size })
        const max = Math.min(size, 500)
        for (const { length } of [bids, asks])
          assertAtMost(probe, length, max, `size ${size} gives at most ${max}`)
        if (size <= 5)
          assertSame(probe, bids.length, size, `size ${size} gives ${size} where there are`)
      }
    },
  },
  {
    id: 'futures.depth.newest',
    title: 'latest-depth and full-depth are of the same book: their best prices agree',
    checks: ['depth.latest.newest'],
    run: (probe: Probe) =>
      retryUntilHeld(probe, async () => {
        const read = async (path: string, query = {}) => {
          const { bids, asks } = await sides(probe, path, query)
          if (bids.length === 0) probe.skip('the book is empty')
          return { bids, asks }
        }
        const best = ({ bids, asks }: Pick<Sides, 'bids' | 'asks'>) => [
          firsts(bids)[0],
          firsts(asks)[0],
        ]
        return whileStill(
          () => read(FULL),
          async (full) => {
            // Concurrently: one of these books is of the same moment, even if it changes
            // constantly.
            const [latest, ...more] = await Promise.all([
              read(LATEST, { size: 1 }).then(best),
              ...[FULL, FULL, FULL].map((path) => read(path).then(best)),
            ])
            return [best(full), ...more].some((one) => isSameJson(one, latest))
              ? null
              : 'latest-depth and full-depth have the same best prices'
          },
        )
      }),
  },
  {
    id: 'futures.depth.grouped',
    title: 'grouped depth sums what lies from the start of an interval to before its end',
    checks: ['depth.grouped.intervals', 'depth.grouped.sums', 'depth.grouped.order'],
    run: async (probe: Probe) => {
      const { asks } = await sides(probe, FULL)
      if (asks.length < 2) probe.skip('the book has no two asks')
      const sizes = [fineSize(firsts(asks)), roundSize(firsts(asks)[0] ?? 0)]
      for (const groupSize of sizes) await judgeGroups(probe, groupSize)
    },
  },
  {
    id: 'futures.depth.group-size',
    title: 'grouped depth needs a groupSize above 0',
    checks: ['depth.groupSize'],
    run: async (probe: Probe) => {
      const dbKey = await somePair(probe)
      for (const query of [{}, { groupSize: 0 }, { groupSize: -5 }, { groupSize: 'wide' }]) {
        const answer = await probe.request({ path: GROUPED, query: { dbKey, ...query } })
        assertNoSuccess(probe, answer, `${JSON.stringify(query)} is refused`)
        assertAtMost(
          probe,
          answer.status,
          499,
          `${JSON.stringify(query)} is no fault of the service`,
        )
      }
      const half = await probe.request({ path: GROUPED, query: { dbKey, groupSize: 0.5 } })
      assertSuccess(probe, half, 'a fraction is accepted as groupSize')
    },
  },
]

const LATEST = '/futures/latest-depth'
const FULL = '/futures/full-depth'
const GROUPED = '/futures/full-depth/grouped'

async function sides(probe: Probe, path: string, more = {}): Promise<Sides> {
  const query = { dbKey: await somePair(probe), ...more }
  const row = await objectOf(probe, { path, query })
  for (const side of ['bids', 'asks'])
    probe.assert(
      Array.isArray(row[side]) && (row[side] as unknown[]).every(Array.isArray),
      `${side} of ${path} are a list of lists`,
    )
  return { row, bids: row.bids as Sides['bids'], asks: row.asks as Sides['asks'] }
}

/**
 * Compares a grouped book with its source: by their times where equal, else between two reads of an
 * unchanged book.
 */
const judgeGroups = (probe: Probe, groupSize: number): Promise<void> =>
  retryUntilHeld(probe, async () => {
    const before = await sides(probe, FULL)
    // Concurrently: one of these books may be of the same moment, even if it changes constantly.
    const [grouped, ...books] = await Promise.all([
      sides(probe, GROUPED, { groupSize }),
      ...[FULL, FULL, FULL].map((path) => sides(probe, path)),
    ])
    assertSame(probe, grouped.row.groupSize, groupSize, 'groupSize is the requested one')
    const wrongForm = groupedFormFlaw(grouped, groupSize)
    probe.assert(wrongForm === null, wrongForm ?? '')
    const same = [before, ...books].find(({ row }) => row.timestamp === grouped.row.timestamp)
    if (same) return groupedSumFlaw(same, grouped, same).flaw
    const after = await sides(probe, FULL)
    const { judged, flaw } = groupedSumFlaw(before, grouped, after)
    if (flaw === null && judged > 0) return null
    // A level that disappeared and returned in between would look like a wrong sum.
    return isSameJson([before.bids, before.asks], [after.bids, after.asks]) ? flaw : MOVED
  })

/** Twice the smallest distance of two levels, so that few levels are merged. */
function fineSize(prices: readonly number[]): number {
  const gaps = prices.slice(1).map((price, at) => price - (prices[at] as number))
  return Number((2 * Math.min(...gaps)).toPrecision(6))
}

/** About a thousandth of a price, as one digit. */
function roundSize(price: number): number {
  return 10 ** Math.max(-4, Math.floor(Math.log10(price / 1000)))
}

/** A level of a grouped book. */
type Level = readonly string[]

interface Sides {
  row: JsonObject
  bids: Level[]
  asks: Level[]
}

/** Prices of levels, or starts of intervals. */
const firsts = (levels: readonly Level[]): number[] => levels.map(([price]) => Number(price))

/** Flaw of a grouped book's intervals, whatever its source. */
function groupedFormFlaw(grouped: Sides, groupSize: number): string | null {
  for (const side of SIDES) {
    const starts = firsts(grouped[side])
    if (!isIncreasing(side === 'asks' ? starts : [...starts].reverse()))
      return `the intervals of ${side} are in order`
    for (const level of grouped[side]) {
      const [start = 0, end = 0] = level.map(Number)
      if (level.length !== 3) return 'a level is start, end and total'
      if (!isClose(end - start, groupSize, 1e-9, 1e-9)) return 'an interval is groupSize wide'
    }
  }
  return null
}

/**
 * Where the sums of a grouped book differ from the books before and after it. In a moving market
 * only unchanged intervals can be judged; `judged` counts them.
 */
function groupedSumFlaw(
  before: Sides,
  grouped: Sides,
  after: Sides,
): { judged: number; flaw: string | null } {
  let judged = 0
  for (const side of SIDES) {
    const isStill = JSON.stringify(before[side]) === JSON.stringify(after[side])
    for (const [start, end, total] of grouped[side]) {
      const [levels, later] = [before, after].map((book) =>
        book[side].filter(([px]) => Number(px) >= Number(start) && Number(px) < Number(end)),
      ) as [Level[], Level[]]
      if (JSON.stringify(levels) !== JSON.stringify(later)) continue
      // The price may have passed an empty interval between two responses.
      if (levels.length === 0 && !isStill) continue
      judged++
      const sum = levels.reduce((all, [, size]) => all + Number(size), 0)
      if (!isClose(sum, total, 1e-9, 1e-9))
        return { judged, flaw: `[${start}, ${end}) of ${side} sums to ${sum}` }
    }
    const lost = stillPrices(before[side], after[side]).find(
      (price) =>
        !grouped[side].some(([start, end]) => price >= Number(start) && price < Number(end)),
    )
    if (lost !== undefined) return { judged, flaw: `an interval of ${side} holds ${lost}` }
  }
  return { judged, flaw: null }
}

const SIDES = ['bids', 'asks'] as const

/** Prices of unchanged levels. */
function stillPrices(before: readonly Level[], after: readonly Level[]): number[] {
  const sizes = new Map(after.map(([price, size]) => [price, size]))
  return firsts(before.filter(([price, size]) => sizes.get(price ?? '') === size))
}

/**
 * Histories of rates, interest and liquidations (the service's documentation, Candle-like history
 * records).
 */
export const FUTURES_HISTORY_CASES: readonly Case[] = [
  {
    id: 'futures.history.candles',
    title: 'in a record of history high is the greatest and low the least of the four',
    checks: ['record.history.candle', 'record.history'],
    run: async (probe: Probe) => {
      for (const [path, query] of await histories(probe)) {
        const rows = await objectsOf(probe, { path, query: { ...query, limit: 50 } })
        probe.assert(
          isIncreasing(column(rows, 'time')),
          `the records of ${path} follow one another`,
        )
        for (const row of rows) {
          const [open, high, low, close] = ['open', 'high', 'low', 'close'].map((name) =>
            Number(row[name]),
          ) as [number, number, number, number]
          const fits = high >= Math.max(open, close, low) && low <= Math.min(open, close)
          probe.assert(fits, `high and low of ${path} enclose open and close`, row)
        }
      }
    },
  },
  {
    id: 'futures.history.raw-rate',
    title: 'a funding rate is a raw rate: far below one, not a percentage as text',
    checks: ['record.history.rawRate'],
    run: async (probe: Probe) => {
      for (const [path, query] of (await histories(probe)).slice(0, 2)) {
        const rows = await objectsOf(probe, { path, query: { ...query, limit: 100 } })
        const wrong = rows.filter(({ close }) => !(Math.abs(Number(close)) < 0.02))
        probe.assert(
          wrong.length === 0,
          `the rates of ${path} are raw: 0.0001 means 0.01 %`,
          wrong[0],
        )
      }
    },
  },
  {
    id: 'futures.history.window',
    title: 'start_time and end_time bound what a history answers',
    checks: ['futures.history.window'],
    run: async (probe: Probe) => {
      for (const [path, query] of await histories(probe)) {
        const rows = await objectsOf(probe, { path, query: { ...query, limit: 20 } })
        if (rows.length < 12) continue
        const [start_time = 0, end_time = 0] = [rows[4], rows[10]].map((row) => Number(row?.time))
        const request = { path, query: { ...query, limit: 20, start_time, end_time } }
        const times = column(await objectsOf(probe, request), 'time')
        assertAtLeast(probe, times.length, 1, `${path} has records between two of its times`)
        const outside = times.filter((time) => time < start_time || time > end_time)
        assertSame(probe, outside, [], `${path} keeps between start_time and end_time`)
      }
    },
  },
  {
    id: 'futures.history.estimated.cells',
    title: 'estimated liquidations map from, to and turnover, with from below to',
    checks: ['record.estimated.mapping', 'record.estimated.cells'],
    run: async (probe: Probe) => {
      const [row] = await estimates(probe, {})
      for (const group of Object.values(groupsOf(row))) {
        assertObject(probe, group, 'a group of data_map is an object')
        const names = Array.isArray(group.mapping) ? group.mapping.join() : ''
        assertSame(probe, names, 'from,to,turnover', 'mapping is from, to, turnover')
        for (const side of ['long', 'short']) {
          const cells = group[side]
          assertList(probe, cells, `${side} is a list of cells`)
          for (const cell of cells) {
            probe.assert(Array.isArray(cell) && cell.length === 3, 'a cell has three members', cell)
            probe.assert(Number(cell[0]) < Number(cell[1]), 'from is below to', cell)
            probe.assert(Number(cell[2]) >= 0, 'a turnover is not negative', cell)
          }
        }
      }
    },
  },
  {
    id: 'futures.history.estimated.leverage',
    title: 'leverage answers that leverage alone, and left out or empty all four',
    checks: ['futures.estimated.leverage'],
    run: async (probe: Probe) => {
      for (const leverage of ['10', '25', '50', '100']) {
        const [row] = await estimates(probe, { leverage })
        probe.assert(Object.keys(groupsOf(row)).join() === leverage, `only ${leverage} is answered`)
      }
      for (const query of [{}, { leverage: '' }]) {
        const [row] = await estimates(probe, query)
        const all = Object.keys(groupsOf(row)).sort((a, b) => Number(a) - Number(b))
        assertSame(probe, all.join(), '10,25,50,100', 'all four are answered')
      }
    },
  },
]

type History = [path: string, query: Record<string, string>]

async function histories(probe: Probe): Promise<History[]> {
  const pair = await somePair(probe)
  const coin = await someCoin(probe)
  return [
    ['/futures/funding-rate/history', { symbol: pair, interval: '1h' }],
    [
      '/futures/funding-rate/vol-weight-history',
      { symbol: pair.split(':')[0] ?? '', interval: '1h' },
    ],
    ['/futures/open-interest/aggregated-stablecoin-history', { symbol: coin, interval: '15m' }],
    ['/futures/open-interest/aggregated-coin-margin-history', { symbol: coin, interval: '15m' }],
  ]
}

async function estimates(probe: Probe, more: Record<string, string>): Promise<JsonObject[]> {
  const query = { dbkey: await somePair(probe), cycle: '24h', limit: 1, ...more }
  const rows = await objectsOf(probe, { path: '/futures/estimated-liquidation/history', query })
  if (rows.length === 0) probe.skip('there are no estimates')
  return rows
}

const groupsOf = (row: JsonObject | undefined): JsonObject =>
  isJsonObject(row?.data_map) ? row.data_map : {}
