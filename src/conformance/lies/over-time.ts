/** Lies over time: each answer is right by itself, and another one than before. */

import { OPERATIONS } from '../../contract/catalogue.ts'
import type { Operation } from '../../contract/operation.ts'
import { isSafeToCall } from '../derived/tested-operation.ts'
import { HISTORIES } from '../ledger/rules/immutable-past.ts'
import { isJsonObject, isSameJson, type JsonObject } from '../responses.ts'
import { type AnswerSource, laterChange, nudged } from './answer-changes.ts'
import type { Lie } from './lying-transport.ts'

const INFO = 'perpdex.info.'

const lie = (of: string, what: string, needs: string, change: Lie['change']): Lie => ({
  id: `over-time.${of}: ${what}`,
  family: 'over-time',
  ...(of.startsWith(INFO) ? { of: 'perpdex.info', type: of.slice(INFO.length) } : { of }),
  needs,
  change,
})

/** The first figure of an object or a list with another value; null where there is none. */
function withOtherFigure(value: unknown): unknown | null {
  if (Array.isArray(value)) return withOtherPart(value, [...value.keys()].reverse())
  if (isJsonObject(value)) return withOtherPart(value, Object.keys(value).filter(isFigureName))
  const other = nudged(value)
  return other === value ? null : other
}

function withOtherPart<T extends object>(value: T, keys: readonly PropertyKey[]): T | null {
  for (const key of keys) {
    const other = withOtherFigure(value[key as keyof T])
    if (other === null) continue
    const copy = Array.isArray(value) ? ([...value] as T) : { ...value }
    copy[key as keyof T] = other as T[keyof T]
    return copy
  }
  return null
}

const isFigureName = (name: string): boolean => !/time|^t$|^T$|^0$|id$/i.test(name)

/** The data with another value in the row in its middle. */
function otherMiddle(given: unknown, rowsOf: (data: unknown) => readonly JsonObject[]): unknown {
  const rows = rowsOf(given)
  const middle = rows.length >> 1
  if (rows.length < 3) return given
  const others = rows.map((row, at) => (at === middle ? (otherRow(row) ?? row) : row))
  if (Array.isArray(given)) return others
  if (!isJsonObject(given)) return given
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, isSameJson(value, rows) ? others : value]),
  )
}

/** Not its first column, which is its time. */
const otherRow = (row: JsonObject): unknown =>
  Array.isArray(row)
    ? withOtherPart(
        row,
        [...row.keys()].filter((at) => at > 0),
      )
    : withOtherFigure(row)

const rowsIn = (data: unknown): JsonObject[] =>
  Array.isArray(data) ? data.filter(isJsonObject) : []

// Kinds.

const PAST: readonly Lie[] = [...HISTORIES.values()].map(({ of, rows }) =>
  lie(of, 'a past row is another one when it is read again', 'three rows, read twice', () =>
    laterChange({ operation: of }, (data) => otherMiddle(data, rows)),
  ),
)

const CANDLES: readonly Lie[] = (
  [
    ['perpdex.klinesWithTakerVol', { operation: 'perpdex.klinesWithTakerVol' }],
    ['perpdex.info.candleSnapshot', { operation: 'perpdex.info', type: 'candleSnapshot' }],
  ] as [string, AnswerSource][]
).map(([of, source]) =>
  lie(of, 'a closed candle has another volume when it is read again', 'candles read twice', () =>
    laterChange(source, (data) => otherMiddle(data, (rows) => rowsIn(rows))),
  ),
)

/** Operations whose data are a list of rows with a time. */
const hasTimes = ({ data }: Operation): boolean => {
  const forms = (data.anyOf as Operation['data'][] | undefined) ?? [data]
  return forms.some(({ type, items }) => {
    const rows = ((items?.anyOf as Operation['data'][] | undefined) ?? [items]).filter(Boolean)
    return type === 'array' && rows.some((row) => row?.properties?.time !== undefined)
  })
}

function turnedTies(data: unknown): unknown {
  const rows = rowsIn(data)
  const times = new Map<unknown, JsonObject[]>()
  for (const row of rows) times.set(row.time, [...(times.get(row.time) ?? []), row])
  return rows.map((row) => times.get(row.time)?.pop())
}

const READ = OPERATIONS.filter(
  (operation) =>
    isSafeToCall(operation) &&
    operation.method === 'GET' &&
    !/^(distributor|signal)\./.test(operation.id),
)

const TIES: readonly Lie[] = READ.filter(hasTimes).map(({ id }) =>
  lie(id, 'rows of one time stand in another order when read again', 'rows of one time', () =>
    laterChange({ operation: id }, turnedTies),
  ),
)

const FLICKER: readonly Lie[] = READ.map(({ id }) =>
  lie(id, 'every second answer has another last figure', 'a clock that is held, and figures', () =>
    laterChange({ operation: id }, (data, rank) =>
      rank % 2 === 1 ? (withOtherFigure(data) ?? data) : data,
    ),
  ),
)

export const TIME_LIES: readonly Lie[] = [...PAST, ...CANDLES, ...TIES, ...FLICKER]
