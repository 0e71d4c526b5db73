/** Prices at which holdings are valued. */
import { sql } from 'drizzle-orm'
import type { TapeMs } from '../../clock/instant.ts'
import { type Px, px, raw } from '../../decimal/quantity.ts'
import { type InstrumentRow, mark, trade } from '../schema/schema.ts'
import { perMarket } from '../world/per-world.ts'
import type { World } from '../world/world.ts'
import { columns } from './columns.ts'
import { EarlierPrices } from './earlier-prices.ts'
import { packedRows } from './packed-rows.ts'
import { noSteps, ValueSteps } from './value-steps.ts'

/**
 * Mark price in price units; the last trade's while there is no mark, null without either. Where
 * bars tell the price it is theirs: rows have only some of the marks of then.
 */
export function markPx(world: World, { id }: InstrumentRow, atMs: TapeMs): Px | null {
  const price = markPrices(world)(id).at(atMs)
  return price === null ? null : px(price)
}

/** Of an instrument, price units. */
export interface MarkPrices {
  /** The price that holds at an instant; null before the first. */
  at(atMs: TapeMs): number | null
  /** Of all times; null without any. */
  highest(): number | null
}

/** All prices of an instrument's id. */
export const markPrices = (world: World) => (instrument: number) => pricesOf(world).of(instrument)

const pricesOf = perMarket(
  (world) => new AllMarkPrices(world),
  (prices) => prices.grown(),
)

class AllMarkPrices {
  private readonly known: (InstrumentPrices | undefined)[] = []

  constructor(private readonly world: World) {}

  of(instrument: number): MarkPrices {
    const before = this.known[instrument]
    if (before) return before
    const prices = new InstrumentPrices(this.world, instrument)
    this.known[instrument] = prices
    return prices
  }

  grown(): this {
    for (const prices of this.known) prices?.grown()
    return this
  }
}

/**
 * What is packed is in memory as a whole. What came after it is a price each three seconds for as
 * long as the market goes on, so it is looked up in the file.
 */
class InstrumentPrices implements MarkPrices {
  private readonly packed: ValueSteps
  private readonly past: EarlierPrices
  private most: number | null
  /** The highest price up to here is known. */
  private endMs: TapeMs

  constructor(
    private readonly world: World,
    private readonly instrument: number,
  ) {
    const [section] = packedRows(world).sections('prices', instrument)
    this.packed = section ? new ValueSteps(section).cut(world.packedEndMs) : noSteps()
    this.past = new EarlierPrices(world, world.instruments[instrument] as InstrumentRow)
    this.most = this.packed.highest()
    this.endMs = world.packedEndMs
    this.grown()
  }

  at(atMs: TapeMs): number | null {
    const past = this.past.at(atMs)
    if (past !== null) return raw(past)
    if (atMs <= this.world.packedEndMs) return this.packed.at(atMs)
    const { marked, traded } = statements(this.world)
    const row = marked.get(this.instrument, atMs) ?? traded.get(this.instrument, atMs)
    return row ? raw(row.px) : this.packed.at(atMs)
  }

  highest(): number | null {
    return this.most
  }

  /** Looks at what the world has grown by. */
  grown(): void {
    const { world, instrument, endMs: afterMs } = this
    if (afterMs >= world.endMs) return
    const { highestMark, highestTrade } = statements(world)
    const added =
      highestMark.get(instrument, afterMs, world.endMs)?.px ??
      highestTrade.get(instrument, afterMs, world.endMs)?.px ??
      null
    if (added !== null) this.most = Math.max(this.most ?? 0, raw(added))
    this.endMs = world.endMs
  }
}

const statements = perMarket(({ db }) => {
  type At = [instrument: number, atMs: TapeMs]
  type Span = [instrument: number, afterMs: TapeMs, toMs: TapeMs]
  const before = 'where instrument = ? and timeMs <= ? order by timeMs desc, id desc limit 1'
  const span = 'where instrument = ? and timeMs > ? and timeMs <= ?'
  const [marks, trades] = [columns({ px: mark.mark }), columns({ px: trade.px })]
  const highest = columns({ px: sql<Px | null>`max(px)` })
  return {
    marked: marks.prepare<At>(db, `from mark ${before}`),
    traded: trades.prepare<At>(db, `from trade ${before}`),
    highestMark: highest.prepare<Span>(db, `from (select mark px from mark ${span})`),
    highestTrade: highest.prepare<Span>(db, `from (select px from trade ${span})`),
  }
})
