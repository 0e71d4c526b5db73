/**
 * Identities: what must hold between answers that were given at one instant, by any service.
 * An identity yields its questions and gets the data of their answers back, so one declaration
 * serves a sandbox in this process and a service over HTTP alike.
 */

import { Exact } from '../../decimal/exact.ts'
import type { TypedOperation } from '../operation.ts'
import type { QuestionId } from '../questions.ts'
import type { Static, TObject, TSchema } from '../schema.ts'

/** A body of `POST /info`. */
export type InfoBody = { type: string } & Record<string, unknown>

/** Parameters of an operation as they are sent: path and query as texts. */
export interface OperationQuestion {
  /** Its id, such as `perpdex.ticker`. */
  operation: string
  path?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  body?: unknown
}

/** The first push of a new subscription of `/ws`. */
export interface SnapshotQuestion {
  channel: string
  subscription: { type: string } & Record<string, unknown>
}

/** A question to the service; its answer is the data in the envelope, null for a refusal. */
export type Question = InfoBody | OperationQuestion | SnapshotQuestion

/** Puts one question after another, and gets the data of each; undefined where it may be paused. */
export type InfoRequests<T> = Generator<Question | undefined, T, unknown>

/** Two sides that should be equal, or of which the left should not be greater. */
export interface Comparison {
  /** Its name within the identity: a coin, a window, the number of an order. */
  of: string
  left: Exact
  relation: 'equal' | 'atMost'
  right: Exact
  /** Allowed difference, where one side was rounded. */
  within?: Exact
  /** The records that make them up, so that a reader can add them up; none of what is absent. */
  records: Records
}

type Records = object | null | undefined

export interface Identity {
  id: string
  /** The relation in one sentence; the left side first. */
  sentence: string
  /**
   * What it joins, by names after one another: types of `POST /info`, ids of operations, channels
   * as `/ws bbo`. Then, after a semicolon, its place in the contract or why it must hold.
   */
  source: string
  /** The open question whose chosen answer it needs; other services may answer otherwise. */
  restsOn?: QuestionId
  /** The comparisons for an address or a coin: none where it has nothing of the sort. */
  compare(subject: string): InfoRequests<Comparison[]>
}

/** The names in the source of an identity. */
export const joinedBy = ({ source }: Identity): string[] =>
  (source.split(';')[0] ?? '').split(', ').map((name) => name.trim())

/** Whether a comparison holds. */
export function holds({ left, relation, right, within }: Comparison): boolean {
  const difference = left.minus(right)
  const most = within ?? NOTHING
  const isBelow = difference.isAtMost(most)
  return relation === 'atMost' ? isBelow : isBelow && right.minus(left).isAtMost(most)
}

/** The data of an operation, null for a refusal. */
export function* answerOf<
  P extends TObject,
  Q extends TObject,
  B extends TSchema,
  D extends TSchema,
>(
  { id }: TypedOperation<P, Q, B, D>,
  parameters: Omit<OperationQuestion, 'operation'> = {},
): InfoRequests<Static<D> | null> {
  return (yield { operation: id, ...parameters }) as Static<D> | null
}

/** All rows of a type of info that gives a page at a time, oldest first, each once. */
export function* allRows<T extends { time: number }>(
  body: InfoBody,
  most: number,
): InfoRequests<T[]> {
  const rows: T[] = []
  const seen = new Set<string>()
  for (let startTime = 0; rows.length < ROWS_MOST; ) {
    const page = (yield { ...body, startTime }) as T[]
    const added = page.filter((row) => !seen.has(JSON.stringify(row)))
    for (const row of added) seen.add(JSON.stringify(row))
    rows.push(...added)
    const last = page.at(-1)
    if (page.length < most || added.length === 0 || !last) break
    startTime = last.time
  }
  return rows
}

/** So many rows are read; of fills the service itself has the latest ten thousand only. */
const ROWS_MOST = 10_000

/** Whether these are all rows that there are, and none is missing before the first or after. */
export const isWhole = (rows: readonly unknown[]): boolean => rows.length < ROWS_MOST

/** A number as it is written, or one that was reckoned from such. */
type Side = Exact | string | number

const exact = (side: Side): Exact => (side instanceof Exact ? side : Exact.of(side))

export const NOTHING = Exact.of(0)
/** Money is written to a millionth of a dollar. */
export const MICRO = Exact.of('0.000001')
/** Part of a comparison whose sides differ by what is rounded when they are written. */
export const rounded = (within: Side): { within: Exact } => ({ within: exact(within) })

/** A comparison of two sides that should be the same. */
export const equal = (of: string, left: Side, right: Side, records: Records): Comparison => ({
  of,
  left: exact(left),
  relation: 'equal',
  right: exact(right),
  records,
})

/** A comparison whose left side should not be the greater. */
export const atMost = (of: string, left: Side, right: Side, records: Records): Comparison => ({
  ...equal(of, left, right, records),
  relation: 'atMost',
})

const NUMBER = /^-?\d+(\.\d+)?$/

/** Each number of a record, however deep, equal to that of the same place in another one. */
export function sameNumbers(of: string, one: unknown, other: unknown): Comparison[] {
  const records = { one, other }
  const isNumber = (value: unknown): value is string | number => NUMBER.test(String(value))
  if (isNumber(one) && isNumber(other)) return [equal(of, one, other, records)]
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return []
  return Object.entries(one).flatMap(([name, value]) =>
    sameNumbers(`${of} ${name}`.trimStart(), value, (other as Record<string, unknown>)[name]),
  )
}

/** The same of rows that are one another by their key; one that has no other is none. */
export function sameRows<T extends object>(
  of: string,
  rows: readonly T[],
  others: readonly T[],
  keyOf: (row: T) => string | number,
): Comparison[] {
  const byKey = new Map(others.map((row) => [keyOf(row), row]))
  return [
    equal(`${of} count`.trimStart(), rows.length, others.length, { rows, others }),
    ...rows.flatMap((row) => {
      const other = byKey.get(keyOf(row))
      const name = `${of} ${keyOf(row)}`.trimStart()
      return other === undefined ? [equal(name, 0, 1, row)] : sameNumbers(name, row, other)
    }),
  ]
}

/** Fills compared without a pause. */
export const FILLS_AT_ONCE = 250

/** The exact product of numbers. */
export const product = (...factors: Side[]): Exact =>
  factors.map(exact).reduce((all, one) => all.times(one))

/** The exact sum of numbers. */
export const sum = (parts: readonly Side[]): Exact => Exact.sum(parts.map(exact))

/** Values by key, in their order. The package is typed for engines without `Map.groupBy`. */
export function groupedBy<T>(values: Iterable<T>, keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const value of values) {
    const key = keyOf(value)
    const group = groups.get(key)
    if (group) group.push(value)
    else groups.set(key, [value])
  }
  return groups
}
