/**
 * What traders owned at the points of a grid. A point never changes, so spans of points are cached;
 * what lies ahead is in them too, and callers ask for the past only.
 */
import { later, tapeMs } from '../../../../clock/instant.ts'
import { raw, ZERO } from '../../../../decimal/quantity.ts'
import { Cache } from '../../../cache.ts'
import { perWorld } from '../../../per-world.ts'
import { indexAt, lateSums } from '../../../rows/funding-charges.ts'
import { markPrices } from '../../../rows/mark-prices.ts'
import { traderHistories } from '../../../rows/trader-histories.ts'
import type { HoldingHistory } from '../../../rows/trader-history.ts'
import type { InstrumentRow } from '../../../schema.ts'
import { SpanCache } from '../../../span-cache.ts'
import type { World } from '../../../world.ts'
import { kindOfDex, kindOfHolding } from './equity-point.ts'
import {
  addConstant,
  addSteps,
  addValues,
  SPAN_PLACES,
  SPAN_POINTS,
  SPAN_VALUES,
  type SpanPoints,
  type SpanQuotes,
} from './equity-span.ts'

/** Values of spans that are cached, 8 bytes each. */
const CACHED_VALUES = 3_000_000
/** The same of prices and funding indexes, which all traders share. */
const CACHED_QUOTES = 1_000_000
/** Grids that are kept: those of a few sandboxes. */
const CACHED_GRIDS = 32

/** Instants that are whole steps apart, and when funding is charged for those who see them. */
interface GridTerms {
  stepMs: number
  /** Below stepMs: what lies between a multiple of it and the points. */
  phaseMs: number
  /** How long after the recording's hours funding is charged. */
  delayMs: number
}

/** The grids of a world. */
export const equityGrids = perWorld((world) => {
  const grids = new Cache<string, EquityGrid>(CACHED_GRIDS)
  const spans = new SpanCache<string, Float64Array>(world, CACHED_VALUES, ({ length }) => length)
  const quotes = new Cache<string, SpanQuotes>(CACHED_QUOTES, ({ prices }) => 2 * prices.length)
  return ({ stepMs, phaseMs, delayMs }: GridTerms): EquityGrid => {
    const key = `${stepMs}/${phaseMs}/${delayMs}`
    const terms = { stepMs, phaseMs, delayMs }
    return grids.get(key, () => new EquityGrid(world, terms, key, { spans, quotes }))
  }
})

/** Shared by all grids of a world, so that they are bounded together. */
interface GridCaches {
  spans: SpanCache<string, Float64Array>
  quotes: Cache<string, SpanQuotes>
}

class EquityGrid {
  constructor(
    private readonly world: World,
    private readonly terms: GridTerms,
    /** Of its terms. */
    readonly key: string,
    private readonly cached: GridCaches,
  ) {}

  /** A span of a trader's points; spans are counted from the beginning of time. */
  span(trader: number, number: number): Float64Array {
    const { stepMs, phaseMs } = this.terms
    const untilMs = (number + 1) * SPAN_POINTS * stepMs + phaseMs
    return this.cached.spans.get(`${this.key}/${trader}/${number}`, untilMs, () =>
      this.make(trader, number),
    )
  }

  private make(trader: number, number: number): Float64Array {
    const { stepMs, phaseMs } = this.terms
    const firstMs = tapeMs(number * SPAN_POINTS * stepMs + phaseMs)
    // Nobody asks for what the world does not know yet.
    const count = Math.floor((this.world.endMs - firstMs) / stepMs) + 1
    const points = { firstMs, stepMs, rows: new Int32Array(Math.min(count, SPAN_POINTS)) }
    const history = traderHistories(this.world).of(trader)
    const span = new Float64Array(SPAN_VALUES)
    for (const { dex, cash, deposits } of history.accounts) {
      const into = dex === 'spot' ? SPAN_PLACES.spotIn : SPAN_PLACES.perpIn
      addSteps(span, SPAN_PLACES[kindOfDex(dex)], cash, points)
      addSteps(span, into, deposits, points)
    }
    for (const holding of history.holdings) this.addHolding(span, holding, number, points)
    return span
  }

  private addHolding(
    span: Float64Array,
    holding: HoldingHistory,
    number: number,
    points: SpanPoints,
  ): void {
    const { instrument } = holding
    const { rows, firstMs, stepMs } = points
    if (holding.timeMs(0) > firstMs + (rows.length - 1) * stepMs) return
    holding.lastUpToEach(firstMs, stepMs, rows)
    const { delayMs } = this.terms
    const isLate = delayMs > 0 && instrument.kind === 'perp'
    const late = isLate ? lateSums(this.world, holding, delayMs).values : null
    const quotes = this.quotesOf(instrument, number, points)
    const place = SPAN_PLACES[kindOfHolding(instrument)]
    for (let point = 0; point < rows.length; ) {
      const row = rows[point] as number
      const first = point
      while (point < rows.length && rows[point] === row) point++
      if (row < 0) continue
      const paid = raw(holding.funding(row)) + (late === null ? 0 : (late[3 * row] as number))
      if (paid !== 0) addConstant(span, place + first, place + point, -paid)
      if (holding.sz(row) !== ZERO)
        addValues(span, place, holding, row, { quotes, first, end: point })
    }
  }

  private quotesOf(of: InstrumentRow, number: number, points: SpanPoints): SpanQuotes {
    const key = `${this.key}/${of.id}/${number}`
    const known = this.cached.quotes.find(key)
    // While the world grows, a span gets more points.
    if (known && known.prices.length >= points.rows.length) return known
    const quotes = spanQuotes(this.world, of, points, this.terms.delayMs)
    return this.cached.quotes.put(key, quotes)
  }
}

function spanQuotes(
  world: World,
  of: InstrumentRow,
  { firstMs, stepMs, rows: { length: count } }: SpanPoints,
  delayMs: number,
): SpanQuotes {
  const marks = markPrices(world)(of.id)
  const [prices, indexes] = [new Float64Array(count), new Float64Array(count)]
  for (let point = 0; point < count; point++) {
    const timeMs = later(firstMs, point * stepMs)
    prices[point] = marks.at(timeMs) ?? 0
    if (of.kind === 'perp') indexes[point] = raw(indexAt(world, of.id, timeMs, delayMs))
  }
  return { prices, indexes }
}
