/** Candles, added up from trades. They lie on the clock that clients are shown. */

import { later, shownAt, type TapeMs, tapeAt, tapeMs } from '../../../../clock/instant.ts'
import type { Slices } from '../../../../clock/turns.ts'
import type { CandleQuery, CandlesFacts } from '../../../../contract/facts/perpdex/candles.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type { Candle, TakerCandle } from '../../../../contract/records/candle.ts'
import { NATIVE_DECIMALS } from '../../../formatting/decimal-text.ts'
import { tradeHoursOf } from '../../../rows/trade-hours.ts'
import type { TradeTally } from '../../../rows/trade-tally.ts'
import { type InstrumentRow, pxText, szText } from '../../../schema.ts'
import { bucketOf, type TimeBucket } from '../../../shown-time/time-bucket.ts'
import type { World } from '../../../world.ts'

/** The venue keeps that many. */
const CANDLES_MAX = 5000
/** So much is read at least before it is added up. */
const READ_MS = 86_400_000
/** Candles of a slice, some tenths of a ms: to be interrupted at each costs as much again. */
const CANDLES_A_SLICE = 50

export class CandleQueries implements CandlesFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  *between({ coin, interval, startTimeMs, endTimeMs }: CandleQuery): Slices<Candle[] | null> {
    const instrument = this.world.byCoin.get(coin)
    if (!instrument) return null
    const { atMs } = this.moment
    // The candle that contains endTimeMs is whole, as far as it has come.
    const last = this.bucket(interval, tapeMs(Math.min(endTimeMs ?? atMs, atMs)))
    const toMs = last === null ? atMs : tapeMs(Math.min(last.endMs - 1, atMs))
    const first = this.bucket(interval, tapeMs(startTimeMs))
    const hours = tradeHoursOf(this.world)
    const candles: Candle[] = []
    let readFromMs = later(toMs, 1)
    let timeMs = this.lastTradeMs(instrument, toMs)
    let looked = 0
    while (
      timeMs !== null &&
      first !== null &&
      timeMs >= first.startMs &&
      candles.length < CANDLES_MAX
    ) {
      const bucket = this.bucket(interval, timeMs)
      if (bucket === null) break
      if (bucket.startMs < readFromMs) {
        const fromMs = tapeMs(Math.min(bucket.startMs, later(readFromMs, -READ_MS)))
        yield* hours.read(instrument.id, fromMs, readFromMs)
        readFromMs = fromMs
      }
      if (++looked % CANDLES_A_SLICE === 0) yield
      const tally = this.tally(instrument, bucket)
      const beforeMs = later(bucket.startMs, -1)
      if (tally.n > 0) candles.push(venueCandle(instrument, interval, bucket, tally))
      // Most buckets have trades, so that only those without one are looked up.
      timeMs = tally.n > 0 ? beforeMs : this.lastTradeMs(instrument, beforeMs)
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

  /** The bucket around a tape time, in tape time. */
  private bucket(interval: string, timeMs: TapeMs): TimeBucket<TapeMs> | null {
    const { shiftMs } = this.moment
    const shown = bucketOf(interval, shownAt(timeMs, shiftMs))
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
