import { indexStep } from '../accounting/funding.ts'
import type { Market } from './market.ts'
import type { FundingHour } from './path.ts'
import type { Rows } from './rows.ts'

const HOUR_MS = 3_600_000

/** Charges funding at each full hour, and keeps what is announced in between. */
export class FundingClock {
  private nextMs: number

  /** @param fromMs the tape's start: the hours before it are history's */
  constructor(
    private readonly rows: Rows,
    fromMs: number,
  ) {
    this.nextMs = Math.ceil(fromMs / HOUR_MS) * HOUR_MS
  }

  /** Writes an hour of the history, whose rates are known beforehand. */
  past(market: Market, hour: FundingHour): void {
    market.fundingIndex = hour.fundingIndex
    market.rate = hour.rate
    market.premium = hour.premium
    this.rows.add('funding', { ...hour, instrument: market.row.id, charged: true })
  }

  /** A rate that the tape announces; it is charged at the next full hour. */
  announce(market: Market, timeMs: number, rate: number, premium: number): void {
    market.rate = rate
    market.premium = premium
    this.write(market, timeMs, false)
  }

  /**
   * Charges the hours that lie before `timeMs`; one exactly at it waits, as its rate may still
   * come.
   */
  tick(markets: Iterable<Market>, timeMs: number): void {
    while (this.nextMs < timeMs) {
      for (const market of markets) {
        if (!market.perp || market.px === 0) continue
        market.fundingIndex += indexStep(market.rate, market.oracle, market.row)
        this.write(market, this.nextMs, true)
      }
      this.nextMs += HOUR_MS
    }
  }

  private write(market: Market, timeMs: number, charged: boolean): void {
    const { rate, premium, fundingIndex, oracle } = market
    const row = { rate, premium, oracle, charged, fundingIndex }
    this.rows.add('funding', { instrument: market.row.id, timeMs, ...row })
  }
}
