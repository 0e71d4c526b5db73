/** The market as known to a writer at an instant: nothing later is seen. */

import { DAY_MS } from '../../../clock/durations.ts'
import { later, type TapeMs } from '../../../clock/instant.ts'
import type { Slices } from '../../../clock/turns.ts'
import { type Px, raw } from '../../../decimal/quantity.ts'
import { type RandomSource, randomSource } from '../../../random/random-source.ts'
import { assetOf } from '../../rows/assets.ts'
import { interestValue } from '../../rows/interest-value.ts'
import { openInterestAt } from '../../rows/open-interest.ts'
import { tradeHoursOf } from '../../rows/trade-hours.ts'
import type { TradeTally } from '../../rows/trade-tally.ts'
import type { InstrumentRow } from '../../schema/schema.ts'
import { instrumentsOfTape } from '../../world/listed-world.ts'
import { perWorld } from '../../world/per-world.ts'
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
    /** When the feed was due before, if known. */
    readonly beforeMs: TapeMs = atMs,
  ) {}

  /** How long ago the feed was due before. */
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

  /** Those of coins: builder dexes trade shares and metals as well. */
  get coins(): PricedMarket[] {
    return this.markets.filter(({ of }) => of.dex === '')
  }

  /** The random source of what is written at this instant. */
  random(name: string): RandomSource {
    return randomSource(this.world.meta.seed, `${name} at ${this.atMs}`)
  }

  /** One of the markets at random; undefined while none has traded. */
  any(name: string): PricedMarket | undefined {
    const { markets } = this
    return markets.length === 0 ? undefined : this.random(name).pick(markets)
  }

  /** The last price up to so long ago; null before the first. */
  pxAgo(of: InstrumentRow, agoMs: number): Px | null {
    return tradeHoursOf(this.world).pxBefore(of.id, later(this.atMs, 1 - agoMs))
  }

  /** Trades of the last `lastMs`, ending `agoMs` ago. */
  tally(of: InstrumentRow, lastMs: number, agoMs = 0): TradeTally {
    const endMs = later(this.atMs, 1 - agoMs)
    return tradeHoursOf(this.world).tally(of.id, later(endMs, -lastMs), endMs)
  }

  /** Value of the open interest at the last price, micro-dollars; 0 before the first trade. */
  interestUsd(of: InstrumentRow, agoMs = 0): bigint {
    const px = this.pxAgo(of, agoMs)
    const sz = openInterestAt(this.world, of, later(this.atMs, -agoMs))
    return px === null || sz === null ? 0n : interestValue(of, sz, px)
  }

  /** Price x supply at `pxDecimals`. */
  static cap({ of, px }: PricedMarket): bigint {
    return BigInt(raw(px)) * BigInt(assetOf(of.base).supply)
  }
}

/** Brings into memory what most of what is written at an instant looks at: a day of each market. */
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

/** The one of which `score` is greatest; null when it is null for all. */
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
