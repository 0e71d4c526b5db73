/** What a trader owned over time: at whole steps of the shown clock, and now. */

import { later, type TapeMs, tapeMs } from '../../../../clock/instant.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type { CurveScope } from '../../../../contract/records/pnl-curve.ts'
import { add, raw, type Usd, usd, ZERO } from '../../../../decimal/quantity.ts'
import { mulDiv } from '../../../../decimal/scaled.ts'
import { fundingScale } from '../../../accounting/funding.ts'
import { notionalScale } from '../../../accounting/position.ts'
import { chargeDelayMs, indexAt, lateSums } from '../../../rows/funding-charges.ts'
import { markPrices } from '../../../rows/mark-prices.ts'
import { traderHistories } from '../../../rows/trader-histories.ts'
import type { HoldingHistory } from '../../../rows/trader-history.ts'
import type { ValueSteps } from '../../../rows/value-steps.ts'
import type { InstrumentRow } from '../../../schema/schema.ts'
import { wholeStep } from '../../../shown-time/time-grid.ts'
import { Cache } from '../../../world/cache.ts'
import { perWorld } from '../../../world/per-world.ts'
import { SpanCache } from '../../../world/span-cache.ts'
import type { World } from '../../../world/world.ts'
import { type EquityPoint, equityPointAt, kindOfDex, kindOfHolding } from './equity-point.ts'

// A span of points of an equity grid: how it is laid out, and how values are added to it.

/** Points of a span. */
const SPAN_POINTS = 256

/** Where each figure of a span begins: one after another, so many points each. */
const SPAN_PLACES = {
  main: 0,
  builder: SPAN_POINTS,
  spot: 2 * SPAN_POINTS,
  perpIn: 3 * SPAN_POINTS,
  spotIn: 4 * SPAN_POINTS,
} as const

/** Of all figures. */
const SPAN_VALUES = 5 * SPAN_POINTS

/** The points of a span: the first, how far apart they are, and room for a row of each. */
interface SpanPoints {
  firstMs: TapeMs
  stepMs: number
  rows: Int32Array
}

/** Mark prices and funding indexes at the points of a span. */
interface SpanQuotes {
  prices: Float64Array
  indexes: Float64Array
}

/** Adds to the points from a place to another. */
function addConstant(span: Float64Array, first: number, end: number, value: number): void {
  for (let at = first; at < end; at++) span[at] = (span[at] as number) + value
}

/** What a size that was held over some points was worth: see `equityPointAt`. */
function addValues(
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
function addSteps(
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

// What traders owned at the points of a grid. A point never changes, so spans of points are cached;
// what lies ahead is in them too, and callers ask for the past only.

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
const equityGrids = perWorld((world) => {
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

/** Points to a curve at most: more than any world has. */
const POINTS_MAX = 10_000

/** Points from `fromMs` on; none before the first thing that the trader did. */
export function equityCurve(
  world: World,
  moment: Moment,
  trader: number,
  stepMs: number,
  fromMs: TapeMs,
): EquityCurve {
  const { firstMs } = traderHistories(world).of(trader)
  const { atMs, shiftMs } = moment
  if (firstMs === null || firstMs > atMs) return NO_POINTS
  const lastMs = wholeStep(atMs, shiftMs, stepMs)
  // One point before it began, where everything is zero.
  const startMs = Math.max(fromMs, firstMs - stepMs)
  const count = Math.max(0, Math.min(Math.floor((lastMs - startMs) / stepMs) + 1, POINTS_MAX))
  const gridMs = later(lastMs, (1 - count) * stepMs)
  const phaseMs = gridMs - Math.floor(gridMs / stepMs) * stepMs
  const step = (gridMs - phaseMs) / stepMs
  const grid = equityGrids(world)({ stepMs, phaseMs, delayMs: chargeDelayMs(moment) })
  const spans: Float64Array[] = []
  const firstSpan = Math.floor(step / SPAN_POINTS)
  for (let number = firstSpan; number * SPAN_POINTS < step + count; number++)
    spans.push(grid.span(trader, number))
  const now = count > 0 && lastMs === atMs ? null : equityNow(world)(trader, moment)
  const part = { spans, offset: step - firstSpan * SPAN_POINTS, count }
  return new EquityCurve(part, { gridMs, stepMs }, now, `${grid.key}/${trader}/${step}/${count}`)
}

export class EquityCurve {
  readonly length: number

  /** How many points lie on the grid: all, or all but the last, which is now. */
  readonly count: number

  constructor(
    private readonly part: GridPart,
    private readonly times: { gridMs: TapeMs; stepMs: number },
    private readonly now: EquityPoint | null,
    /** Of the points on the grid: where it is the same, so are they. */
    readonly key: string,
  ) {
    this.count = part.count
    this.length = now ? part.count + 1 : part.count
  }

  timeMs(at: number): TapeMs {
    const { gridMs, stepMs } = this.times
    return at < this.count ? later(gridMs, at * stepMs) : (this.now as EquityPoint).timeMs
  }

  /** Equity of the perpetual accounts at a point. */
  perp(at: number): Usd {
    return add(this.value('main', at), this.value('builder', at))
  }

  /** What had come into them by then, less what had gone out. */
  perpIn(at: number): Usd {
    return this.value('perpIn', at)
  }

  /** A figure of all points, micro-dollars. */
  column(name: Figure): Float64Array {
    return this.addTo(new Float64Array(this.length), name, 1)
  }

  /** Equity of the perpetual accounts, micro-dollars. */
  perpColumn(): Float64Array {
    return this.addTo(this.column('main'), 'builder', 1)
  }

  /** PnL up to each point since the history began, micro-dollars. */
  pnlColumn(scope: CurveScope): Float64Array {
    const perp = this.addTo(this.perpColumn(), 'perpIn', -1)
    return scope === 'perp' ? perp : this.addTo(this.addTo(perp, 'spot', 1), 'spotIn', -1)
  }

  /** Everything at all points, and what had come in by then, micro-dollars. */
  totals(): { values: Float64Array; paidIn: Float64Array } {
    return {
      values: this.addTo(this.perpColumn(), 'spot', 1),
      paidIn: this.addTo(this.column('perpIn'), 'spotIn', 1),
    }
  }

  /** The same at one point. */
  total(at: number): { value: number; paidIn: number } {
    return {
      value: raw(this.perp(at)) + raw(this.value('spot', at)),
      paidIn: raw(this.perpIn(at)) + raw(this.value('spotIn', at)),
    }
  }

  private value(name: Figure, at: number): Usd {
    if (at === this.count) return (this.now as EquityPoint)[name]
    const { offset, spans } = this.part
    const span = spans[Math.floor((offset + at) / SPAN_POINTS)] as Float64Array
    return usd(span[SPAN_PLACES[name] + ((offset + at) % SPAN_POINTS)] as number)
  }

  private addTo(sums: Float64Array, name: Figure, sign: 1 | -1): Float64Array {
    let point = 0
    const { offset, spans } = this.part
    let at = offset
    for (const span of spans) {
      const end = Math.min(this.count, point + SPAN_POINTS - at)
      for (let from = SPAN_PLACES[name] + at; point < end; point++, from++)
        sums[point] = (sums[point] as number) + sign * (span[from] as number)
      at = 0
    }
    if (this.now) sums[this.count] = (sums[this.count] as number) + sign * raw(this.now[name])
    return sums
  }
}

type Figure = keyof typeof SPAN_PLACES

/** Points of a grid, from a place in the first span on. */
interface GridPart {
  spans: readonly Float64Array[]
  offset: number
  count: number
}

const NO_POINTS = new EquityCurve(
  { spans: [], offset: 0, count: 0 },
  { gridMs: tapeMs(0), stepMs: 0 },
  null,
  '',
)

/** What traders own as of the moment that was asked for last. */
const equityNow = perWorld((world) => {
  let [atMs, shiftMs] = [-1, 0]
  const points = new Map<number, EquityPoint>()
  return (trader: number, moment: Moment): EquityPoint => {
    if (atMs !== moment.atMs || shiftMs !== moment.shiftMs) points.clear()
    ;[atMs, shiftMs] = [moment.atMs, moment.shiftMs]
    const point = points.get(trader) ?? equityPointAt(world, trader, moment)
    points.set(trader, point)
    return point
  }
})
