/**
 * What another value of a parameter changes in an answer. Every parameter of every operation has
 * an entry in a table here: an effect that derived cases look for, the hand-written case that does,
 * or the reason why nothing can be seen of it.
 */
import { fullName, type Parameter } from '../../contract/parameters.ts'
import type { AskedOperation } from '../derived/asked-operation.ts'
import { isJsonObject, type JsonObject } from '../parsed-json.ts'
import type { Probe } from '../probe.ts'

/** Looks for it: throws as every case does. */
export type Effect = (asked: AskedOperation, parameter: Parameter) => Promise<void>

export type EffectEntry =
  | { effect: Effect; checks?: readonly string[] }
  /** Looked for with every value that the contract lists. */
  | { listed: Effect; checks?: readonly string[] }
  | { caseId: string }
  /** How many rows there are: `limits.*` of the same operation. */
  | { counted: true }
  | { reason: string }

/** Entries by operation and parameter. */
export type EffectTable = Readonly<Record<string, Readonly<Record<string, EffectEntry>>>>

/** Values to ask for, or how to find some at the target. */
export type Values = readonly unknown[] | ((probe: Probe) => Promise<readonly unknown[]>)

export const valuesOf = async (values: Values, { probe }: AskedOperation) =>
  typeof values === 'function' ? values(probe) : values

/** A column, or what is reckoned of a row. */
export type Pick = string | ((row: JsonObject) => unknown)

export const picked = (pick: Pick, row: JsonObject): unknown =>
  typeof pick === 'string' ? row[pick] : pick(row)

/** The rows of data that is a list or a page of rows; else the one record that it is. */
export function recordsIn(data: unknown): JsonObject[] {
  if (Array.isArray(data)) return data.filter(isJsonObject)
  if (!isJsonObject(data)) return []
  return Array.isArray(data.list) ? data.list.filter(isJsonObject) : [data]
}

/** `perpdex.fillsOfAddress with coin=BTC`. */
export const nameOf = ({ operation }: AskedOperation, parameter: Parameter, value: unknown) => {
  const text = typeof value === 'object' ? JSON.stringify(value) : value
  return `${operation.id} with ${fullName(parameter)}=${text}`
}

/** Whether nothing is said: no rows, null, or numbers that are all zero. */
export function isNothing(data: unknown): boolean {
  if (Array.isArray(data)) return data.every(isNothing)
  if (isJsonObject(data)) return Object.values(data).every(isNothing)
  return data === null || data === undefined || data === '' || Number(data) === 0
}
