/** The market at an instant, for writers: excludes everything later. */

import { DAY_MS, later, type TapeMs } from '../../../clock/instant.ts'
import type { Slices } from '../../../clock/turns.ts'
import { type Px, raw } from '../../../decimal/quantity.ts'
import { type RandomSource, randomSource } from '../../../random/random-source.ts'
import { assetOf } from '../../rows/assets.ts'
import { openInterestAt, openInterestValue } from '../../rows/open-interest.ts'
import { tradeHoursOf } from '../../rows/trade-hours.ts'
import type { TradeTally } from '../../rows/trade-tally.ts'
import type { InstrumentRow } from '../../schema/schema.ts'
import { perWorld } from '../../world/cache.ts'
import { instrumentsOfTape } from '../../world/market-standing.ts'
import type { World } from '../../world/world.ts'

/** A market that has traded, with its last price. */
export interface PricedMarket {
  of: InstrumentRow
  px: Px
}

export class MarketView {
  constructor(
    readonly world: World,
    readonly atMs: TapeMs,
    /** Previous due time of the feed, if known. */
    readonly beforeMs: TapeMs = atMs,
  ) {}

  /** Time since the previous due time. */
  get newMs(): number {
    return this.atMs - this.beforeMs
  }

  /** Markets that have traded: perpetuals, or all where there are none. */
  get markets(): PricedMarket[] {
    return coveredInstruments(this.world).flatMap((of) => {
      const px = this.pxAgo(of, 0)
      return px === null ? [] : [{ of, px }]
    })
  }

  /** Markets of coins: builder dexes also trade shares and metals. */
  get coins(): PricedMarket[] {
    return this.markets.filter(({ of }) => of.dex === '')
  }

  /** Random source of the texts of this instant. */
  random(name: string): RandomSource {
    return randomSource(this.world.meta.seed, `${name} at ${this.atMs}`)
  }

  /** A random market; undefined while none has traded. */
  any(name: string): PricedMarket | undefined {
    const { markets } = this
    return markets.length === 0 ? undefined : this.random(name).pick(markets)
  }

  /** Last price at an earlier instant; null before the first. */
  pxAgo(of: InstrumentRow, agoMs: number): Px | null {
    return tradeHoursOf(this.world).pxBefore(of.id, later(this.atMs, 1 - agoMs))
  }

  /** Trades of a span of `lastMs` that ended `agoMs` ago. */
  tally(of: InstrumentRow, lastMs: number, agoMs = 0): TradeTally {
    const endMs = later(this.atMs, 1 - agoMs)
    return tradeHoursOf(this.world).tally(of.id, later(endMs, -lastMs), endMs)
  }

  /** Value of the open interest at the last price, micro-dollars; 0 before the first trade. */
  interestUsd(of: InstrumentRow, agoMs = 0): bigint {
    const px = this.pxAgo(of, agoMs)
    const sz = openInterestAt(this.world, of, later(this.atMs, -agoMs))
    return px === null || sz === null ? 0n : openInterestValue(of, sz, px)
  }

  /** Price x supply at `pxDecimals`. */
  static cap({ of, px }: PricedMarket): bigint {
    return BigInt(raw(px)) * BigInt(assetOf(of.base).supply)
  }
}

/** Loads what most texts of an instant read: a day of each market. */
export function* readMarkets(world: World, atMs: TapeMs): Slices<void> {
  const endMs = later(atMs, 1)
  for (const { id } of coveredInstruments(world)) {
    yield* tradeHoursOf(world).read(id, later(endMs, -DAY_MS), endMs)
    tradeHoursOf(world).pxBefore(id, later(endMs, -DAY_MS))
    yield
  }
}

const coveredInstruments = perWorld((world) => {
  const instruments = instrumentsOfTape(world)
  const perps = instruments.filter(({ kind }) => kind === 'perp')
  return perps.length === 0 ? instruments : perps
})

/** The element of a list whose turn it is. */
export const inTurn = <T>(list: readonly T[], turn: number): T =>
  list[((turn % list.length) + list.length) % list.length] as T

/** The element with the greatest `score`; null when all scores are null. */
export function maxBy<T>(list: readonly T[], score: (one: T) => number | null): T | null {
  let found: T | null = null
  let best = Number.NEGATIVE_INFINITY
  for (const one of list) {
    const value = score(one)
    if (value === null || value <= best) continue
    best = value
    found = one
  }
  return found
}
