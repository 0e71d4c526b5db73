/** Consistency of numbers of accounts and of the perpetual market. */

import { HOUR_MS } from '../../../clock/instant.ts'
import { busyTraders, positionsIn, someCoin, someTraders } from '../../example-filler.ts'
import type { Case, Probe } from '../../probe.ts'

import type { ProbeRequest } from '../../probe-request.ts'
import {
  column,
  columnSum,
  isClose,
  isJsonObject,
  type JsonObject,
  objectOf,
  objectsOf,
  retryUntilHeld,
} from '../../responses.ts'
import { identityCase, isBetween, isFraction, isRatio, numberIn } from '../meaning.ts'

const batch = (path: string) => async (probe: Probe) => ({
  method: 'POST' as const,
  path: `/hl/traders/${path}`,
  body: { addresses: (await someTraders(probe)).slice(0, 50) },
})

const statesIn = (data: unknown) =>
  (Array.isArray(data) ? data : [])
    .filter(isJsonObject)
    .flatMap(({ state }) => (isJsonObject(state) ? [state] : []))

const marginOf = ({ marginSummary }: JsonObject): JsonObject =>
  isJsonObject(marginSummary) ? marginSummary : {}

/** Consistency of accounts, their states and their statistics. */
export const ACCOUNT_MEANING_CASES: readonly Case[] = [
  identityCase({
    id: 'meaning.statistics',
    title: 'rates of statistics are fractions of their counts, and the sides add up',
    checks: ['record.statistics', 'record.statistics.sums'],
    request: batch('statistics'),
    holds: {
      'winRate is profitPositions as a fraction of positions': (row) =>
        isRatio(row.winRate, numberIn(row, 'profitPositions'), numberIn(row, 'positions')),
      'longWr and shortWr are fractions': (row) =>
        isFraction(row.longWr) && isFraction(row.shortWr),
      'longPnl and shortPnl add up to realizedPnl': (row) =>
        isClose(row.realizedPnl, numberIn(row, 'longPnl') + numberIn(row, 'shortPnl'), 1e-6),
    },
  }),
  identityCase({
    id: 'meaning.states',
    title: 'an account state adds up: its positions, their margin, and what is left without them',
    checks: ['record.state', 'record.state.sums'],
    request: batch('clearinghouse-state'),
    records: statesIn,
    holds: {
      'totalMarginUsed is the sum of marginUsed': (state) =>
        isClose(marginOf(state).totalMarginUsed, columnSum(positionsIn({ state }), 'marginUsed')),
      'unrealizedPnl is positionValue less what the position was worth at entryPx': (state) =>
        positionsIn({ state }).every((position) => {
          const [size, value] = [numberIn(position, 'szi'), numberIn(position, 'positionValue')]
          const gain = Math.sign(size) * (value - Math.abs(size) * numberIn(position, 'entryPx'))
          return isClose(position.unrealizedPnl, gain, 0.01, value * 1e-3)
        }),
      'accountValue is totalRawUsd and the signed value of all positions': (state) => {
        const signed = positionsIn({ state }).reduce(
          (sum, { szi, positionValue }) => sum + Math.sign(Number(szi)) * Number(positionValue),
          0,
        )
        const { accountValue, totalRawUsd } = marginOf(state)
        return isClose(accountValue, Number(totalRawUsd) + signed, 1e-5, 0.05)
      },
    },
  }),
  identityCase({
    id: 'meaning.balances',
    title: 'no spot balance holds more than its total',
    checks: ['record.spotState'],
    request: batch('spot-clearinghouse-state'),
    records: (data) =>
      (Array.isArray(data) ? data : []).filter(isJsonObject).flatMap(({ spotState }) => {
        const balances = isJsonObject(spotState) ? spotState.balances : []
        return Array.isArray(balances) ? balances.filter(isJsonObject) : []
      }),
    holds: { 'hold is a part of total': ({ hold, total }) => Number(hold) <= Number(total) },
  }),
  {
    id: 'meaning.holding-time',
    title: 'avgHoldingSec is in seconds where the search for traders says minutes',
    checks: ['record.statistics', 'operation.perpdex.tradersDiscover'],
    run: async (probe: Probe) => {
      const addrs = (await busyTraders(probe)).slice(0, 10)
      await retryUntilHeld(probe, async () => {
        const [path, body] = ['/hl/traders/statistics', { addresses: addrs, period: 30 }]
        const rows = await objectsOf(probe, { method: 'POST', path, body })
        const search = { addrs, period: 30, selects: ['avgDurationMin'], pageSize: 25 }
        const discover = { method: 'POST', path: '/hl/traders/discover', body: search } as const
        const found = await objectsOf(probe, discover, 'list')
        const both = found.flatMap((trader) => {
          const row = rows.find(({ address }) => address === trader.address)
          return row && Number(row.positions) > 0 ? [[row, trader] as const] : []
        })
        if (both.length === 0) probe.skip('no found account has closed a position')
        for (const [row, { avgDurationMin }] of both) {
          const [seconds, minutes] = [Number(row.avgHoldingSec), Number(avgDurationMin)]
          // Both may count other positions: only the unit is checked.
          if (minutes > 1 && !(seconds > minutes * 20 && seconds < minutes * 180))
            return `avgHoldingSec of ${row.address} is about ${minutes} minutes, in seconds`
        }
        return null
      })
    },
  },
  {
    id: 'meaning.account-statistics',
    title: 'fractions of accounts are in the same unit wherever they are answered',
    checks: [
      ...['operation.perpdex.addrStat', 'operation.perpdex.batchAddrStat'],
      ...['operation.perpdex.maxDrawdown', 'operation.perpdex.batchMaxDrawdown'],
    ],
    run: async (probe: Probe) => {
      const traders = (await busyTraders(probe)).slice(0, TRADERS)
      const batch = (path: string, more: JsonObject) =>
        objectsOf(probe, { method: 'POST', path, body: { addresses: traders, ...more } })
      const each = async (ask: (address: string) => ProbeRequest) => {
        const rows: JsonObject[] = []
        for (const one of traders) rows.push(await objectOf(probe, ask(one)))
        return rows
      }
      const stat = await each((address) => {
        return { path: `/hl/traders/${address}/addr-stat`, query: { period: 30 } }
      })
      const stats = await batch('/hl/traders/batch-addr-stat', { period: 30 })
      const drawdown = await each((address) => {
        return { path: `/hl/max-drawdown/${address}`, query: { days: 30 } }
      })
      const drawdowns = await batch('/hl/batch-max-drawdown', { days: 30 })
      const statistics = await batch('/hl/traders/statistics', { period: 30 })
      assertOneUnit(probe, 'maxDrawdown', { stat, stats, drawdown, drawdowns })
      assertOneUnit(probe, 'winRate', { stat, stats, statistics })
    },
  },
]

/** Number of accounts, also requested one by one. */
const TRADERS = 6

/** Percentages are a hundred times the fractions; other definitions differ by less. */
function assertOneUnit(
  probe: Probe,
  name: string,
  rowsBy: Readonly<Record<string, readonly JsonObject[]>>,
): void {
  const means = Object.values(rowsBy).map((rows) => {
    const values = rows.map((row) => Number(row[name] ?? row[capital(name)] ?? 0))
    return values.reduce((sum, value) => sum + value, 0) / values.length
  })
  const known = means.filter((mean) => mean > 0)
  const isOne = known.length < 2 || Math.max(...known) < 30 * Math.min(...known)
  probe.assert(isOne, `${name} is a fraction in ${Object.keys(rowsBy).join(', ')}`, means)
}

/** As written in one batch (open). */
const capital = (name: string) => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`

const klines = async (probe: Probe, interval: string, query: Record<string, number>) => {
  const coin = encodeURIComponent(await someCoin(probe))
  return objectsOf(probe, { path: `/hl/klines-with-taker-vol/${coin}/${interval}`, query })
}

/** Consistency of the perpetual market. */
export const MARKET_MEANING_CASES: readonly Case[] = [
  identityCase({
    id: 'meaning.klines',
    title: 'a candle encloses its prices, and what takers bought is a part of it',
    checks: ['operation.perpdex.klinesWithTakerVol'],
    request: async (probe) => ({
      path: `/hl/klines-with-taker-vol/${encodeURIComponent(await someCoin(probe))}/15m`,
    }),
    holds: {
      'high is the highest and low the lowest': (row) =>
        isBetween(row, 'low', ['open', 'close'], 'high'),
      'what takers bought is a part': (row) =>
        ['tc', 'size', 'amount'].every(
          (name) => numberIn(row, `${name}Buyer`) <= numberIn(row, name),
        ),
      'amount is in the quote unit: over size it is a price between low and high': (row) => {
        const price = numberIn(row, 'amount') / numberIn(row, 'size')
        return (
          numberIn(row, 'size') === 0 ||
          (price >= numberIn(row, 'low') * 0.999 && price <= numberIn(row, 'high') * 1.001)
        )
      },
    },
  }),
  {
    id: 'meaning.candles',
    title: 'a candle of an hour is what its sixty minutes are together',
    checks: ['operation.perpdex.klinesWithTakerVol'],
    run: (probe: Probe) =>
      retryUntilHeld(probe, async () => {
        const hours = await klines(probe, '1h', { limit: 3 })
        // The newest is still running.
        const hour = hours.sort((a, b) => numberIn(a, 'openTime') - numberIn(b, 'openTime')).at(-2)
        if (!hour) probe.skip('the target has no candle of a whole hour')
        const startTime = numberIn(hour, 'openTime')
        const endTime = startTime + HOUR_MS - 1
        const found = await klines(probe, '1m', { startTime, endTime, limit: 60 })
        const minutes = found
          .filter(
            (row) => numberIn(row, 'openTime') >= startTime && numberIn(row, 'openTime') <= endTime,
          )
          .sort((a, b) => numberIn(a, 'openTime') - numberIn(b, 'openTime'))
        if (minutes.length === 0) return 'an hour that was traded has minutes that were'
        return mergedFlaw(hour, minutes)
      }),
  },
  identityCase({
    id: 'meaning.orders',
    title: 'ratios of open orders are fractions of their values, and large ones are a part of all',
    checks: ['record.activeStats', 'record.activeStats.counts'],
    request: { path: '/hl/orders/active-stats' },
    holds: {
      'bidValueRatio is bidValue as a fraction of both': (row) =>
        isRatio(row.bidValueRatio, numberIn(row, 'bidValue'), sumIn(row, 'bidValue', 'askValue')),
      'whaleBidValueRatio is whaleBidValue as a fraction of both': (row) =>
        isRatio(
          row.whaleBidValueRatio,
          numberIn(row, 'whaleBidValue'),
          sumIn(row, 'whaleBidValue', 'whaleAskValue'),
        ),
      'large orders are among all': (row) =>
        isPart(row, 'whaleBidCount', 'bidCount') &&
        isPart(row, 'whaleAskCount', 'askCount') &&
        isPart(row, 'whaleBidValue', 'bidValue') &&
        isPart(row, 'whaleAskValue', 'askValue'),
    },
  }),
  {
    id: 'meaning.interest',
    title: 'open interest is long and short together, on average that of a position, coin by coin',
    checks: ['operation.perpdex.openInterestSummary', 'operation.perpdex.openInterestTopCoins'],
    run: (probe: Probe) =>
      retryUntilHeld(probe, async () => {
        const all = await objectOf(probe, { path: '/hl/open-interest/summary' })
        const query = { limit: 50, interval: '180d' }
        const coins = await objectsOf(probe, { path: '/hl/open-interest/top-coins', query })
        for (const row of [all, ...coins]) {
          const { totalPv, avgPv, coin = 'all' } = row
          const isSum = isClose(totalPv, sumIn(row, 'longPv', 'shortPv'), 1e-6)
          probe.assert(isSum, `longPv and shortPv of ${coin} add up to totalPv`, row)
          const isMean = isRatio(avgPv, Number(totalPv), numberIn(row, 'positionCount'), 0.02)
          probe.assert(isMean, `avgPv of ${coin} is totalPv by positionCount`, row)
        }
        const values = column(coins, 'totalPv')
        const isSorted = values.every((value, at) => at === 0 || value <= (values[at - 1] ?? 0))
        probe.assert(isSorted, 'the coin with the most open interest comes first', values)
        if (coins.length >= 50) return null
        const sum = columnSum(coins, 'totalPv')
        return sum <= Number(all.totalPv) * 1.005
          ? null
          : `${sum} of all coins is at most the whole`
      }),
  },
  identityCase({
    id: 'meaning.twaps',
    title: 'the rest of a TWAP is its unexecuted size, and it ends after its minutes',
    checks: ['operation.perpdex.twapsTopImpact'],
    request: { path: '/hl/twaps/top-impact', query: { limit: 100 } },
    holds: {
      'remainSz is sz less executedSz': (row) =>
        isClose(row.remainSz, numberIn(row, 'sz') - numberIn(row, 'executedSz'), 1e-6, 1e-6),
      'endTime is minutes after timestamp': (row) =>
        isClose(
          row.endTime,
          numberIn(row, 'timestamp') + numberIn(row, 'minutes') * 60_000,
          0,
          60_000,
        ),
    },
  }),
  {
    id: 'meaning.twap-fills',
    title: 'the fills of a TWAP do not exceed its executed size',
    checks: ['operation.perpdex.twapsTopImpact'],
    run: async (probe: Probe) => {
      let seen = 0
      for (let rank = 0; rank < TWAPS; rank++)
        await retryUntilHeld(probe, async () => {
          const fillsOf = (id: unknown) => objectsOf(probe, { path: `/hl/fills/twapid/${id}` })
          const query = { limit: 100 }
          const top = () => objectsOf(probe, { path: '/hl/twaps/top-impact', query })
          const { twapId } = (await top())[rank] ?? {}
          if (twapId === undefined) return null
          // In either form (open).
          const sizes = (await fillsOf(twapId)).map(({ sz, size }) => Number(sz ?? size))
          const sum = sizes.reduce((total, one) => total + one, 0)
          // Requested afterwards: it only grows.
          const row = (await top()).find((one) => one.twapId === twapId)
          const executed = numberIn(row ?? {}, 'executedSz')
          if (!(sum > 0 && executed > 0)) return null
          seen++
          return sum <= executed * 1.0001 ? null : `${sum} of ${twapId} is at most ${executed}`
        })
      if (seen === 0) probe.skip('no running TWAP has fills')
    },
  },
  identityCase({
    id: 'meaning.whales',
    title: 'positions of whales are worth more than a million dollars',
    checks: ['record.whaleEvent'],
    request: { path: '/hl/whales/latest-events', query: { limit: 100 } },
    holds: {
      'positionValueUsd is about positionSize at entryPrice': (row) => {
        const value = Math.abs(numberIn(row, 'positionSize')) * numberIn(row, 'entryPrice')
        return isClose(row.positionValueUsd, value, 0.5)
      },
      'createTime is ISO 8601': ({ createTime }) => /^\d{4}-\d\d-\d\dT/.test(String(createTime)),
    },
  }),
]

/** Number of TWAPs. */
const TWAPS = 3

const sumIn = (row: JsonObject, one: string, other: string) =>
  numberIn(row, one) + numberIn(row, other)

const isPart = (row: JsonObject, part: string, whole: string) =>
  numberIn(row, part) <= numberIn(row, whole) * 1.000001

/** Where an hour differs from its minutes, in order of time. */
function mergedFlaw(hour: JsonObject, minutes: readonly JsonObject[]): string | null {
  const [first, last] = [minutes[0], minutes.at(-1)].filter(isJsonObject)
  const right: Record<string, unknown> = {
    open: first?.open,
    close: last?.close,
    high: Math.max(...column(minutes, 'high')),
    low: Math.min(...column(minutes, 'low')),
    ...Object.fromEntries(SUMS.map((name) => [name, columnSum(minutes, name)])),
  }
  const wrong = Object.entries(right).find(
    ([name, value]) => !isClose(hour[name], value, 1e-6, 1e-6),
  )
  return wrong
    ? `${wrong[0]} of an hour is ${wrong[1]} by its minutes, not ${hour[wrong[0]]}`
    : null
}

const SUMS = ['tc', 'size', 'amount', 'tcBuyer', 'sizeBuyer', 'amountBuyer']
