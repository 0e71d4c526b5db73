/** A span of points of an equity grid: how it is laid out, and how values are added to it. */
import type { TapeMs } from '../../../../clock/instant.ts'
import { raw } from '../../../../decimal/quantity.ts'
import { mulDiv } from '../../../../decimal/scaled.ts'
import { fundingScale } from '../../../accounting/funding.ts'
import { notionalScale } from '../../../accounting/position.ts'
import type { HoldingHistory } from '../../../rows/trader-history.ts'
import type { ValueSteps } from '../../../rows/value-steps.ts'

/** Points of a span. */
export const SPAN_POINTS = 256

/** Where each figure of a span begins: one after another, so many points each. */
export const SPAN_PLACES = {
  main: 0,
  builder: SPAN_POINTS,
  spot: 2 * SPAN_POINTS,
  perpIn: 3 * SPAN_POINTS,
  spotIn: 4 * SPAN_POINTS,
} as const

/** Of all figures. */
export const SPAN_VALUES = 5 * SPAN_POINTS

/** The points of a span: the first, how far apart they are, and room for a row of each. */
export interface SpanPoints {
  firstMs: TapeMs
  stepMs: number
  rows: Int32Array
}

/** Mark prices and funding indexes at the points of a span. */
export interface SpanQuotes {
  prices: Float64Array
  indexes: Float64Array
}

/** Adds to the points from a place to another. */
export function addConstant(span: Float64Array, first: number, end: number, value: number): void {
  for (let at = first; at < end; at++) span[at] = (span[at] as number) + value
}

/** What a size that was held over some points was worth: see `equityPointAt`. */
export function addValues(
  span: Float64Array,
  place: number,
  holding: HoldingHistory,
  row: number,
  { quotes: { prices, indexes }, first, end }: HeldPoints,
): void {
  const { instrument } = holding
  const held = holding.sz(row)
  const [value, funding] = [notionalScale(held, instrument), fundingScale(instrument)]
  if (instrument.kind === 'spot') {
    for (let point = first; point < end; point++)
      span[place + point] =
        (span[place + point] as number) +
        mulDiv(prices[point] as number, value.factor, value.divisor)
    return
  }
  const [size, cost, settled] = [raw(held), raw(holding.cost(row)), raw(holding.fundingIndex(row))]
  const factor = value.factor
  for (let point = first; point < end; point++) {
    const worth = mulDiv(prices[point] as number, factor, value.divisor)
    const since = mulDiv(size, (indexes[point] as number) - settled, funding)
    span[place + point] = (span[place + point] as number) + worth - cost - since
  }
}

interface HeldPoints {
  quotes: SpanQuotes
  first: number
  end: number
}

/** Adds what holds at each point. */
export function addSteps(
  span: Float64Array,
  place: number,
  steps: ValueSteps,
  { firstMs, stepMs, rows }: SpanPoints,
): void {
  steps.lastUpToEach(firstMs, stepMs, rows)
  for (let point = 0; point < rows.length; point++) {
    const row = rows[point] as number
    if (row >= 0) span[place + point] = (span[place + point] as number) + steps.value(row)
  }
}
