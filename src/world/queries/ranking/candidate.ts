/** A trader in a search: figures are reckoned when they are asked for, and once. */
import type { Moment } from '../../../contract/facts.ts'
import type { World } from '../../world.ts'
import { curveOf, pnlsOf } from '../curves/curve.ts'
import { drawdownOf } from '../curves/drawdown.ts'
import type { Point } from '../curves/track.ts'
import { periodStart } from '../rounds/closed.ts'
import { type Trader, tradersOf } from '../traders.ts'
import { coinsHeld, NO_ROUNDS, type RoundSums, roundSums } from './rounds.ts'
import { begunTraders, type Snapshot, Snapshots } from './snapshot.ts'

/** What a search looks through, as of one moment. */
export class Field {
  private readonly snapshots: Snapshots
  private readonly sums = new Map<number, Map<number, RoundSums>>()
  private readonly traders: Trader[]

  constructor(
    readonly world: World,
    readonly moment: Moment,
  ) {
    this.traders = begunTraders(world, moment.atMs)
    this.snapshots = new Snapshots(world, moment, this.traders.length)
  }

  /** Everybody who has begun, or of these those with one of the addresses. */
  candidates(addresses: readonly string[] | undefined): Candidate[] {
    const { find } = tradersOf(this.world)
    const wanted = addresses && new Set(addresses.map((address) => find(address)?.id))
    return this.traders
      .filter(({ id }) => !wanted || wanted.has(id))
      .map((trader) => new Candidate(this, trader))
  }

  snapshotOf(trader: Trader): Snapshot {
    return this.snapshots.of(trader)
  }

  sumsOf({ id }: Trader, days: number): RoundSums {
    let sums = this.sums.get(days)
    if (!sums) {
      const { atMs } = this.moment
      sums = roundSums(this.world, periodStart(days, atMs), atMs)
      this.sums.set(days, sums)
    }
    return sums.get(id) ?? NO_ROUNDS
  }

  coinsHeld(days: number): Map<number, Set<number>> {
    const { atMs } = this.moment
    return coinsHeld(this.world, periodStart(days, atMs), atMs)
  }
}

export class Candidate {
  constructor(
    readonly field: Field,
    readonly trader: Trader,
  ) {}

  get snapshot(): Snapshot {
    return this.field.snapshotOf(this.trader)
  }

  sums(days: number): RoundSums {
    return this.field.sumsOf(this.trader, days)
  }

  /** Part of the account that was lost at the deepest, as fraction; 0 without a loss. */
  drawdown(days: number): { lost: number; whole: number } {
    const { world, moment } = this.field
    return drawdownOf(world, moment, this.trader.id, days) ?? { lost: 0, whole: 1 }
  }

  /**
   * Mean over standard deviation of the returns from point to point of the curve, for a year; null
   * without two different ones.
   */
  sharpe(days: number): number | null {
    const { world, moment } = this.field
    const points = curveOf(world, moment, this.trader.id, days)
    const returns = returnsOf(points)
    const [first, last] = [points[0], points.at(-1)]
    if (returns.length < 2 || !first || !last) return null
    const mean = returns.reduce((sum, one) => sum + one, 0) / returns.length
    const variance = returns.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (returns.length - 1)
    if (variance === 0) return null
    const aYear = (YEAR_MS / (last.timeMs - first.timeMs)) * returns.length
    return round((mean / Math.sqrt(variance)) * Math.sqrt(aYear))
  }
}

const YEAR_MS = 365 * 86_400_000

/** PnL of each step over what there was before it, with what came in during the step. */
function returnsOf(points: readonly Point[]): number[] {
  const pnls = pnlsOf(points, 'all')
  return points.slice(1).flatMap((point, at) => {
    const before = points[at] as Point
    const came = point.perpIn + point.spotIn - before.perpIn - before.spotIn
    const whole = before.main + before.builder + before.spot + Math.max(came, 0)
    return whole > 0 ? [((pnls[at + 1] as number) - (pnls[at] as number)) / whole] : []
  })
}

const round = (value: number) => Math.round(value * 10_000) / 10_000
