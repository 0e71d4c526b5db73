import { format, parse } from '../../decimal/scaled.ts'
import type { EventDraft } from '../../tape/tape-event.ts'
import type { Findings } from './findings.ts'
import type { TradeFact } from './market-fact.ts'

/** The trades of a recording: each once, however often and by whichever side it was told. */
export class RecordedTrades {
  private readonly byCoin = new Map<string, Map<number, TradeFact>>()

  constructor(private readonly contradictions: Findings) {}

  add(told: TradeFact): void {
    const ofCoin = this.byCoin.get(told.coin) ?? new Map<number, TradeFact>()
    this.byCoin.set(told.coin, ofCoin)
    const known = ofCoin.get(told.tid)
    if (!known) {
      ofCoin.set(told.tid, { ...told })
      return
    }
    const flaw = (['px', 'sz', 'side', 'timeMs'] as const).find(
      (field) => known[field] !== told[field],
    )
    if (flaw)
      return this.contradictions.note(
        'trade told twice, differently',
        `${told.coin} tid ${told.tid}: ${flaw} ${known[flaw]} and ${told[flaw]}`,
      )
    known.buyer ??= told.buyer
    known.seller ??= told.seller
    known.liquidation ??= told.liquidation
  }

  /** All of them by time, then in the order in which they were told. */
  all(): TradeFact[] {
    return [...this.byCoin.values()]
      .flatMap((ofCoin) => [...ofCoin.values()])
      .sort((a, b) => a.timeMs - b.timeMs)
  }
}

/** A trade as a tape has it. */
export const tradeDraft = (trade: TradeFact): EventDraft => {
  const { coin, timeMs, side, px, sz, tid, hash, buyer, seller } = trade
  const named = buyer === null && seller === null ? {} : { users: [buyer, seller] as const }
  const hashed = hash === null ? {} : { hash }
  return { time: timeMs, kind: 'trade', coin, data: { side, px, sz, tid, ...hashed, ...named } }
}

/**
 * The trades of one coin and instant as a tape has them: those that liquidate an account stand
 * together, with the liquidation before them.
 */
export function draftsOfInstant(trades: readonly TradeFact[]): EventDraft[] {
  const forced = Map.groupBy(
    trades.filter(({ liquidation }) => liquidation !== null),
    ({ liquidation, side }) => `${liquidation?.user} ${side}`,
  )
  const free = trades.filter(({ liquidation }) => liquidation === null)
  return [
    ...free.map(tradeDraft),
    ...[...forced.values()].flatMap((run) => [liquidationDraft(run), ...run.map(tradeDraft)]),
  ]
}

function liquidationDraft(run: readonly TradeFact[]): EventDraft {
  const [first] = run as [TradeFact]
  const decimals = Math.max(...run.map(({ sz }) => sz.split('.')[1]?.length ?? 0))
  const sum = run.reduce((total, { sz }) => total + parse(sz, decimals), 0)
  return {
    time: first.timeMs,
    kind: 'liquidation',
    coin: first.coin,
    data: {
      position: first.side === 'A' ? 'long' : 'short',
      sz: format(sum, decimals),
      markPx: first.liquidation?.markPx ?? first.px,
      tids: run.map(({ tid }) => tid),
    },
  }
}
