import type { EventDraft, LiquidationData, TradeData } from '../tape-event.ts'
import type { LeftOut } from './left-out.ts'

type Trade = EventDraft & { kind: 'trade' }
type Liquidation = EventDraft & { kind: 'liquidation' }

/** Exchanges tell a liquidation before its trade, or right with it. */
const WAIT_MS = 5000

/**
 * Puts liquidations that name no trades right before the trade that carries them out, as a tape has
 * them: the coin's next one of their side, price and size. Where no trades are imported each brings
 * its own; one whose trade does not come is left out.
 */
export class LiquidationJoin {
  private waiting: Liquidation[] = []

  constructor(
    private readonly hasTrades: boolean,
    private readonly leftOut: LeftOut,
  ) {}

  /** Whether an event is written as it is: nothing waits for it, and it waits for nothing. */
  passes(draft: EventDraft): boolean {
    return draft.kind !== 'liquidation' && this.waiting.length === 0
  }

  /** What is to be written for an event. */
  put(draft: EventDraft): readonly EventDraft[] {
    if (draft.kind === 'liquidation' && draft.data.tids.length === 0) return this.hold(draft)
    this.forget(draft.time)
    if (draft.kind !== 'trade') return [draft]
    const found = this.waiting.find((one) => isOf(one, draft))
    if (found === undefined) return [draft]
    this.waiting = this.waiting.filter((one) => one !== found)
    return pair(found.data, draft)
  }

  /** Whoever waits at the end waits for nothing. */
  end(): void {
    this.forget(Number.POSITIVE_INFINITY)
  }

  private hold(draft: Liquidation): readonly EventDraft[] {
    if (this.hasTrades) {
      this.forget(draft.time)
      this.waiting.push(draft)
      return []
    }
    const { time, coin, data } = draft
    const trade: TradeData = { side: sideOf(data), px: data.markPx, sz: data.sz }
    return pair(data, { time, kind: 'trade', coin, data: trade })
  }

  private forget(nowMs: number): void {
    const still = this.waiting.filter(({ time }) => time + WAIT_MS >= nowMs)
    const gone = this.waiting.length - still.length
    if (gone > 0) this.leftOut.count('liquidation whose trade did not come within 5 s', gone)
    this.waiting = still
  }
}

/** A long is closed by selling. */
const sideOf = ({ position }: LiquidationData) => (position === 'long' ? 'A' : 'B')

const isOf = ({ coin, data }: Liquidation, trade: Trade): boolean =>
  coin === trade.coin &&
  trade.data.side === sideOf(data) &&
  trade.data.px === data.markPx &&
  trade.data.sz === data.sz

/** A trade without a number gets its time for one, which no exchange's numbers reach. */
function pair(data: LiquidationData, trade: Trade): EventDraft[] {
  const { time, coin } = trade
  const tid = trade.data.tid ?? time * 1000
  return [
    { time, kind: 'liquidation', coin, data: { ...data, tids: [tid] } },
    { time, kind: 'trade', coin, data: { ...trade.data, tid } },
  ]
}
