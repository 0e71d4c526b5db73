import type { Case } from '../../case.ts'
import { isJsonObject, type JsonObject } from '../../parsed-json.ts'
import type { Probe } from '../../probe.ts'
import type { ProbeRequest } from '../../probe-request.ts'
import { objectOf, objectsOf, retryUntilHeld } from '../../response-reading.ts'
import { busyTraders, positionsIn, someTraders } from '../../target-lookups.ts'
import { columnSum, isClose } from '../../value-checks.ts'
import { identityCase, isFraction, isRatio, numberIn } from './identity.ts'

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

/** What accounts, their states and their statistics say of themselves and of one another. */
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
    title: 'no spot balance holds back more than there is',
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
        if (both.length === 0) probe.skip('nobody who is found has closed a position')
        for (const [row, { avgDurationMin }] of both) {
          const [seconds, minutes] = [Number(row.avgHoldingSec), Number(avgDurationMin)]
          // Both may count other positions: it is the unit that is looked at.
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

/** Accounts that are asked about, one by one as well. */
const TRADERS = 6

/** Percentages are a hundred times the fractions; what is counted otherwise is less apart. */
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

/** As one batch writes it (open). */
const capital = (name: string) => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
