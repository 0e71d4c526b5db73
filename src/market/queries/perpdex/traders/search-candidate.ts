/** A trader in a search: figures are computed when they are needed, and once. */

import type { TapeMs } from '../../../../clock/instant.ts'
import type { Moment } from '../../../../contract/facts.ts'
import { type Usd, usd, ZERO } from '../../../../decimal/quantity.ts'
import { perPositions } from '../../../rows/position-columns.ts'
import { type Trader, tradersOf } from '../../../rows/traders.ts'
import { periodStart } from '../../../shown-time/period.ts'
import type { World } from '../../../world/world.ts'
import { drawdownOf } from '../pnl-curves/drawdown.ts'
import { type ClosedPositionSums, closedPositionSums } from './closed-position-sums.ts'
import { firstFrom, positionGroups } from './position-groups.ts'
import { sharpeRatio } from './sharpe-ratio.ts'
import { activeTraders, type TraderSnapshot, TraderSnapshots } from './trader-snapshot.ts'

/** What a search looks through, as of one moment. */
export class SearchScope {
  private readonly snapshots: TraderSnapshots
  private readonly sums = new Map<number, (trader: number) => ClosedPositionSums>()
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
    let sumsOf = this.sums.get(days)
    if (!sumsOf) {
      const { atMs } = this.moment
      sumsOf = closedPositionSums(this.world, periodStart(days, atMs), atMs)
      this.sums.set(days, sumsOf)
    }
    return sumsOf(id)
  }

  heldCoins(days: number): HeldCoins {
    const { atMs } = this.moment
    return heldCoins(this.world, periodStart(days, atMs), atMs)
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

  /** For a year, of the returns of days; null with too few of them. */
  sharpe(days: number): number | null {
    const { world, moment } = this.scope
    return sharpeRatio(world, moment, this.trader.id, days)
  }
}

// In which instruments traders had a position in a period.

/** Tells of a trader and an instrument, by their ids, whether a position was open in a period. */
type HeldCoins = (trader: number, instrument: number) => boolean

/** Positions open at some time of fromMs <= t <= atMs. */
function heldCoins(world: World, fromMs: TapeMs, atMs: TapeMs): HeldCoins {
  const instruments = world.instruments.length
  const parts = positionsByCoin(world)
  return (trader, instrument) =>
    parts.some(({ firsts, openMs, closeMs }) => {
      const group = trader * instruments + instrument
      const end = firsts[group + 1] ?? 0
      // A trader has one position of an instrument at a time: the next to close is open, or none.
      const next = firstFrom(closeMs, fromMs, firsts[group] ?? 0, end)
      return next < end && (openMs[next] as number) <= atMs
    })
}

/** Positions of one trader and instrument after another, each in order of closing. */
const positionsByCoin = perPositions((columns, { instruments }) => {
  const groupOf = (trader: number, at: number) =>
    trader * instruments.length + (columns.instruments[at] as number)
  const { firsts, places } = positionGroups(columns.traders.map(groupOf))
  const ordered = (values: Float64Array) =>
    Float64Array.from(places, (place) => values[place] as number)
  return { firsts, openMs: ordered(columns.openMs), closeMs: ordered(columns.closeMs) }
})
