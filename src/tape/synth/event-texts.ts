import { format } from '../../decimal/scaled.ts'
import { type BookLevel, RATE_DECIMALS, type SynthEvent } from '../../market/synth/synth-event.ts'
import type { EventDraft, Level } from '../tape-event.ts'

/** Decimals of an instrument's prices and sizes. */
interface Decimals {
  coin: string
  pxDecimals: number
  szDecimals: number
}

/** Turns events of these instruments into what a tape has of them: numbers as decimal strings. */
export function eventTexts(instruments: readonly Decimals[]): (event: SynthEvent) => EventDraft {
  const texts = new Map(instruments.map((each) => [each.coin, new EventTexts(each)]))
  return (event) => {
    const ofCoin = texts.get(event.coin)
    if (!ofCoin) throw new Error(`the decimals of ${event.coin} are not known`)
    return ofCoin.draft(event)
  }
}

class EventTexts {
  constructor(private readonly decimals: Decimals) {}

  draft(event: SynthEvent): EventDraft {
    const { kind, timeMs: time, coin } = event
    switch (kind) {
      case 'book':
      case 'delta': {
        const data = { bids: event.bids.map(this.level), asks: event.asks.map(this.level) }
        return { time, kind, coin, data }
      }
      case 'trade': {
        const { side, px, lots, tid } = event
        return { time, kind, coin, data: { side, px: this.px(px), sz: this.sz(lots), tid } }
      }
      case 'liquidation': {
        const { position, lots, mark, tids } = event
        const data = { position, sz: this.sz(lots), markPx: this.px(mark), tids }
        return { time, kind, coin, data }
      }
      case 'mark': {
        const data = { mark: this.px(event.mark), oracle: this.px(event.oracle) }
        return { time, kind, coin, data }
      }
      case 'funding': {
        const data = { rate: rateText(event.rate), premium: rateText(event.premium) }
        return { time, kind, coin, data }
      }
      case 'interest':
        return { time, kind, coin, data: { openInterest: this.sz(event.lots) } }
    }
  }

  private px(units: number): string {
    return format(units, this.decimals.pxDecimals)
  }

  private sz(lots: number): string {
    return format(lots, this.decimals.szDecimals)
  }

  private level = ({ px, lots, orders }: BookLevel): Level => [this.px(px), this.sz(lots), orders]
}

function rateText(units: number): string {
  return format(units, RATE_DECIMALS)
}
