/** A trader in a search: figures are computed lazily, and once. */

import type { TapeMs } from '../../../../clock/instant.ts'
import { HOUR_MS } from '../../../../clock/instant.ts'
import type { Moment } from '../../../../contract/facts.ts'
import { type Usd, usd, ZERO } from '../../../../decimal/quantity.ts'
import { perPositions } from '../../../rows/position-columns.ts'
import { type Trader, tradersOf } from '../../../rows/traders.ts'
import { periodStart } from '../../../shown-time/time-grid.ts'
import type { World } from '../../../world/world.ts'
import { drawdownOf } from '../pnl-curves/pnl-curve.ts'
import { type ClosedPositionSums, closedPositionSums } from './closed-position-sums.ts'
import {
  activeTraders,
  firstFrom,
  netValueOf,
  positionGroups,
  sharpeRatio,
  type TraderSnapshot,
  TraderSnapshots,
} from './trader-snapshot.ts'

/** Tags of a trader. They are specific to this sandbox, from figures of 30 days. */
const DAYS = 30

interface Tag {
  en: string
  cn: string
  isTrueOf: (candidate: SearchCandidate) => boolean
}

/** A million dollars. */
const LARGE = usd(1_000_000_000_000)

/** Fewer positions are not significant. */
const POSITIONS_MIN = 10

const TAGS: readonly Tag[] = [
  {
    en: 'Whale',
    cn: '巨鲸',
    isTrueOf: ({ snapshot }) => netValueOf(snapshot) >= LARGE,
  },
  {
    en: 'Smart Money',
    cn: '聪明钱',
    isTrueOf(candidate) {
      const { count, wins, pnl } = candidate.sums(DAYS)
      return count >= POSITIONS_MIN && wins >= 0.55 * count && pnl > ZERO
    },
  },
  {
    en: 'Active Trader',
    cn: '交易活跃',
    isTrueOf: (candidate) => candidate.sums(DAYS).count >= 75,
  },
  {
    en: 'Scalper',
    cn: '短线交易',
    isTrueOf(candidate) {
      const { count, heldMs } = candidate.sums(DAYS)
      return count >= POSITIONS_MIN && heldMs < 4 * HOUR_MS * count
    },
  },
  {
    en: 'Swing Trader',
    cn: '波段交易',
    isTrueOf(candidate) {
      const { count, heldMs } = candidate.sums(DAYS)
      return count >= POSITIONS_MIN && heldMs >= 24 * HOUR_MS * count
    },
  },
  {
    en: 'High Leverage',
    cn: '高杠杆',
    isTrueOf(candidate) {
      const { count, leverage } = candidate.sums(DAYS)
      return count >= POSITIONS_MIN && leverage >= 12 * count
    },
  },
  {
    en: 'Mostly Long',
    cn: '偏多',
    isTrueOf(candidate) {
      const { count, longCount } = candidate.sums(DAYS)
      return count >= POSITIONS_MIN && longCount >= 0.65 * count
    },
  },
  {
    en: 'Mostly Short',
    cn: '偏空',
    isTrueOf(candidate) {
      const { count, longCount } = candidate.sums(DAYS)
      return count >= POSITIONS_MIN && longCount <= 0.35 * count
    },
  },
  {
    en: 'Dormant',
    cn: '沉寂',
    isTrueOf: (candidate) =>
      candidate.sums(7).count === 0 && candidate.snapshot.main.positions.length === 0,
  },
]

/** The tags of a trader in a language. */
export function tagsOf(candidate: SearchCandidate, lang: 'en' | 'cn'): string[] {
  return TAGS.filter(({ isTrueOf }) => isTrueOf(candidate)).map((tag) => tag[lang])
}

/** Whether a trader has a tag, named in either language and any case. */
export function hasTag(candidate: SearchCandidate, name: string): boolean {
  const lowerCase = name.toLowerCase()
  const tag = TAGS.find(({ en, cn }) => en.toLowerCase() === lowerCase || cn === lowerCase)
  return tag?.isTrueOf(candidate) ?? false
}

/** Data of a search, as of one moment. */
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

  /** All active traders, or those of the given addresses. */
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

  /** Annualised, from daily returns; null with too few of them. */
  sharpe(days: number): number | null {
    const { world, moment } = this.scope
    return sharpeRatio(world, moment, this.trader.id, days)
  }
}

// Instruments in which traders had a position in a period.

/** Whether a trader had an open position in an instrument in a period, by their ids. */
type HeldCoins = (trader: number, instrument: number) => boolean

/** Positions open at some time of fromMs <= t <= atMs. */
function heldCoins(world: World, fromMs: TapeMs, atMs: TapeMs): HeldCoins {
  const instruments = world.instruments.length
  const parts = positionsByCoin(world)
  return (trader, instrument) =>
    parts.some(({ firsts, openMs, closeMs }) => {
      const group = trader * instruments + instrument
      const end = firsts[group + 1] ?? 0
      // A trader has one position per instrument at a time: the next to close is open, or none.
      const next = firstFrom(closeMs, fromMs, firsts[group] ?? 0, end)
      return next < end && (openMs[next] as number) <= atMs
    })
}

/** Positions grouped by trader and instrument, each in order of closing. */
const positionsByCoin = perPositions((columns, { instruments }) => {
  const groupOf = (trader: number, at: number) =>
    trader * instruments.length + (columns.instruments[at] as number)
  const { firsts, places } = positionGroups(columns.traders.map(groupOf))
  const ordered = (values: Float64Array) =>
    Float64Array.from(places, (place) => values[place] as number)
  return { firsts, openMs: ordered(columns.openMs), closeMs: ordered(columns.closeMs) }
})
