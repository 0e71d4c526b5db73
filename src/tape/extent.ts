import { DIGITS_MAX, places, wholeDigits } from './decimal-text.ts'
import type { Draft, Instrument, Level } from './event.ts'

/** The most digits that a coin's prices and sizes have before and after the point. */
export class Extent {
  private readonly px = { whole: 0, decimals: 0 }
  private readonly sz = { whole: 0, decimals: 0 }

  /** Takes one event of the coin. */
  see({ kind, data }: Draft): void {
    if (kind === 'trade') this.level(data as { px: string; sz: string })
    else if (kind === 'liquidation') grow(this.sz, (data as { sz: string }).sz)
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
    const most = Math.max(this.px.whole + pxDecimals, this.sz.whole + szDecimals)
    return most > DIGITS_MAX ? `has numbers of ${most} digits, ${DIGITS_MAX} are exact` : null
  }

  private level({ px, sz }: { px: string; sz: string }): void {
    grow(this.px, px)
    grow(this.sz, sz)
  }
}

function grow(most: { whole: number; decimals: number }, text: string): void {
  const decimals = places(text)
  most.decimals = Math.max(most.decimals, decimals)
  most.whole = Math.max(most.whole, wholeDigits(text, decimals))
}
