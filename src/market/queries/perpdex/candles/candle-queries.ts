/** Candles summed from trades, on shown time. */

import { later, shownAt, type TapeMs, tapeAt, tapeMs } from '../../../../clock/instant.ts'
import type { Slices } from '../../../../clock/turns.ts'
import type { CandleQuery, CandlesFacts } from '../../../../contract/facts/perpdex/traders.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type { Candle, TakerCandle } from '../../../../contract/records/candle.ts'
import { NATIVE_DECIMALS } from '../../../formatting/decimal-text.ts'
import { tradeHoursOf } from '../../../rows/trade-hours.ts'
import type { TradeTally } from '../../../rows/trade-tally.ts'
import { type InstrumentRow, pxText, szText } from '../../../schema/schema.ts'
import { bucketOf, type TimeBucket } from '../../../shown-time/time-grid.ts'
import { perMarket, SpanCache } from '../../../world/cache.ts'
import type { World } from '../../../world/world.ts'

/** Maximum kept by the venue. */
const CANDLES_MAX = 5000
/**
 * Adjacent candles summed at once, in some tenths of a ms, and cached once closed: charts repeat
 * their requests.
 */
const BLOCK_CANDLES = 50
/** Cached closed candles, some 300 bytes each. */
const KEPT_CANDLES = 50_000

const closedBlocksOf = perMarket(
  (world) => new SpanCache<string, readonly Candle[]>(world, KEPT_CANDLES, ({ length }) => length),
)

export class CandleQueries implements CandlesFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  *between(query: CandleQuery): Slices<Candle[] | null> {
    const { coin, interval, startTimeMs, endTimeMs, quiet = 'leftOut' } = query
    const instrument = this.world.byCoin.get(coin)
    if (!instrument) return null
    const { atMs } = this.moment
    // The candle that contains endTimeMs is whole, up to the present.
    const last = this.bucket(interval, tapeMs(Math.min(endTimeMs ?? atMs, atMs)))
    const toMs = last === null ? atMs : tapeMs(Math.min(last.endMs - 1, atMs))
    const first = this.bucket(interval, tapeMs(startTimeMs))
    const traded = yield* this.traded(instrument, interval, first, toMs)
    if (quiet === 'leftOut' || first === null || last === null) return traded.reverse()
    return yield* this.withQuiet(instrument, interval, { first, last }, traded)
  }

  /** The newest candles with trades from a bucket on, newest first. */
  private *traded(
    instrument: InstrumentRow,
    interval: string,
    first: TimeBucket<TapeMs> | null,
    toMs: TapeMs,
  ): Slices<Candle[]> {
    const candles: Candle[] = []
    let timeMs = this.lastTradeMs(instrument, toMs)
    while (
      timeMs !== null &&
      first !== null &&
      timeMs >= first.startMs &&
      candles.length < CANDLES_MAX
    ) {
      const block = this.bucket(interval, timeMs, BLOCK_CANDLES)
      if (block === null) break
      for (const candle of yield* this.candlesIn(instrument, interval, block)) {
        if (candle.t < first.startMs || candles.length >= CANDLES_MAX) break
        if (candle.t <= timeMs) candles.push(candle)
      }
      timeMs = this.lastTradeMs(instrument, later(block.startMs, -1))
      yield
    }
    return candles
  }

  /**
   * Those with trades, newest first, and a flat candle at the last price for each other bucket;
   * oldest first.
   */
  private *withQuiet(
    of: InstrumentRow,
    interval: string,
    { first, last }: Record<'first' | 'last', TimeBucket<TapeMs>>,
    traded: readonly Candle[],
  ): Slices<Candle[]> {
    const candles: Candle[] = []
    const before = tradeHoursOf(this.world).lastBefore(of.id, first.startMs)
    let next = 0
    let bucket: TimeBucket<TapeMs> | null = last
    while (bucket && bucket.startMs >= first.startMs && candles.length < CANDLES_MAX) {
      const candle = traded[next]
      if (candle?.t === bucket.startMs) {
        candles.push(candle)
        next++
      } else {
        const px = candle?.c ?? (before && pxText(of, before.px, NATIVE_DECIMALS))
        if (!px) break
        candles.push(flatCandle(of, interval, bucket, px))
      }
      if (candles.length % FLAT_A_SLICE === 0) yield
      bucket = this.bucket(interval, later(bucket.startMs, -1))
    }
    return candles.reverse()
  }

  at(coin: string, interval: string, timeMs: number): TakerCandle | null {
    const instrument = this.world.byCoin.get(coin)
    const bucket = this.bucket(interval, tapeMs(timeMs))
    if (!instrument || !bucket) return null
    const tally = this.tally(instrument, bucket)
    return tally.n === 0 ? null : takerCandle(instrument, interval, bucket, tally)
  }

  last(coin: string, interval: string): TakerCandle | null {
    const instrument = this.world.byCoin.get(coin)
    if (!instrument) return null
    const timeMs = this.lastTradeMs(instrument, this.moment.atMs)
    return timeMs === null ? null : this.at(coin, interval, timeMs)
  }

  /** The candles of a block up to the present; newest first. */
  private *candlesIn(
    instrument: InstrumentRow,
    interval: string,
    block: TimeBucket<TapeMs>,
  ): Slices<readonly Candle[]> {
    const closed = closedBlocksOf(this.world)
    const key = `${instrument.id}/${interval}/${block.startMs}`
    const hasClosed = block.endMs <= this.moment.atMs + 1
    const known = hasClosed ? closed.find(key) : undefined
    if (known) return known
    const candles = yield* this.addedUp(instrument, interval, block)
    return hasClosed ? closed.put(key, block.endMs, candles) : candles
  }

  private *addedUp(
    instrument: InstrumentRow,
    interval: string,
    block: TimeBucket<TapeMs>,
  ): Slices<readonly Candle[]> {
    const hours = tradeHoursOf(this.world)
    const lastMs = tapeMs(Math.min(block.endMs - 1, this.moment.atMs))
    const firstMs = tapeMs(Math.max(block.startMs, hours.firstMs(instrument.id) ?? lastMs))
    yield* hours.read(instrument.id, firstMs, later(lastMs, 1))
    const candles: Candle[] = []
    let timeMs = this.lastTradeMs(instrument, lastMs)
    while (timeMs !== null && timeMs >= block.startMs) {
      const bucket = this.bucket(interval, timeMs) as TimeBucket<TapeMs>
      const tally = this.tally(instrument, bucket)
      const beforeMs = later(bucket.startMs, -1)
      if (tally.n > 0) candles.push(venueCandle(instrument, interval, bucket, tally))
      // Most buckets have trades, so that only those without one are looked up.
      timeMs = tally.n > 0 ? beforeMs : this.lastTradeMs(instrument, beforeMs)
    }
    return candles
  }

  /** Buckets of an interval (default one) around a tape time; in tape time. */
  private bucket(interval: string, timeMs: TapeMs, count = 1): TimeBucket<TapeMs> | null {
    const { shiftMs } = this.moment
    const shown = bucketOf(interval, shownAt(timeMs, shiftMs), count)
    return shown && { startMs: tapeAt(shown.startMs, shiftMs), endMs: tapeAt(shown.endMs, shiftMs) }
  }

  private tally(instrument: InstrumentRow, { startMs, endMs }: TimeBucket<TapeMs>): TradeTally {
    const toMs = tapeMs(Math.min(endMs, this.moment.atMs + 1))
    return tradeHoursOf(this.world).tally(instrument.id, startMs, toMs)
  }

  private lastTradeMs(instrument: InstrumentRow, upToMs: TapeMs): TapeMs | null {
    return tradeHoursOf(this.world).lastBefore(instrument.id, later(upToMs, 1))?.timeMs ?? null
  }
}

/** Candles without trades that are made at once. */
const FLAT_A_SLICE = 500

/** A candle without trades, at the price of the last one before it. */
const flatCandle = (of: InstrumentRow, i: string, bucket: TimeBucket<TapeMs>, px: string) => ({
  t: bucket.startMs,
  T: bucket.endMs - 1,
  s: of.coin,
  i,
  o: px,
  c: px,
  h: px,
  l: px,
  v: '0.0',
  n: 0,
})

function venueCandle(
  of: InstrumentRow,
  i: string,
  bucket: TimeBucket<TapeMs>,
  tally: TradeTally,
): Candle {
  return {
    t: bucket.startMs,
    T: bucket.endMs - 1,
    s: of.coin,
    i,
    o: pxText(of, tally.open, NATIVE_DECIMALS),
    c: pxText(of, tally.close, NATIVE_DECIMALS),
    h: pxText(of, tally.high, NATIVE_DECIMALS),
    l: pxText(of, tally.low, NATIVE_DECIMALS),
    v: szText(of, tally.size, NATIVE_DECIMALS),
    n: tally.n,
  }
}

function takerCandle(
  of: InstrumentRow,
  i: string,
  bucket: TimeBucket<TapeMs>,
  tally: TradeTally,
): TakerCandle {
  return {
    ...venueCandle(of, i, bucket, tally),
    a: tally.amountText,
    nb: tally.buyN,
    vb: szText(of, tally.buySize, NATIVE_DECIMALS),
    ab: tally.buyAmountText,
  }
}
