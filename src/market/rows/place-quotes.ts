/** Mark prices and funding indexes as of one moment, read once for all who look at it. */
import type { TapeMs } from '../../clock/instant.ts'
import type { Slices } from '../../clock/turns.ts'
import { type FundingIndex, type Px, ZERO } from '../../decimal/quantity.ts'
import type { InstrumentRow } from '../schema/schema.ts'
import { perMarket } from '../world/per-world.ts'
import type { World } from '../world/world.ts'
import { chargeDelayMs, indexAt, type Place } from './funding-charges.ts'
import { markPx } from './mark-prices.ts'
import { tradersOf } from './traders.ts'

export interface PlaceQuote {
  /** Zero before there is any. */
  px: Px
  /** After all charges that were made by then. */
  fundingIndex: FundingIndex
}

export class PlaceQuotes {
  private readonly quotes: (PlaceQuote | undefined)[] = []

  constructor(
    private readonly world: World,
    readonly atMs: TapeMs,
    readonly delayMs: number,
  ) {}

  of(instrument: InstrumentRow): PlaceQuote {
    const known = this.quotes[instrument.id]
    if (known) return known
    const quote: PlaceQuote = {
      px: markPx(this.world, instrument, this.atMs) ?? ZERO,
      fundingIndex:
        instrument.kind === 'spot'
          ? ZERO
          : indexAt(this.world, instrument.id, this.atMs, this.delayMs),
    }
    this.quotes[instrument.id] = quote
    return quote
  }
}

/** Those of the moment that was asked for last are kept: many traders are looked at in one. */
export const placeQuotes = perMarket((world) => {
  let last: PlaceQuotes | null = null
  return (place: Place): PlaceQuotes => {
    const delayMs = chargeDelayMs(place)
    if (last === null || last.atMs !== place.atMs || last.delayMs !== delayMs)
      last = new PlaceQuotes(world, place.atMs, delayMs)
    return last
  }
})

/** Reads ahead what every account is valued by, which the first of them would wait for. */
export function* warmQuotes(world: World): Slices<void> {
  tradersOf(world)
  const quotes = new PlaceQuotes(world, world.startMs, 0)
  for (const instrument of world.instruments) {
    yield
    quotes.of(instrument)
  }
}
