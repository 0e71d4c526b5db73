import type { BookData, EventDraft, Level } from '../../tape-event.ts'
import type { MarketFact } from './market-fact.ts'
import { type Findings, isoOf } from './market-fact.ts'

/**
 * Facts that hold until the next of their kind: books, best prices, marks, rates, open interest.
 */
type StandingFact = Extract<
  MarketFact,
  { kind: 'book' | 'bbo' | 'funding' | 'mark' | 'interest' | 'price' }
>

type Kind = Exclude<StandingFact['kind'], 'price'>

/** Events of one kind and coin, by their instant. */
type Series = Map<number, EventDraft>

export class StandingEvents {
  private readonly byKind = new Map<Kind, Map<string, Series>>()
  /** Marks derived from a price alone. */
  private readonly prices = new Map<string, Series>()

  constructor(private readonly contradictions: Findings) {}

  add(fact: StandingFact): void {
    const { kind, coin } = fact
    const crossed = crossing(fact)
    if (crossed)
      return this.contradictions.note(
        'crossed book',
        `${coin} at ${isoOf(fact.timeMs)}: bid ${crossed.bid[0]}, ask ${crossed.ask[0]}`,
      )
    if (kind === 'price') this.keep(seriesOf(this.prices, coin), draftOf(fact))
    else {
      const ofKind = this.byKind.get(kind) ?? new Map<string, Series>()
      this.byKind.set(kind, ofKind)
      this.keep(seriesOf(ofKind, coin), draftOf(fact))
    }
  }

  /**
   * Each change once. The last before an instant is placed at it; a price alone is used for a coin
   * without trades, books and marks.
   *
   * @param traded coins with trades
   */
  drafts(fromMs: number, traded: ReadonlySet<string>): EventDraft[] {
    const known = [...this.byKind.values()].flatMap((ofKind) => [...ofKind.values()])
    const priced = new Set(traded)
    for (const kind of ['book', 'bbo', 'mark'] as const)
      for (const coin of this.byKind.get(kind)?.keys() ?? []) priced.add(coin)
    const alone = [...this.prices].filter(([coin]) => !priced.has(coin)).map(([, one]) => one)
    for (const [coin] of this.prices) priced.add(coin)
    return [...known, ...alone]
      .flatMap((series) => changes(series, fromMs))
      .filter(({ coin }) => priced.has(coin))
  }

  private keep(series: Series, draft: EventDraft): void {
    const known = series.get(draft.time)
    if (!known) series.set(draft.time, draft)
    else if (draft.kind !== 'mark' && JSON.stringify(known.data) !== JSON.stringify(draft.data))
      this.contradictions.note(
        `${draft.kind} of one instant reported twice, differently`,
        `${draft.coin} at ${isoOf(draft.time)}`,
      )
  }
}

function seriesOf(of: Map<string, Series>, coin: string): Series {
  const series = of.get(coin) ?? new Map<number, EventDraft>()
  of.set(coin, series)
  return series
}

function changes(series: Series, fromMs: number): EventDraft[] {
  const sorted = [...series.values()].sort((a, b) => a.time - b.time)
  const firstAt = sorted.findLastIndex(({ time }) => time <= fromMs)
  const kept: EventDraft[] = []
  let last = ''
  for (const draft of sorted.slice(Math.max(firstAt, 0))) {
    const text = JSON.stringify(draft.data)
    if (text !== last) kept.push({ ...draft, time: Math.max(draft.time, fromMs) } as EventDraft)
    last = text
  }
  return kept
}

function crossing(fact: StandingFact): { bid: Level; ask: Level } | null {
  const [bid, ask] =
    fact.kind === 'book'
      ? [fact.bids[0], fact.asks[0]]
      : fact.kind === 'bbo'
        ? [fact.bid, fact.ask]
        : []
  return bid && ask && Number(bid[0]) >= Number(ask[0]) ? { bid, ask } : null
}

function draftOf(fact: StandingFact): EventDraft {
  const { coin, timeMs: time } = fact
  switch (fact.kind) {
    case 'book': {
      const data: BookData = { bids: fact.bids, asks: fact.asks }
      return { time, kind: 'book', coin, data }
    }
    case 'bbo':
      return { time, kind: 'bbo', coin, data: { bid: fact.bid, ask: fact.ask } }
    case 'mark':
      return { time, kind: 'mark', coin, data: { mark: fact.mark, oracle: fact.oracle } }
    case 'interest':
      return { time, kind: 'interest', coin, data: { openInterest: fact.openInterest } }
    case 'price':
      return { time, kind: 'mark', coin, data: { mark: fact.px, oracle: fact.px } }
    case 'funding': {
      const premium = fact.premium === null ? {} : { premium: fact.premium }
      return { time, kind: 'funding', coin, data: { rate: fact.rate, ...premium } }
    }
  }
}
