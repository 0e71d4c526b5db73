/**
 * What traders owned at the points of a grid. A point never changes, so spans of points are cached;
 * what lies ahead is in them too, and callers ask for the past only.
 */
import { later, type TapeMs, tapeMs } from '../../../../clock/instant.ts'
import { fundingIndex, px, raw, sz } from '../../../../decimal/quantity.ts'
import { fundingBetween } from '../../../accounting/funding.ts'
import { positionValue } from '../../../accounting/margin.ts'
import { lastUpTo } from '../../../binary-search.ts'
import { Cache } from '../../../cache.ts'
import { perWorld } from '../../../per-world.ts'
import { indexAt, lateSumsOf } from '../../../rows/funding-charges.ts'
import { markSteps } from '../../../rows/mark-prices.ts'
import {
  type HoldingHistory,
  type MoneySteps,
  traderHistories,
} from '../../../rows/trader-history.ts'
import type { InstrumentRow } from '../../../schema.ts'
import type { World } from '../../../world.ts'
import { kindOfDex, kindOfHolding } from './equity-point.ts'

/** Points of a span. */
export const SPAN_POINTS = 64

/** Where each figure of a span begins: one after another, so many points each. */
export const SPAN_PLACES = {
  main: 0,
  builder: SPAN_POINTS,
  spot: 2 * SPAN_POINTS,
  perpIn: 3 * SPAN_POINTS,
  spotIn: 4 * SPAN_POINTS,
} as const

const SPAN_VALUES = 5 * SPAN_POINTS

/** Values of spans that are cached, 8 bytes each. */
const CACHED_VALUES = 3_000_000
/** Grids whose prices are cached: those of a few sandboxes. */
const CACHED_GRIDS = 32

/** Instants that are whole steps apart, and when funding is charged for those who see them. */
export interface GridTerms {
  stepMs: number
  /** Below stepMs: what lies between a multiple of it and the points. */
  phaseMs: number
  /** How long after the recording's hours funding is charged. */
  delayMs: number
}

/** The grids of a world. */
export const equityGrids = perWorld((world) => {
  const grids = new Cache<string, EquityGrid>(CACHED_GRIDS)
  const spans = new Cache<string, Float64Array>(CACHED_VALUES, ({ length }) => length)
  return ({ stepMs, phaseMs, delayMs }: GridTerms): EquityGrid => {
    const key = `${stepMs}/${phaseMs}/${delayMs}`
    return grids.get(key, () => new EquityGrid(world, { stepMs, phaseMs, delayMs }, key, spans))
  }
})

export class EquityGrid {
  private readonly quotes = new Map<number, SpanQuotes>()

  constructor(
    private readonly world: World,
    private readonly terms: GridTerms,
    private readonly key: string,
    private readonly spans: Cache<string, Float64Array>,
  ) {}

  /** A span of a trader's points; spans are counted from the beginning of time. */
  span(trader: number, number: number): Float64Array {
    return this.spans.get(`${this.key}/${trader}/${number}`, () => this.make(trader, number))
  }

  private make(trader: number, number: number): Float64Array {
    const { stepMs, phaseMs } = this.terms
    const firstMs = tapeMs(number * SPAN_POINTS * stepMs + phaseMs)
    const history = traderHistories(this.world).of(trader)
    const span = new Float64Array(SPAN_VALUES)
    for (const { dex, cash, deposits } of history.accounts) {
      addSteps(span, SPAN_PLACES[kindOfDex(dex)], cash, firstMs, stepMs)
      addSteps(
        span,
        dex === 'spot' ? SPAN_PLACES.spotIn : SPAN_PLACES.perpIn,
        deposits,
        firstMs,
        stepMs,
      )
    }
    for (const holding of history.holdings) {
      const quotes = this.quotesOf(holding.instrument, number, firstMs)
      if (holding.instrument.kind === 'spot') addTokens(span, holding, quotes, firstMs, stepMs)
      else this.addPosition(span, holding, quotes, firstMs)
    }
    return span
  }

  private addPosition(
    span: Float64Array,
    holding: HoldingHistory,
    quotes: SpanQuotes,
    firstMs: TapeMs,
  ): void {
    const { stepMs, delayMs } = this.terms
    const { instrument, timesMs, sizes, funding } = holding
    const rows = timesMs.length
    let at = lastUpTo(timesMs, firstMs)
    let point = at < 0 ? pointFrom(timesMs[0], firstMs, stepMs) : 0
    const late =
      delayMs === 0 || point === SPAN_POINTS
        ? null
        : lateSumsOf(this.world, holding, delayMs).allTime
    const place = SPAN_PLACES[kindOfHolding(instrument)]
    while (point < SPAN_POINTS) {
      const timeMs = firstMs + point * stepMs
      while (at + 1 < rows && (timesMs[at + 1] as number) <= timeMs) at++
      const end = pointFrom(timesMs[at + 1], firstMs, stepMs)
      const paid = (funding[at] as number) + (late === null ? 0 : (late[at] as number))
      for (let flat = point; flat < end; flat++)
        span[place + flat] = (span[place + flat] as number) - paid
      if (sizes[at] !== 0) addGains(span.subarray(place), holding, at, quotes, point, end)
      point = end
    }
  }

  private quotesOf(of: InstrumentRow, number: number, firstMs: TapeMs): SpanQuotes {
    const key = number * MOST_INSTRUMENTS + of.id
    const known = this.quotes.get(key)
    if (known) return known
    const quotes = spanQuotes(this.world, of, firstMs, this.terms)
    this.quotes.set(key, quotes)
    return quotes
  }
}

/** Keys stay safe integers. */
const MOST_INSTRUMENTS = 2_048

/** Mark prices and funding indexes at the points of a span. */
interface SpanQuotes {
  prices: Float64Array
  indexes: Float64Array
}

function spanQuotes(
  world: World,
  of: InstrumentRow,
  firstMs: TapeMs,
  { stepMs, delayMs }: GridTerms,
): SpanQuotes {
  const steps = markSteps(world)(of.id)
  const [prices, indexes] = [new Float64Array(SPAN_POINTS), new Float64Array(SPAN_POINTS)]
  for (let point = 0; point < SPAN_POINTS; point++) {
    const timeMs = later(firstMs, point * stepMs)
    prices[point] = steps.prices[lastUpTo(steps.timesMs, timeMs)] ?? 0
    if (of.kind === 'perp') indexes[point] = raw(indexAt(world, of.id, timeMs, delayMs))
  }
  return { prices, indexes }
}

/** The first point of a span that is not before an instant; none for undefined. */
function pointFrom(timeMs: number | undefined, firstMs: number, stepMs: number): number {
  if (timeMs === undefined) return SPAN_POINTS
  return Math.min(SPAN_POINTS, Math.max(0, Math.ceil((timeMs - firstMs) / stepMs)))
}

/** Unrealised PnL of a size that was held over some points, less the funding since it changed. */
function addGains(
  values: Float64Array,
  { instrument, sizes, costs, fundingIndexes }: HoldingHistory,
  at: number,
  { prices, indexes }: SpanQuotes,
  first: number,
  end: number,
): void {
  const [size, cost] = [sizes[at] as number, costs[at] as number]
  const [held, settled] = [sz(size), fundingIndex(fundingIndexes[at] as number)]
  const side = Math.sign(size)
  for (let point = first; point < end; point++) {
    const value = raw(positionValue(held, px(prices[point] as number), instrument))
    const index = fundingIndex(indexes[point] as number)
    const since = raw(fundingBetween(held, settled, index, instrument))
    values[point] = (values[point] as number) + side * value - cost - since
  }
}

function addSteps(
  span: Float64Array,
  place: number,
  { timesMs, values }: MoneySteps,
  firstMs: TapeMs,
  stepMs: number,
): void {
  let at = lastUpTo(timesMs, firstMs)
  for (let point = 0, timeMs: number = firstMs; point < SPAN_POINTS; point++, timeMs += stepMs) {
    while ((timesMs[at + 1] as number) <= timeMs) at++
    if (at >= 0) span[place + point] = (span[place + point] as number) + (values[at] as number)
  }
}

function addTokens(
  span: Float64Array,
  { instrument, timesMs, sizes }: HoldingHistory,
  { prices }: SpanQuotes,
  firstMs: TapeMs,
  stepMs: number,
): void {
  const place = SPAN_PLACES.spot
  let at = lastUpTo(timesMs, firstMs)
  for (let point = 0, timeMs: number = firstMs; point < SPAN_POINTS; point++, timeMs += stepMs) {
    while ((timesMs[at + 1] as number) <= timeMs) at++
    const size = at < 0 ? 0 : (sizes[at] as number)
    if (size === 0) continue
    const value = positionValue(sz(size), px(prices[point] as number), instrument)
    span[place + point] = (span[place + point] as number) + raw(value)
  }
}
