/** A trader in a search: figures are computed when they are needed, and once. */

import type { Moment } from '../../../../contract/facts.ts'
import {
  add,
  greater,
  ratio,
  subtract,
  sum,
  type Usd,
  usd,
  ZERO,
} from '../../../../decimal/quantity.ts'
import { type Trader, tradersOf } from '../../../rows/traders.ts'
import { periodStart } from '../../../shown-time/period.ts'
import type { World } from '../../../world.ts'
import type { EquityPoint } from '../pnl-curves/account-history.ts'
import { drawdownOf } from '../pnl-curves/drawdown.ts'
import { pnlCurvePoints, pnlsOf } from '../pnl-curves/pnl-curve.ts'
import {
  type ClosedPositionSums,
  closedPositionSums,
  coinsHeld,
  NO_CLOSED_POSITIONS,
} from './closed-position-sums.ts'
import { activeTraders, type TraderSnapshot, TraderSnapshots } from './trader-snapshot.ts'

/** What a search looks through, as of one moment. */
export class SearchScope {
  private readonly snapshots: TraderSnapshots
  private readonly sums = new Map<number, Map<number, ClosedPositionSums>>()
  private readonly traders: Trader[]

  constructor(
    readonly world: World,
    readonly moment: Moment,
  ) {
    this.traders = activeTraders(world, moment.atMs)
    this.snapshots = new TraderSnapshots(world, moment, this.traders.length)
  }

  /** All traders with activity, or of these those with one of the addresses. */
  candidates(addresses: readonly string[] | undefined): SearchCandidate[] {
    const { find } = tradersOf(this.world)
    const chosen = addresses && new Set(addresses.map((address) => find(address)?.id))
    return this.traders
      .filter(({ id }) => !chosen || chosen.has(id))
      .map((trader) => new SearchCandidate(this, trader))
  }

  snapshotOf(trader: Trader): TraderSnapshot {
    return this.snapshots.of(trader)
  }

  sumsOf({ id }: Trader, days: number): ClosedPositionSums {
    let sums = this.sums.get(days)
    if (!sums) {
      const { atMs } = this.moment
      sums = closedPositionSums(this.world, periodStart(days, atMs), atMs)
      this.sums.set(days, sums)
    }
    return sums.get(id) ?? NO_CLOSED_POSITIONS
  }

  coinsHeld(days: number): Map<number, Set<number>> {
    const { atMs } = this.moment
    return coinsHeld(this.world, periodStart(days, atMs), atMs)
  }
}

export class SearchCandidate {
  constructor(
    readonly scope: SearchScope,
    readonly trader: Trader,
  ) {}

  get snapshot(): TraderSnapshot {
    return this.scope.snapshotOf(this.trader)
  }

  sums(days: number): ClosedPositionSums {
    return this.scope.sumsOf(this.trader, days)
  }

  /** The maximum drawdown as a fraction; 0 without a loss. */
  drawdown(days: number): { lost: Usd; base: Usd } {
    const { world, moment } = this.scope
    return drawdownOf(world, moment, this.trader.id, days) ?? { lost: ZERO, base: usd(1) }
  }

  /**
   * Mean over standard deviation of the returns from point to point of the curve, for a year; null
   * without two different ones.
   */
  sharpe(days: number): number | null {
    const { world, moment } = this.scope
    const points = pnlCurvePoints(world, moment, this.trader.id, days)
    const returns = returnsOf(points)
    const [first, last] = [points[0], points.at(-1)]
    if (returns.length < 2 || !first || !last) return null
    const mean = returns.reduce((sum, one) => sum + one, 0) / returns.length
    const variance = returns.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (returns.length - 1)
    if (variance === 0) return null
    const aYear = (YEAR_MS / (last.timeMs - first.timeMs)) * returns.length
    return roundRatio((mean / Math.sqrt(variance)) * Math.sqrt(aYear))
  }
}

const YEAR_MS = 365 * 86_400_000

/** PnL of each step over what there was before it, with what came in during the step. */
function returnsOf(points: readonly EquityPoint[]): number[] {
  const pnls = pnlsOf(points, 'all')
  return points.slice(1).flatMap((point, at) => {
    const before = points[at] as EquityPoint
    const deposits = subtract(add(point.perpIn, point.spotIn), add(before.perpIn, before.spotIn))
    const base = sum([before.main, before.builder, before.spot, greater(deposits, ZERO)])
    return base > ZERO ? [ratio(subtract(pnls[at + 1] as Usd, pnls[at] as Usd), base)] : []
  })
}

const roundRatio = (value: number) => Math.round(value * 10_000) / 10_000
