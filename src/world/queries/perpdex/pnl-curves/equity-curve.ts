/** What a trader owned over time: at whole steps of the shown clock, and now. */
import { later, type TapeMs, tapeMs } from '../../../../clock/instant.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type { CurveScope } from '../../../../contract/records/pnl-curve.ts'
import { raw } from '../../../../decimal/quantity.ts'
import { chargeDelayMs } from '../../../rows/funding-charges.ts'
import { traderHistories } from '../../../rows/trader-history.ts'
import { wholeStep } from '../../../shown-time/time-grid.ts'
import type { World } from '../../../world.ts'
import { equityGrids, SPAN_PLACES, SPAN_POINTS } from './equity-grid.ts'
import { type EquityPoint, equityPointAt } from './equity-point.ts'

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
  const now = count > 0 && lastMs === atMs ? null : equityPointAt(world, trader, moment)
  return new EquityCurve(spans, step - firstSpan * SPAN_POINTS, count, { gridMs, stepMs }, now)
}

export class EquityCurve {
  readonly length: number

  constructor(
    private readonly spans: readonly Float64Array[],
    private readonly offset: number,
    private readonly count: number,
    private readonly times: { gridMs: TapeMs; stepMs: number },
    private readonly now: EquityPoint | null,
  ) {
    this.length = now ? count + 1 : count
  }

  timeMs(at: number): TapeMs {
    const { gridMs, stepMs } = this.times
    return at < this.count ? later(gridMs, at * stepMs) : (this.now as EquityPoint).timeMs
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

  private addTo(sums: Float64Array, name: Figure, sign: 1 | -1): Float64Array {
    let point = 0
    let at = this.offset
    for (const span of this.spans) {
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

const NO_POINTS = new EquityCurve([], 0, 0, { gridMs: tapeMs(0), stepMs: 0 }, null)
