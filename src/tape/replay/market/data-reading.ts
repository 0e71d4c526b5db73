/** Reads parsed data of which nothing is known; a UserError for what is not what it should be. */

import { UserError } from '../../../platform/user-error.ts'
import { excerptOf, isWholeNumber, type UnknownRecord } from '../../unknown-record.ts'

export function recordIn(value: unknown): UnknownRecord {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as UnknownRecord
  throw new UserError(`has ${excerptOf(value)} where an object belongs`)
}

export function listIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  throw new UserError(`has ${excerptOf(value)} where a list belongs`)
}

/** Objects of a list; none where there is null instead. */
export const recordsIn = (value: unknown): UnknownRecord[] =>
  value === null || value === undefined ? [] : listIn(value).map(recordIn)

export function textIn(value: unknown, what: string): string {
  if (typeof value === 'string' && value !== '') return value
  throw new UserError(`has ${excerptOf(value)} for ${what}`)
}

export function timeIn(value: unknown): number {
  if (isWholeNumber(value)) return value
  throw new UserError(`has ${excerptOf(value)} for a time in ms`)
}
