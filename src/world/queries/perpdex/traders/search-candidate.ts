/** A trader in a search: figures are computed when they are needed, and once. */

import type { Moment } from '../../../../contract/facts.ts'
import { type Usd, usd, ZERO } from '../../../../decimal/quantity.ts'
import { Cache } from '../../../cache.ts'
import { perWorld } from '../../../per-world.ts'
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
  private readonly sums = new Map<number, ReadonlyMap<number, ClosedPositionSums>>()
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
    const returns = returnsOf(world, curve)
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

/** Returns on grids that are cached: there is one more when the next point comes. */
const CACHE_LIMIT = 10_000
const gridReturns = perWorld(() => new Cache<string, readonly number[]>(CACHE_LIMIT))

/** PnL of each step over what there was before it, with what came in during the step. */
function returnsOf(world: World, curve: EquityCurve): readonly number[] {
  const onGrid = gridReturns(world).get(curve.key, () => returnsBetween(curve, 0, curve.count))
  return curve.count === curve.length || curve.count === 0
    ? onGrid
    : [...onGrid, ...returnsBetween(curve, curve.count - 1, curve.length)]
}

function returnsBetween(curve: EquityCurve, first: number, end: number): number[] {
  const returns: number[] = []
  for (let at = first + 1; at < end; at++) {
    const [before, after] = [curve.total(at - 1), curve.total(at)]
    const base = before.value + Math.max(after.paidIn - before.paidIn, 0)
    if (base > 0) returns.push((after.value - after.paidIn - (before.value - before.paidIn)) / base)
  }
  return returns
}

const roundRatio = (value: number) => Math.round(value * 10_000) / 10_000
