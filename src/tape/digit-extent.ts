import { DIGITS_MAX, decimalPlaces, integerDigits } from './decimal-text.ts'
import type { EventDraft, Instrument, Level } from './tape-event.ts'

/** The most digits that a coin's prices and sizes have before and after the point. */
export class DigitExtent {
  private readonly px = { integer: 0, decimals: 0 }
  private readonly sz = { integer: 0, decimals: 0 }

  /** Takes one event of the coin. */
  observe({ kind, data }: EventDraft): void {
    if (kind === 'trade') this.level(data as { px: string; sz: string })
    else if (kind === 'liquidation') growTo(this.sz, (data as { sz: string }).sz)
    else if (kind === 'book' || kind === 'delta') {
      const { bids, asks } = data as { bids: Level[]; asks: Level[] }
      for (const [px, sz] of bids) this.level({ px, sz })
      for (const [px, sz] of asks) this.level({ px, sz })
    } else if (kind === 'bbo') {
      const { bid, ask } = data as { bid: Level | null; ask: Level | null }
      if (bid) this.level({ px: bid[0], sz: bid[1] })
      if (ask) this.level({ px: ask[0], sz: ask[1] })
    }
  }

  /** Why the events seen do not fit the instrument, in words; null when they do. */
  misfit({ pxDecimals, szDecimals }: Instrument): string | null {
    if (pxDecimals < this.px.decimals) return `has prices with ${this.px.decimals} decimals`
    if (szDecimals < this.sz.decimals) return `has sizes with ${this.sz.decimals} decimals`
    const digits = Math.max(this.px.integer + pxDecimals, this.sz.integer + szDecimals)
    return digits > DIGITS_MAX ? `has numbers of ${digits} digits, ${DIGITS_MAX} are exact` : null
  }

  private level({ px, sz }: { px: string; sz: string }): void {
    growTo(this.px, px)
    growTo(this.sz, sz)
  }
}

function growTo(extent: { integer: number; decimals: number }, text: string): void {
  const decimals = decimalPlaces(text)
  extent.decimals = Math.max(extent.decimals, decimals)
  extent.integer = Math.max(extent.integer, integerDigits(text, decimals))
}
