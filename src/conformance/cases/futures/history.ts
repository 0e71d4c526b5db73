import { assertAtLeast, assertList, assertObject, assertSame } from '../../assertions.ts'
import type { Case } from '../../case.ts'
import { isJsonObject, type JsonObject } from '../../parsed-json.ts'
import type { Probe } from '../../probe.ts'
import { objectsOf } from '../../response-reading.ts'
import { someCoin, somePair } from '../../target-lookups.ts'
import { column, isIncreasing } from '../../value-checks.ts'

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
