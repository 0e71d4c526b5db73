import { HOUR_MS } from '../../../clock/durations.ts'
import { add, type Rate, ZERO } from '../../../decimal/quantity.ts'
import { indexStep } from '../../accounting/funding.ts'
import type { FundingHour } from '../history/price-path.ts'
import type { RowSink } from '../writing/row-sink.ts'
import type { MarketState } from './market-state.ts'

/** Charges funding at each full hour, and records the rates announced in between. */
export class FundingSchedule {
  private nextMs: number

  /** @param fromMs the tape's start: the hours before it are history's */
  constructor(
    private readonly rows: RowSink,
    fromMs: number,
  ) {
    this.nextMs = Math.ceil(fromMs / HOUR_MS) * HOUR_MS
  }

  /** Writes an hour of the history, whose rates are known beforehand. */
  recordPast(market: MarketState, hour: FundingHour): void {
    market.fundingIndex = hour.fundingIndex
    market.rate = hour.rate
    market.premium = hour.premium
    this.rows.add('funding', { ...hour, instrument: market.row.id, charged: true })
  }

  /** A rate that the tape announces; it is charged at the next full hour. */
  announce(market: MarketState, timeMs: number, rate: Rate, premium: Rate): void {
    market.rate = rate
    market.premium = premium
    this.write(market, timeMs, false)
  }

  /**
   * Charges the hours that lie before `timeMs`; one exactly at it waits, as its rate may still
   * come.
   */
  tick(markets: Iterable<MarketState>, timeMs: number): void {
    while (this.nextMs < timeMs) {
      for (const market of markets) {
        if (!market.isPerp || market.px === ZERO) continue
        const step = indexStep(market.rate, market.oracle, market.row)
        market.fundingIndex = add(market.fundingIndex, step)
        this.write(market, this.nextMs, true)
      }
      this.nextMs += HOUR_MS
    }
  }

  private write(market: MarketState, timeMs: number, charged: boolean): void {
    const { rate, premium, fundingIndex, oracle } = market
    const row = { rate, premium, oracle, charged, fundingIndex }
    this.rows.add('funding', { instrument: market.row.id, timeMs, ...row })
  }
}
