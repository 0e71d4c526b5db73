/** The caps of the contract, with requests that reach each of them. */

import { OPERATIONS } from '../../../src/contract/catalogue.ts'
import { VENUE_INFO_TYPES } from '../../../src/contract/info/index.ts'
import type { Operation } from '../../../src/contract/operation.ts'
import { type Parameter, parametersOf } from '../../../src/contract/parameters.ts'
import type { ReplayRequest, RequestedMarket } from '../../fixtures/requested-market.ts'

/** A parameter that is silently cut at a maximum. */
export interface ParameterCap {
  id: string
  operation: Operation
  parameter: Parameter
  most: number
}

export interface CapTrial {
  request?: (market: RequestedMarket) => ReplayRequest
  /** The rows of the data: the data itself, its `list` or its only array by default. */
  rows?: (data: never) => readonly unknown[]
  /** Why the cap cannot be reached, with the minimum number of rows. */
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

/** Every type of `POST /info` with a maximum number of rows. */
export const INFO_CAPS = VENUE_INFO_TYPES.filter(({ most }) => most !== undefined)

/** The rows of an answer's data. */
export function rowsOf(data: unknown, { rows }: CapTrial): readonly unknown[] {
  if (rows) return rows(data as never)
  if (Array.isArray(data)) return data
  const lists = Object.values(data as object).filter(Array.isArray)
  return lists[0] ?? []
}
