/** What a trader owned over time: at whole steps of the shown clock, and now. */
import { later, type TapeMs, tapeMs } from '../../../../clock/instant.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type { CurveScope } from '../../../../contract/records/pnl-curve.ts'
import { add, raw, type Usd, usd } from '../../../../decimal/quantity.ts'
import { perWorld } from '../../../per-world.ts'
import { chargeDelayMs } from '../../../rows/funding-charges.ts'
import { traderHistories } from '../../../rows/trader-histories.ts'
import { wholeStep } from '../../../shown-time/time-grid.ts'
import type { World } from '../../../world.ts'
import { equityGrids } from './equity-grid.ts'
import { type EquityPoint, equityPointAt } from './equity-point.ts'
import { SPAN_PLACES, SPAN_POINTS } from './equity-span.ts'

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
