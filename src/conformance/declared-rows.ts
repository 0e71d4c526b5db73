/** Lists that cannot be right, whatever they are of: a row twice, or times that go to and fro. */
import type { Operation } from '../contract/operation.ts'
import { timeOf } from './derived/row-times.ts'
import { isJsonObject } from './parsed-json.ts'
import { isNonDecreasing, isNonIncreasing } from './value-checks.ts'

/** What is wrong with the rows of data, or of the lists in it; null when nothing is. */
export function rowsFlaw({ id }: Operation, data: unknown): string | null {
  if (COLUMNS.test(id)) return null
  for (const [name, rows] of listsIn(data)) {
    const twice = repeated(rows)
    if (twice !== null) return `${name} has a row twice: ${twice.slice(0, 200)}`
    if (ORDERED[id] === undefined || !isOutOfOrder(rows, ORDERED[id])) continue
    return `${name} is in order of time, ${WORDS[ORDERED[id]]}`
  }
  return null
}

/** Whose lists may be columns, of which two may well be the same (open). */
const COLUMNS = /^indicator\.(klines|records)$/

/** The data itself, or the lists that lie in it. */
function listsIn(data: unknown): [name: string, rows: readonly unknown[]][] {
  if (Array.isArray(data)) return [['data', data]]
  if (!isJsonObject(data)) return []
  return Object.entries(data).flatMap(([name, rows]) =>
    Array.isArray(rows) ? [[`data.${name}`, rows] as [string, unknown[]]] : [],
  )
}

/** A row that says the same as one before it, as text. */
function repeated(rows: readonly unknown[]): string | null {
  const seen = new Set<string>()
  for (const row of rows) {
    if (typeof row !== 'object' || row === null || isFillWithoutId(row)) return null
    const text = JSON.stringify(row)
    if (seen.has(text)) return text
    seen.add(text)
  }
  return null
}

/** Orders and TWAPs may be filled twice alike: only the id of a trade tells fills apart. */
const isFillWithoutId = (row: object): boolean =>
  !('tid' in row) && (('oid' in row && 'price' in row) || ('twapId' in row && 'px' in row))

type Direction = 'rising' | 'falling' | 'either'

const WORDS: Record<Direction, string> = {
  rising: 'the oldest first',
  falling: 'the newest first',
  either: 'one way or the other',
}

/** Lists that the contract gives an order of time, or that are a history; which way may be open. */
const ORDERED: Readonly<Record<string, Direction>> = {
  'futures.fundingRateHistory': 'rising',
  'futures.weightedFundingRateHistory': 'rising',
  'futures.stablecoinInterestHistory': 'rising',
  'futures.coinMarginInterestHistory': 'rising',
  'futures.liquidationHistory': 'rising',
  'futures.estimatedLiquidationHistory': 'rising',
  'perpdex.filledOrdersLatest': 'falling',
  'perpdex.ordersLatest': 'falling',
  'perpdex.fillsOfAddress': 'either',
  'perpdex.klinesWithTakerVol': 'either',
  'perpdex.currentPositionPnl': 'either',
  'perpdex.completedPositionPnl': 'either',
  'perpdex.currentPositionExecutions': 'either',
  'perpdex.completedPositionExecutions': 'either',
  'perpdex.openInterestHistory': 'either',
  'perpdex.pnls': 'either',
  'perpdex.portfolio': 'either',
}

function isOutOfOrder(rows: readonly unknown[], direction: Direction): boolean {
  const times = rows.map(timeOf)
  if (!times.every((time) => time !== null)) return false
  if (direction === 'rising') return !isNonDecreasing(times)
  if (direction === 'falling') return !isNonIncreasing(times)
  return !isNonDecreasing(times) && !isNonIncreasing(times)
}
