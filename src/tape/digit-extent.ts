import { DIGITS_MAX } from './decimal-text.ts'
import type { EventDraft, Instrument, Level, TradeData } from './tape-event.ts'

/** The most digits that a coin's prices and sizes have before and after the point. */
export class DigitExtent {
  private readonly px = { integer: 0, decimals: 0 }
  private readonly sz = { integer: 0, decimals: 0 }

  /** Takes one event of the coin. */
  observe({ kind, data }: EventDraft): void {
    if (kind === 'trade') this.level((data as TradeData).px, (data as TradeData).sz)
    else if (kind === 'liquidation') growTo(this.sz, (data as { sz: string }).sz)
    else if (kind === 'book' || kind === 'delta') {
      const { bids, asks } = data as { bids: Level[]; asks: Level[] }
      for (const [px, sz] of bids) this.level(px, sz)
      for (const [px, sz] of asks) this.level(px, sz)
    } else if (kind === 'bbo') {
      const { bid, ask } = data as { bid: Level | null; ask: Level | null }
      if (bid) this.level(bid[0], bid[1])
      if (ask) this.level(ask[0], ask[1])
    }
  }

  /** Why the events seen do not fit the instrument, in words; null when they do. */
  misfit({ pxDecimals, szDecimals }: Instrument): string | null {
    if (pxDecimals < this.px.decimals) return `has prices with ${this.px.decimals} decimals`
    if (szDecimals < this.sz.decimals) return `has sizes with ${this.sz.decimals} decimals`
    const digits = Math.max(this.px.integer + pxDecimals, this.sz.integer + szDecimals)
    return digits > DIGITS_MAX ? `has numbers of ${digits} digits, ${DIGITS_MAX} are exact` : null
  }

  private level(px: string, sz: string): void {
    growTo(this.px, px)
    growTo(this.sz, sz)
  }
}

/** Takes a decimal string that has been checked. */
function growTo(extent: { integer: number; decimals: number }, text: string): void {
  const point = text.indexOf('.')
  const integer = point < 0 ? text.length : point
  const decimals = point < 0 ? 0 : text.length - point - 1
  if (decimals > extent.decimals) extent.decimals = decimals
  if (integer > extent.integer) extent.integer = integer
}
