/** A trader's equity over time: at whole steps of shown time, and now. */

import { later, type TapeMs, tapeMs } from '../../../../clock/instant.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type { CurveScope } from '../../../../contract/records/completed-trade.ts'
import {
  add,
  mulDiv,
  negate,
  raw,
  subtract,
  type Usd,
  usd,
  ZERO,
} from '../../../../decimal/quantity.ts'
import { fundingBetween, fundingScale } from '../../../accounting/funding.ts'
import { notionalScale, positionValue, unrealisedPnl } from '../../../accounting/position.ts'
import { SAVINGS } from '../../../accounting/savings.ts'
import { type PlaceQuotes, placeQuotes } from '../../../rows/account-state.ts'
import {
  chargeDelayMs,
  indexAt,
  lateCharges,
  lateSums,
  type Place,
} from '../../../rows/funding-charges.ts'
import { markPrices } from '../../../rows/mark-prices.ts'
import type { ValueSteps } from '../../../rows/open-interest.ts'
import { savingsValue } from '../../../rows/savings.ts'
import {
  depositsAt,
  type HoldingHistory,
  isBesidePerps,
  traderHistories,
} from '../../../rows/trader-histories.ts'
import type { InstrumentRow } from '../../../schema/schema.ts'
import { wholeStep } from '../../../shown-time/time-grid.ts'
import { Cache, perMarket, perWorld, SpanCache } from '../../../world/cache.ts'
import type { World } from '../../../world/world.ts'

// A trader's equity at a single instant.

/** A trader's equity and net deposits at an instant. */
interface EquityPoint {
  timeMs: TapeMs
  main: Usd
  builder: Usd
  spot: Usd
  /** Net deposits, tokens at their value then. */
  perpIn: Usd
  spotIn: Usd
}

/** Kinds of accounts: the main dex, all builder dexes, spot with savings. */
type AccountKind = 'main' | 'builder' | 'spot'

/** Kind of a dex by its name. */
const kindOfDex = (dex: string): AccountKind =>
  dex === '' ? 'main' : isBesidePerps(dex) ? 'spot' : 'builder'

/** Account kind that a holding's value counts in. */
const kindOfHolding = ({ kind, dex }: InstrumentRow): AccountKind =>
  kind === 'spot' ? 'spot' : kindOfDex(dex)

/** Zeros before any activity. */
export function equityPointAt(world: World, trader: number, place: Place): EquityPoint {
  const quotes = placeQuotes(world)(place)
  const { atMs } = quotes
  const history = traderHistories(world).of(trader)
  const { perp: perpIn, spot: spotIn } = depositsAt(history, atMs)
  const point = { timeMs: atMs, main: NONE, builder: NONE, spot: NONE, perpIn, spotIn }
  for (const { dex, cash } of history.accounts) {
    const kind = kindOfDex(dex)
    const held = cash.at(atMs) ?? 0
    const value = SAVINGS.includes(dex) ? savingsValue(world, dex, held, atMs) : usd(held)
    point[kind] = add(point[kind], value)
  }
  for (const holding of history.holdings) {
    const kind = kindOfHolding(holding.instrument)
    point[kind] = add(point[kind], holdingValue(world, holding, quotes))
  }
  return point
}

const NONE: Usd = ZERO

/** A token's value; a perpetual's unrealised PnL less the funding paid. */
function holdingValue(world: World, history: HoldingHistory, quotes: PlaceQuotes): Usd {
  const { instrument: of } = history
  const row = history.lastUpTo(quotes.atMs)
  if (row < 0) return ZERO
  const sz = history.sz(row)
  if (of.kind === 'spot') return sz === ZERO ? ZERO : positionValue(sz, quotes.of(of).px, of)
  const late = lateCharges(world, history, row, quotes.delayMs).allTime
  const paid = add(history.funding(row), late)
  if (sz === ZERO) return negate(paid)
  const { px, fundingIndex } = quotes.of(of)
  const since = fundingBetween(sz, history.fundingIndex(row), fundingIndex, of)
  const gain = unrealisedPnl({ sz, cost: history.cost(row) }, px, of)
  return subtract(gain, add(paid, since))
}

// A span of points of an equity grid: its layout and accumulation.

/** Points of a span. */
const SPAN_POINTS = 256

/** Offsets of the figures in a span: each has one value per point. */
const SPAN_PLACES = {
  main: 0,
  builder: SPAN_POINTS,
  spot: 2 * SPAN_POINTS,
  perpIn: 3 * SPAN_POINTS,
  spotIn: 4 * SPAN_POINTS,
} as const

/** Values of all figures. */
const SPAN_VALUES = 5 * SPAN_POINTS

/** Points of a span: the first, their distance, and one row index each. */
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

/** Adds to the points between two indexes. */
function addConstant(span: Float64Array, first: number, end: number, value: number): void {
  for (let at = first; at < end; at++) span[at] = (span[at] as number) + value
}

/** Value of a size held over some points: see `equityPointAt`. */
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

/** Value of units of savings at each instant, micro-dollars. */
const savingsValues = (world: World, dex: string) => (units: number, atMs: TapeMs) =>
  raw(savingsValue(world, dex, units, atMs))

/** Adds the step values at each point. */
function addSteps(
  span: Float64Array,
  place: number,
  steps: ValueSteps,
  { firstMs, stepMs, rows }: SpanPoints,
  valueAt: (held: number, timeMs: TapeMs) => number = (held) => held,
): void {
  steps.lastUpToEach(firstMs, stepMs, rows)
  for (let point = 0; point < rows.length; point++) {
    const row = rows[point] as number
    if (row < 0) continue
    const value = valueAt(steps.value(row), later(firstMs, point * stepMs))
    span[place + point] = (span[place + point] as number) + value
  }
}

// Equity of traders at the points of a grid. A point never changes, so spans of points are cached;
// they include the future, so callers must read only the past.

/** Values of spans that are cached, 8 bytes each. */
const CACHED_VALUES = 3_000_000
/** The same for prices and funding indexes, which all traders share. */
const CACHED_QUOTES = 1_000_000
/** Cached grids: those of a few sandboxes. */
const CACHED_GRIDS = 32

/** Step of the grid's instants, and the delay of funding charges for its clients. */
interface GridTerms {
  stepMs: number
  /** Offset of the points from multiples of stepMs, below stepMs. */
  phaseMs: number
  /** Delay of funding charges after the recording's hours. */
  delayMs: number
}

/** Quotes of a market on all grids, shared by the worlds of crowd accounts. */
const marketQuotes = perMarket(
  () => new Cache<string, SpanQuotes>(CACHED_QUOTES, ({ prices }) => 2 * prices.length),
)

/** The grids of a world. */
const equityGrids = perWorld((world) => {
  const grids = new Cache<string, EquityGrid>(CACHED_GRIDS)
  const spans = new SpanCache<string, Float64Array>(world, CACHED_VALUES, ({ length }) => length)
  const quotes = marketQuotes(world)
  return ({ stepMs, phaseMs, delayMs }: GridTerms): EquityGrid => {
    const key = `${stepMs}/${phaseMs}/${delayMs}`
    const terms = { stepMs, phaseMs, delayMs }
    return grids.get(key, () => new EquityGrid(world, terms, key, { spans, quotes }))
  }
})

/** Shared by all grids, so that they are bounded together. */
interface GridCaches {
  spans: SpanCache<string, Float64Array>
  quotes: Cache<string, SpanQuotes>
}

class EquityGrid {
  constructor(
    private readonly world: World,
    private readonly terms: GridTerms,
    /** Key of its terms. */
    readonly key: string,
    private readonly cached: GridCaches,
  ) {}

  /** A span of a trader's points; spans are counted from time 0. */
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
    // Later points than the world's are never read.
    const count = Math.floor((this.world.endMs - firstMs) / stepMs) + 1
    const points = { firstMs, stepMs, rows: new Int32Array(Math.min(count, SPAN_POINTS)) }
    const history = traderHistories(this.world).of(trader)
    const span = new Float64Array(SPAN_VALUES)
    for (const { dex, cash, deposits } of history.accounts) {
      const into = isBesidePerps(dex) ? SPAN_PLACES.spotIn : SPAN_PLACES.perpIn
      const valueAt = SAVINGS.includes(dex) ? savingsValues(this.world, dex) : undefined
      addSteps(span, SPAN_PLACES[kindOfDex(dex)], cash, points, valueAt)
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

/** Limit of points per curve: more than any world has. */
const POINTS_MAX = 10_000

/** Points from `fromMs` on; none before the trader's first activity. */
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
  // One point before its start, where everything is zero.
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

  /** Number of points on the grid: all, or all but the last, which is now. */
  readonly count: number

  constructor(
    private readonly part: GridPart,
    private readonly times: { gridMs: TapeMs; stepMs: number },
    private readonly now: EquityPoint | null,
    /** Key of the points on the grid: equal keys mean equal points. */
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

  /** Net deposits into them at a point. */
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

  /** Total equity at all points, and net deposits, micro-dollars. */
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

/** Points of a grid, from an offset in the first span on. */
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

/** Equity of traders at the most recently requested moment. */
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
