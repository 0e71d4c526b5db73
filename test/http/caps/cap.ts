/** The caps that the contract declares, and what is asked so that each of them is met. */

import { OPERATIONS } from '../../../src/contract/catalogue.ts'
import { VENUE_INFO_TYPES } from '../../../src/contract/info/index.ts'
import type { Operation } from '../../../src/contract/operation.ts'
import { type Parameter, parametersOf } from '../../../src/contract/parameters.ts'
import type { AskedMarket, AskedRequest } from '../../fixtures/asked-market.ts'

/** A parameter of which more than so much is silently cut. */
export interface ParameterCap {
  id: string
  operation: Operation
  parameter: Parameter
  most: number
}

export interface CapTrial {
  request?: (market: AskedMarket) => AskedRequest
  /** Where the rows are; the data itself, its `list` or its only array when left out. */
  rows?: (data: never) => readonly unknown[]
  /** Why there cannot be as many, and how many there are at least. */
  fewer?: { reason: string; least: number }
}

export type CapTrials = Readonly<Record<string, CapTrial>>

/** Every parameter that cuts, by `<operation> <parameter>`. */
export const PARAMETER_CAPS: readonly ParameterCap[] = OPERATIONS.filter(
  ({ profile }) => profile === undefined,
).flatMap((operation) =>
  parametersOf(operation).flatMap((parameter): ParameterCap[] => {
    const most = parameter.schema['x-cut'] as number | undefined
    const id = `${operation.id} ${parameter.name}`
    return most === undefined ? [] : [{ id, operation, parameter, most }]
  }),
)

/** Every type of `POST /info` that gives so many rows at most. */
export const INFO_CAPS = VENUE_INFO_TYPES.filter(({ most }) => most !== undefined)

/** The rows of an answer's data. */
export function rowsOf(data: unknown, { rows }: CapTrial): readonly unknown[] {
  if (rows) return rows(data as never)
  if (Array.isArray(data)) return data
  const lists = Object.values(data as object).filter(Array.isArray)
  return lists[0] ?? []
}
