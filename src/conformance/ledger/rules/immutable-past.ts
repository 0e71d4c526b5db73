/** What was said about the past stays true: candles, snapshots, curves, and order of rows. */

import { meaningOf } from '../../../contract/meaning.ts'
import type { Operation } from '../../../contract/operation.ts'
import { parametersOf } from '../../../contract/parameters.ts'
import { isJsonObject, isSameJson, type JsonObject } from '../../responses.ts'
import type { HeardRequest } from '../ledger.ts'
import type { LedgerRule, Piece } from '../ledger-rule.ts'

/** Maximum number of remembered rows for each rule. */
const ROWS_MAX = 400_000

/** Rows by a key and a time, the first value of each. */
export class RowMemory {
  private readonly rows = new Map<string, Piece>()

  /** The earlier piece of this key; the first is remembered. */
  earlier(key: string, piece: Piece): Piece | null {
    const known = this.rows.get(key)
    if (known !== undefined) return known
    if (this.rows.size < ROWS_MAX) this.rows.set(key, piece)
    return null
  }
}

// Rows of other histories.

/** A history: its operation, the place of its rows, and of their times. */
interface History {
  of: string
  rows: (data: unknown) => readonly JsonObject[]
  timeOf: (row: JsonObject) => unknown
}

const listOf = (name?: string) => (data: unknown) => {
  const list = name === undefined ? data : isJsonObject(data) ? data[name] : undefined
  return Array.isArray(list) ? list.filter(isRow) : []
}

/** An object, or a list of columns. */
const isRow = (row: unknown): row is JsonObject => typeof row === 'object' && row !== null

const timed = (of: string, name?: string, time = 'time'): History => ({
  of,
  rows: listOf(name),
  timeOf: (row) => row[time],
})

/** Histories whose rows are values of their own time: no answer computes them from its range. */
export const HISTORIES: ReadonlyMap<string, History> = new Map(
  [
    timed('futures.fundingRateHistory'),
    timed('futures.weightedFundingRateHistory'),
    timed('futures.stablecoinInterestHistory'),
    timed('futures.coinMarginInterestHistory'),
    timed('futures.liquidationHistory'),
    timed('indicator.klines', 'kline_data', '0'),
    timed('perpdex.orderbookSummaries'),
    timed('perpdex.openInterestHistory'),
    timed('perpdex.whaleLongRatios'),
    timed('perpdex.liquidationsHistory', undefined, 'startTime'),
    timed('perpdex.currentPositionHistory', 'history'),
    timed('perpdex.completedPositionHistory', 'history'),
    timed('perpdex.currentPositionPnl', 'pnls'),
    timed('perpdex.completedPositionPnl', 'pnls'),
    timed('perpdex.currentPositionExecutions', 'executions'),
    timed('perpdex.completedPositionExecutions', 'executions'),
    timed('perpdex.portfolio', 'accountValue'),
  ].map((history) => [history.of, history]),
)

/** Path, and every parameter that is no part of the range. */
function subjectOf({ method, path, prefix, query, body }: HeardRequest, operation: Operation) {
  const ranges = new Set(
    parametersOf(operation)
      .filter(({ schema }) => RANGES.has(meaningOf(schema) ?? ''))
      .map(({ name }) => name),
  )
  const kept = (given: object | undefined) =>
    Object.entries(given ?? {})
      .filter(([name]) => !ranges.has(name))
      .sort(([a], [b]) => (a < b ? -1 : 1))
  const written = isJsonObject(body) ? kept(body) : body
  return JSON.stringify([method, prefix, path, kept(query), written])
}

const RANGES: ReadonlySet<string> = new Set(['rangeStart', 'rangeEnd', 'pageSize'])

const pastRows: LedgerRule = {
  id: 'ledger.past-rows',
  title: 'a row of a history that has a later one beside it never changes',
  checks: [...HISTORIES.keys()]
    .filter((id) => !id.startsWith('indicator.klines'))
    .map((id) => `operation.${id}`),
  judge: ({ compared, broken }) => {
    const memory = new RowMemory()
    return {
      hear(hearing) {
        const { heard, operation } = hearing
        if (heard.kind !== 'answer' || operation === undefined) return
        const history = HISTORIES.get(operation.id)
        if (history === undefined) return
        const rows = history.rows(hearing.data).map((row) => ({
          row,
          time: timeMsOf(history.timeOf(row)),
        }))
        const times = rows.map(({ time }) => time)
        const [oldest, newest] = [Math.min(...times), Math.max(...times)]
        const subject = `${subjectOf(heard.request, operation)} ${startOf(hearing.data)}`
        for (const { row, time } of rows) {
          // A range may begin within the first row, and the newest one may be running.
          if (Number.isNaN(time) || time === newest || time === oldest) continue
          const piece = { seq: hearing.seq, value: row }
          const earlier = memory.earlier(`${subject} ${time}`, piece)
          if (earlier === null || earlier.seq === hearing.seq) continue
          compared()
          if (!isSameJson(earlier.value, row))
            broken(`${operation.id}: the row of ${time} has changed`, earlier, piece)
        }
      },
    }
  },
}

/** A number, or ISO 8601; NaN for neither. */
const timeMsOf = (time: unknown): number =>
  typeof time === 'string' && !/^\d+$/.test(time) ? Date.parse(time) : Number(time)

/** A position is identified by its start. */
const startOf = (data: unknown): unknown => (isJsonObject(data) ? data.startTime : undefined)

// Order of rows.

const equalRows: LedgerRule = {
  id: 'ledger.equal-rows',
  title: 'rows of the same time stand in the same order in every answer to the same question',
  checks: ['operation.perpdex.fillsOfAddress', 'operation.perpdex.ordersLatest'],
  judge: ({ compared, broken }) => {
    const memory = new RowMemory()
    return {
      hear(hearing) {
        const { heard, operation, data } = hearing
        if (heard.kind !== 'answer' || operation === undefined || !Array.isArray(data)) return
        const subject = subjectOf(heard.request, operation)
        for (const [time, rows] of sameTimes(data)) {
          if (rows.length < 2) continue
          const piece = { seq: hearing.seq, value: rows }
          const earlier = memory.earlier(`${subject} ${time}`, piece)
          if (earlier === null) continue
          const common = rows.filter((row) => (earlier.value as string[]).includes(row))
          const before = (earlier.value as string[]).filter((row) => rows.includes(row))
          if (common.length < 2) continue
          compared()
          if (!isSameJson(common, before))
            broken(
              `${operation.id}: rows of ${time} stand in another order`,
              { ...earlier, value: before.map((row) => JSON.parse(row)) },
              { ...piece, value: common.map((row) => JSON.parse(row)) },
            )
        }
      },
    }
  },
}

/** Rows by their time, as text. */
function sameTimes(data: readonly unknown[]): Map<number, string[]> {
  const times = new Map<number, string[]>()
  for (const row of data) {
    if (!isJsonObject(row) || typeof row.time !== 'number') continue
    const same = times.get(row.time)
    if (same === undefined) times.set(row.time, [JSON.stringify(row)])
    else if (same.length < SAME_MAX) same.push(JSON.stringify(row))
  }
  return times
}

/** Maximum rows of one time that are compared. */
const SAME_MAX = 100

// What has ended.

/** Rows that are said once and for all, by what identifies one of an account. */
interface Settled {
  of: string
  rows: (data: unknown) => readonly JsonObject[]
  keyOf: (row: JsonObject) => readonly unknown[]
}

const lifeOf = ({ coin, side, openTime, closeTime }: JsonObject) => [
  ...[coin, side, openTime, closeTime],
]
const paymentOf = ({ time, delta }: JsonObject) => [time, isJsonObject(delta) ? delta.coin : null]

const SETTLED: readonly Settled[] = [
  { of: 'perpdex.completedTrades', rows: listOf(), keyOf: lifeOf },
  { of: 'perpdex.bestTrades', rows: listOf(), keyOf: lifeOf },
  { of: 'perpdex.completedTradesByTime', rows: listOf('list'), keyOf: lifeOf },
  { of: 'perpdex.info userFunding', rows: listOf(), keyOf: paymentOf },
]

const settled: LedgerRule = {
  id: 'ledger.settled',
  title: 'a completed trade, and a payment of funding, never changes',
  checks: SETTLED.map(({ of }) => `operation.${of.split(' ')[0]}`),
  judge: ({ compared, broken }) => {
    const memory = new RowMemory()
    return {
      hear(hearing) {
        const { heard, operation } = hearing
        if (heard.kind !== 'answer' || operation === undefined) return
        const body: JsonObject = isJsonObject(heard.request.body) ? heard.request.body : {}
        const name = operation.id === 'perpdex.info' ? `perpdex.info ${body.type}` : operation.id
        const kind = SETTLED.find(({ of }) => of === name)
        if (kind === undefined) return
        const account = String(body.user ?? /0x\w+/.exec(heard.request.path)).toLowerCase()
        for (const row of kind.rows(hearing.data)) {
          const key = kind.keyOf(row)
          // Another form of the rows, or one that has not ended.
          if (key.some((part) => part === undefined || part === null)) continue
          const piece = { seq: hearing.seq, value: row }
          const earlier = memory.earlier(`${name} ${account} ${key.join(' ')}`, piece)
          // Two rows of one answer may have the same times.
          if (earlier === null || earlier.seq === hearing.seq) continue
          compared()
          if (!isSameJson(earlier.value, row))
            broken(`${name}: the row ${key.join(' ')} has changed`, earlier, piece)
        }
      },
    }
  },
}

/** The past never changes. */
export const PAST_RULES: readonly LedgerRule[] = [pastRows, equalRows, settled]
