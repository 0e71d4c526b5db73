/** Results of an account: its completed trades, and all figures that are derived from them. */

import { Exact } from '../../decimal/exact.ts'
import { CONTRACT } from '../operations.ts'
import type { CompletedTrade } from '../records/completed-trade.ts'
import type { UserFill } from '../records/fill.ts'
import {
  allRows,
  answerOf,
  type Comparison,
  equal,
  FILLS_AT_ONCE,
  groupedBy,
  type Identity,
  type InfoRequests,
  isWhole,
  MICRO,
  NOTHING,
  product,
  rounded,
  sameNumbers,
  sum,
} from './identity.ts'

const { perpdex } = CONTRACT

/** So many are given at most. */
const TRADES_MOST = 2000

/** All completed trades, newest first; null where there are more than are given. */
function* tradesOf(address: string): InfoRequests<CompletedTrade[] | null> {
  const parameters = { path: { address }, query: { limit: `${TRADES_MOST}` } }
  const trades = (yield* answerOf(perpdex.completedTrades, parameters)) ?? []
  return trades.length < TRADES_MOST ? trades : null
}

const isPerp = ({ coin }: UserFill) => !coin.includes('/') && !coin.startsWith('@')

interface Rebuilt {
  coin: string
  openTime: number
  closeTime: number
  pnl: Exact
  size: Exact
}

/** Positions from open to flat, as the fills of an account make them, oldest first. */
function* rebuiltTrades(fills: readonly UserFill[]): InfoRequests<Rebuilt[]> {
  const open = new Map<string, Rebuilt>()
  const closed: Rebuilt[] = []
  for (const [at, { coin, time, sz, side, startPosition, closedPnl }] of fills.entries()) {
    if (at % FILLS_AT_ONCE === 0) yield
    const before = Exact.of(startPosition)
    const change = side === 'B' ? Exact.of(sz) : Exact.of(sz).negated()
    const after = before.plus(change)
    const known = open.get(coin)
    const isOpening = signOf(before) === 0 || signOf(before) === signOf(change)
    if (known) known.pnl = known.pnl.plus(Exact.of(closedPnl))
    if (known && !isOpening && signOf(after) !== signOf(before)) {
      closed.push({ ...known, closeTime: time })
      open.delete(coin)
    }
    if (signOf(after) === 0) continue
    // A flip closes one position and opens the next.
    const opened = isOpening ? change : signOf(after) === signOf(change) ? after : NOTHING
    const own = open.get(coin)
    if (own) own.size = own.size.plus(opened.absolute())
    else if (signOf(opened) !== 0)
      open.set(coin, { coin, openTime: time, closeTime: 0, pnl: NOTHING, size: opened.absolute() })
  }
  return closed
}

function signOf(value: Exact): -1 | 0 | 1 {
  if (!NOTHING.isAtMost(value)) return -1
  return value.isAtMost(NOTHING) ? 0 : 1
}

export const tradesOfFills: Identity = {
  id: 'completed-trades',
  sentence: 'Completed trades are what the fills of the account make from open to flat.',
  source: 'perpdex.completedTrades, userFillsByTime; completed trades have openTime and closeTime',
  *compare(user) {
    const trades = yield* tradesOf(user)
    const fills = yield* allRows<UserFill>({ type: 'userFillsByTime', user }, 2000)
    if (!trades || !isWhole(fills)) return []
    const rebuilt = yield* rebuiltTrades(fills.filter(isPerp))
    const keyOf = ({ coin, openTime, closeTime }: Rebuilt | CompletedTrade) =>
      `${coin} ${openTime} ${closeTime}`
    const byKey = groupedBy(trades, keyOf)
    const comparisons: Comparison[] = [
      equal('count', trades.length, rebuilt.length, { trades, rebuilt }),
    ]
    for (const [key, own] of groupedBy(rebuilt, keyOf)) {
      if (comparisons.length % FILLS_AT_ONCE === 1) yield
      const found = byKey.get(key) ?? []
      const records = { found, own }
      const within = rounded(product(MICRO, fills.length))
      const pnl = sum(found.map((one) => one.pnl))
      const size = sum(found.map((one) => one.size))
      comparisons.push({
        ...equal(`${key} pnl`, pnl, sum(own.map((one) => one.pnl)), records),
        ...within,
      })
      comparisons.push(equal(`${key} size`, size, sum(own.map((one) => one.size)), records))
    }
    return comparisons
  },
}

export const statisticsOfTrades: Identity = {
  id: 'statistics',
  sentence: 'Statistics of all time count and sum the completed trades, long and short.',
  source: 'perpdex.tradersStatistics, perpdex.completedTrades; Statistics',
  *compare(user) {
    const trades = yield* tradesOf(user)
    const body = { addresses: [user], period: 0 }
    const [row] = (yield* answerOf(perpdex.tradersStatistics, { body })) ?? []
    if (!trades || !row) return []
    const won = trades.filter(({ pnl }) => signOf(Exact.of(pnl)) > 0)
    const of = (side?: string) =>
      sum(trades.flatMap((one) => (side && one.side !== side ? [] : [one.pnl])))
    const within = rounded(product(MICRO, trades.length + 1))
    const { positions, profitPositions, realizedPnl, longPnl, shortPnl, winRate } = row
    return [
      equal('positions', positions, trades.length, row),
      equal('profitPositions', profitPositions, won.length, row),
      { ...equal('realizedPnl', realizedPnl, of(), row), ...within },
      { ...equal('longPnl', longPnl, of('long'), row), ...within },
      { ...equal('shortPnl', shortPnl, of('short'), row), ...within },
      {
        ...equal('winRate', product(winRate, positions), profitPositions, row),
        ...rounded(product(positions, '0.0001')),
      },
      { ...equal('avgHoldingSec', row.avgHoldingSec, heldSeconds(trades), row), ...SECOND },
      ...(['long', 'short'] as const).map((side) => {
        const all = trades.filter((one) => one.side === side).length
        const wins = won.filter((one) => one.side === side).length
        return {
          ...equal(`${side}Wr`, product(row[`${side}Wr`], all), wins, row),
          ...rounded(product(all, '0.0001')),
        }
      }),
    ]
  },
}

export const statOfTrades: Identity = {
  id: 'address-stat',
  sentence: 'Figures of an address count and sum its completed trades, alone and in a batch.',
  source: 'perpdex.addrStat, perpdex.batchAddrStat, perpdex.completedTrades; Action map',
  *compare(user) {
    const trades = yield* tradesOf(user)
    const parameters = { path: { address: user }, query: { period: '0' } }
    const stat = yield* answerOf(perpdex.addrStat, parameters)
    const body = { addresses: [user], period: 0 }
    const [row] = (yield* answerOf(perpdex.batchAddrStat, { body })) ?? []
    if (!stat || !row) return []
    const alike = (
      [
        'avgPosDuration',
        'closePosCount',
        'maxDrawdown',
        'orderCount',
        'totalPnl',
        'winRate',
      ] as const
    ).map((name) => equal(`batch ${name}`, row[name], stat[name], { row, stat }))
    if (!trades) return alike
    const total = sum(trades.map(({ pnl }) => pnl))
    const won = trades.filter(({ pnl }) => signOf(Exact.of(pnl)) > 0)
    const { closePosCount, totalPnl, winRate } = stat
    return [
      ...alike,
      equal('count', closePosCount, trades.length, stat),
      { ...equal('held', stat.avgPosDuration, heldSeconds(trades), stat), ...SECOND },
      { ...equal('pnl', totalPnl, total, stat), ...rounded(product(MICRO, trades.length + 1)) },
      {
        ...equal('winRate', product(winRate, closePosCount), won.length, stat),
        ...rounded(product(closePosCount, '0.0001')),
      },
    ]
  },
}

export const performanceOfTrades: Identity = {
  id: 'performance',
  sentence: 'Results by coin count and sum the completed trades of each, winRate in percent.',
  source: 'perpdex.performanceByCoin, perpdex.completedTrades; Action map',
  *compare(user) {
    const trades = yield* tradesOf(user)
    const parameters = { path: { address: user }, query: { period: '0', limit: '100' } }
    const rows = (yield* answerOf(perpdex.performanceByCoin, parameters)) ?? []
    if (!trades || (trades.length === 0 && rows.length === 0)) return []
    const count = rows.reduce((total, { tradeCount }) => total + tradeCount, 0)
    const comparisons = [equal('all coins', count, trades.length, rows)]
    for (const row of rows) {
      const { coin, tradeCount, winCount, lossCount, winRate, totalPnl, avgPnl } = row
      const own = trades.filter((one) => one.coin === coin)
      const won = own.filter(({ pnl }) => signOf(Exact.of(pnl)) > 0).length
      const total = sum(own.map(({ pnl }) => pnl))
      const within = rounded(product(MICRO, own.length + 1))
      comparisons.push(
        equal(`${coin} count`, tradeCount, own.length, row),
        equal(`${coin} won`, winCount, won, row),
        { ...equal(`${coin} pnl`, totalPnl, total, row), ...within },
        {
          ...equal(`${coin} mean`, product(avgPnl, tradeCount), totalPnl, row),
          ...rounded(product(tradeCount, '0.01')),
        },
        {
          ...equal(`${coin} rate`, product(winRate, tradeCount), product(winCount, 100), row),
          ...rounded(product(tradeCount, '0.01')),
        },
      )
      const ended = sum([winCount, lossCount])
      comparisons.push({ ...equal(`${coin} ended`, ended, tradeCount, row), relation: 'atMost' })
    }
    return comparisons
  },
}

const timesOf = ({ coin, openTime, closeTime }: { coin: string } & Times): string =>
  `${coin} ${openTime} ${closeTime}`

interface Times {
  openTime: number
  closeTime: number
}

export const pricesOfTrades: Identity = {
  id: 'trade-prices',
  sentence:
    'A completed trade earned its size at the price it was closed at less that it was opened at, ' +
    'and pnlPercent is that by its value at entry.',
  source: 'perpdex.completedTrades; Completed trade',
  *compare(user) {
    return ((yield* tradesOf(user)) ?? []).flatMap((trade, at) => {
      const { side, entryPrice, exitPrice, size, pnl, pnlPercent } = trade
      const value = product(entryPrice, size)
      const change = product(exitPrice, size).minus(value)
      const percent = product(pnl, 100)
      return [
        {
          ...equal(`${at} pnl`, pnl, side === 'long' ? change : change.negated(), trade),
          // Another service may take its fees off.
          ...rounded(product(value, '0.002').plus(MICRO)),
        },
        {
          ...equal(`${at} percent`, product(pnlPercent, value), percent, trade),
          ...rounded(product(value, '0.02').plus(MICRO)),
        },
      ]
    })
  },
}

/** The mean time that trades were open, in seconds. */
function heldSeconds(trades: readonly CompletedTrade[]): string {
  const heldMs = trades.reduce((all, one) => all + one.closeTime - one.openTime, 0)
  return trades.length === 0 ? '0' : `${Math.floor(heldMs / trades.length / 1000)}`
}

/** A mean is rounded to seconds. */
const SECOND = { within: Exact.of(1) }

export const bestOfTrades: Identity = {
  id: 'best-trades',
  sentence: 'The best trades are completed trades, and none is better.',
  source: 'perpdex.bestTrades, perpdex.completedTrades; Action map',
  *compare(user) {
    const trades = yield* tradesOf(user)
    const parameters = { path: { address: user }, query: { period: '0', limit: '10' } }
    const best = (yield* answerOf(perpdex.bestTrades, parameters)) ?? []
    if (!trades) return []
    const ordered = trades
      .map(({ pnl }) => Exact.of(pnl))
      .sort((a, b) => (a.isAtMost(b) ? (b.isAtMost(a) ? 0 : 1) : -1))
    const byTimes = new Map(trades.map((one) => [timesOf(one), one]))
    return [
      equal('count', best.length, Math.min(trades.length, 10), best),
      ...best.map((one, at) => equal(`${at + 1}`, one.pnl, ordered[at] ?? 0, one)),
      ...best.flatMap((one, at) => sameNumbers(`${at + 1}`, one, byTimes.get(timesOf(one)))),
    ]
  },
}

export const pagesOfTrades: Identity = {
  id: 'trade-pages',
  sentence: 'Pages of completed trades hold the same as the list.',
  source: 'perpdex.completedTradesByTime, perpdex.completedTrades; one fact through two endpoints',
  *compare(user) {
    const trades = yield* tradesOf(user)
    const parameters = { path: { address: user }, body: { pageNum: 1, pageSize: 20 } }
    const page = yield* answerOf(perpdex.completedTradesByTime, parameters)
    if (!trades || !page || Array.isArray(page)) return []
    return [
      equal('total', page.total, trades.length, trades),
      equal('page', page.pageNum, 1, page),
      equal('size of pages', page.pageSize, 20, page),
      ...page.list.flatMap((one, at) => {
        const other = trades[at]
        return other ? sameNumbers(`${at}`, one, other) : [equal(`${at}`, 1, 0, one)]
      }),
    ]
  },
}

export const endsOfPositions: Identity = {
  id: 'completed-position',
  sentence: 'A completed position ends flat, and bought what it sold.',
  source:
    'perpdex.completedTrades, perpdex.completedPositionHistory, ' +
    'perpdex.completedPositionPnl, perpdex.completedPositionExecutions; States',
  *compare(address) {
    const trades = (yield* tradesOf(address)) ?? []
    const comparisons: Comparison[] = []
    for (const trade of trades.slice(0, COMPLETED)) {
      const { coin, openTime, closeTime } = trade
      const path = { address, coin }
      const times = { startTime: `${openTime}`, endTime: `${closeTime}` }
      const query = { ...times, interval: '1h', limit: '1000' }
      const history = yield* answerOf(perpdex.completedPositionHistory, { path, query: times })
      const pnl = yield* answerOf(perpdex.completedPositionPnl, { path, query })
      const executions = yield* answerOf(perpdex.completedPositionExecutions, { path, query })
      const of = `${coin} ${closeTime}`
      comparisons.push(equal(`${of} history`, history?.history.at(-1)?.size ?? 1, 0, history))
      comparisons.push(equal(`${of} pnl`, pnl?.pnls.at(-1)?.size ?? 1, 0, pnl))
      const parts = executions?.executions ?? []
      if (parts.length >= 1000) continue
      const [bought, sold] = [
        sum(parts.map((one) => one.buySz)),
        sum(parts.map((one) => one.sellSz)),
      ]
      comparisons.push(equal(`${of} executions`, bought, sold, executions))
      comparisons.push(equal(`${of} size`, bought, trade.size, { trade, executions }))
    }
    return comparisons
  },
}

const COMPLETED = 3
