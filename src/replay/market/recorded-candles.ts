import { type Findings, isoOf } from './findings.ts'
import type { CandleFact, TradeFact } from './market-fact.ts'

/** Candles of one coin and length, by their beginning. */
type Series = Map<number, CandleFact>

/** The candles of a recording, as far as they had closed when they were told. */
export class RecordedCandles {
  private readonly byCoin = new Map<string, Map<number, Series>>()

  constructor(private readonly contradictions: Findings) {}

  /** @param toldMs when it was told: one that was open still is not kept */
  add(candle: CandleFact, toldMs: number): void {
    const { coin, lengthMs, startMs } = candle
    if (startMs + lengthMs > toldMs) return
    const ofCoin = this.byCoin.get(coin) ?? new Map<number, Series>()
    this.byCoin.set(coin, ofCoin)
    const series = ofCoin.get(lengthMs) ?? new Map<number, CandleFact>()
    ofCoin.set(lengthMs, series)
    const known = series.get(startMs)
    if (!known) series.set(startMs, candle)
    else this.compare(known, candle)
  }

  /** The series of each coin, by length, oldest candle first. */
  series(): Map<string, CandleFact[][]> {
    return new Map(
      [...this.byCoin].map(([coin, ofCoin]) => [
        coin,
        [...ofCoin.values()].map((one) => [...one.values()].sort((a, b) => a.startMs - b.startMs)),
      ]),
    )
  }

  /** Reports a trade that lies outside a candle that contains its instant. */
  check({ coin, timeMs, px, tid }: TradeFact): void {
    for (const [lengthMs, series] of this.byCoin.get(coin) ?? []) {
      const candle = series.get(Math.floor(timeMs / lengthMs) * lengthMs)
      if (!candle || (Number(px) >= Number(candle.low) && Number(px) <= Number(candle.high)))
        continue
      this.contradictions.note(
        'trade outside its candle',
        `${coin} tid ${tid} at ${isoOf(timeMs)}: ${px}, and the candle of ${minutes(lengthMs)} ` +
          `goes from ${candle.low} to ${candle.high}`,
      )
    }
  }

  private compare(known: CandleFact, told: CandleFact): void {
    const fields = ['open', 'high', 'low', 'close', 'volume'] as const
    const flaw = fields.find((field) => Number(known[field]) !== Number(told[field]))
    if (flaw)
      this.contradictions.note(
        'closed candle told twice, differently',
        `${told.coin} ${minutes(told.lengthMs)} at ${isoOf(told.startMs)}: ` +
          `${flaw} ${known[flaw]} and ${told[flaw]}`,
      )
  }
}

const minutes = (lengthMs: number): string =>
  lengthMs < 60_000 ? `${lengthMs / 1000} s` : `${lengthMs / 60_000} min`
