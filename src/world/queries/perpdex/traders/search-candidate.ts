/** A trader in a search: figures are computed when they are needed, and once. */

import type { Moment } from '../../../../contract/facts.ts'
import { type Usd, usd, ZERO } from '../../../../decimal/quantity.ts'
import { type Trader, tradersOf } from '../../../rows/traders.ts'
import { periodStart } from '../../../shown-time/period.ts'
import type { World } from '../../../world.ts'
import { drawdownOf } from '../pnl-curves/drawdown.ts'
import type { EquityCurve } from '../pnl-curves/equity-curve.ts'
import { pnlCurve } from '../pnl-curves/pnl-curve.ts'
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
    this.snapshots = new TraderSnapshots(world, moment)
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
    const curve = pnlCurve(world, moment, this.trader.id, days)
    const returns = returnsOf(curve)
    if (returns.length < 2) return null
    const mean = returns.reduce((sum, one) => sum + one, 0) / returns.length
    const variance = returns.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (returns.length - 1)
    if (variance === 0) return null
    const spanMs = curve.timeMs(curve.length - 1) - curve.timeMs(0)
    const aYear = (YEAR_MS / spanMs) * returns.length
    return roundRatio((mean / Math.sqrt(variance)) * Math.sqrt(aYear))
  }
}

const YEAR_MS = 365 * 86_400_000

/** PnL of each step over what there was before it, with what came in during the step. */
function returnsOf(curve: EquityCurve): number[] {
  const [perp, spot, pnls] = [curve.perpColumn(), curve.column('spot'), curve.pnlColumn('all')]
  const [perpIn, spotIn] = [curve.column('perpIn'), curve.column('spotIn')]
  const deposited = (at: number) => (perpIn[at] as number) + (spotIn[at] as number)
  const returns: number[] = []
  for (let at = 1; at < pnls.length; at++) {
    const before = at - 1
    const deposits = Math.max(deposited(at) - deposited(before), 0)
    const base = (perp[before] as number) + (spot[before] as number) + deposits
    if (base > 0) returns.push(((pnls[at] as number) - (pnls[before] as number)) / base)
  }
  return returns
}

const roundRatio = (value: number) => Math.round(value * 10_000) / 10_000
