import type { DerivativeMetrics } from './derivative-metrics.ts'
import type { FairPrice } from './fair-price.ts'
import type { LocalConditions } from './local-conditions.ts'
import type { MarketState } from './market-state.ts'
import type { SynthBook } from './synth-book.ts'
import type { SynthEvent, SynthMark } from './synth-event.ts'

/** What a perpetual's venue publishes of it, as events. */
export class Publications {
  constructor(
    private readonly state: MarketState,
    private readonly book: SynthBook,
    private readonly price: FairPrice,
    private readonly metrics: DerivativeMetrics,
    private readonly local: LocalConditions,
  ) {}

  of(kind: 'mark' | 'interest' | 'funding', timeMs: number): SynthEvent {
    if (kind === 'mark') return this.mark(timeMs)
    const { coin } = this.state.profile
    if (kind === 'interest') return { kind, timeMs, coin, lots: this.metrics.openInterest() }
    const { rate, premium } = this.metrics.funding()
    return { kind, timeMs, coin, rate, premium }
  }

  mark(timeMs: number): SynthMark {
    const { book, state, local, price } = this
    const { mark, oracle } = this.metrics.mark(price.units(), local.premium, book, state.lastTick)
    return { kind: 'mark', timeMs, coin: state.profile.coin, mark, oracle }
  }
}
