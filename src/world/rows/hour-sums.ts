/** Adds up what was traded in an hour of an instrument: minute bars, and trades. */
import { HOUR_MS, MINUTE_MS } from '../../clock/durations.ts'
import { type TapeMs, tapeMs } from '../../clock/instant.ts'
import type { InstrumentRow } from '../schema.ts'
import type { World } from '../world.ts'
import { type MinuteBars, minuteBarsOf } from './minute-bars.ts'
import { addTrades, countBefore, type TradeColumns } from './trade-columns.ts'
import { TradeTally } from './trade-tally.ts'

/** Hours with fewer trades are added up trade by trade. */
const PLAIN_SUM_MAX = 256

/** What was traded in an hour. */
export interface TradeHour {
  total: TradeTally
  /** Sums of its sixty minutes; null where there are few trades. */
  minutes: TradeTally[] | null
}

/** The trades of an hour lie between two places. */
export interface HourTrades {
  trades: TradeColumns
  from: number
  to: number
}

export class HourSums {
  private readonly bars: MinuteBars

  constructor(private readonly world: World) {
    this.bars = minuteBarsOf(world)
  }

  /** The sums of an hour out of its trades. */
  hour(instrument: InstrumentRow, startMs: TapeMs, within: HourTrades): TradeHour {
    const total = new TradeTally()
    if (within.to - within.from < PLAIN_SUM_MAX) {
      this.add(total, instrument, within, startMs, startMs + HOUR_MS)
      return { total, minutes: null }
    }
    const minutes = Array.from({ length: 60 }, () => new TradeTally())
    minutes.forEach((minute, place) => {
      const fromMs = startMs + place * MINUTE_MS
      this.add(minute, instrument, within, fromMs, fromMs + MINUTE_MS)
      total.append(minute)
    })
    return { total, minutes }
  }

  /** Adds what was traded in a span of an hour: bars and trades, one by one. */
  add(
    tally: TradeTally,
    instrument: InstrumentRow,
    { trades }: HourTrades,
    fromMs: number,
    toMs: number,
  ): void {
    const { barsEndMs } = this.world.meta
    const [from, to] = [countBefore(trades, fromMs), countBefore(trades, toMs)]
    if (fromMs >= barsEndMs) return addTrades(tally, trades, from, to, false)
    // Without trades, as mostly before the tape, nothing has to lie within the bars.
    if (from === to) return this.bars.appendTo(tally, instrument, tapeMs(fromMs), tapeMs(toMs))
    const span = new TradeTally()
    this.bars.appendTo(span, instrument, tapeMs(fromMs), tapeMs(toMs))
    const within = toMs <= barsEndMs ? to : countBefore(trades, barsEndMs)
    addTrades(span, trades, from, within, true)
    addTrades(span, trades, within, to, false)
    tally.append(span)
  }
}
