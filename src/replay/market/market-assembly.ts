/** Puts what was recognised in order: the events of a tape, and what does not go together. */
import { DecimalReader } from '../../tape/importers/decimal-reader.ts'
import { guessInstrument } from '../../tape/importers/instrument-guess.ts'
import type { EventDraft, Instrument } from '../../tape/tape-event.ts'
import { Findings } from './findings.ts'
import type { InstrumentFact, MarketFact } from './market-fact.ts'
import { RecordedAccounts } from './recorded-accounts.ts'
import { RecordedCandles } from './recorded-candles.ts'
import { draftsOfInstant, RecordedTrades } from './recorded-trades.ts'
import { StandingEvents } from './standing-events.ts'

export class MarketAssembly {
  readonly numbers = new DecimalReader(false)
  readonly contradictions = new Findings()
  readonly leftOut = new Findings()
  readonly candles = new RecordedCandles(this.contradictions)
  private readonly trades = new RecordedTrades(this.contradictions)
  private readonly accounts = new RecordedAccounts(this.contradictions)
  private readonly instruments = new Map<string, InstrumentFact>()
  private readonly standing = new StandingEvents(this.contradictions)

  /** @param coins those that are wanted; null for all */
  constructor(private readonly coins: ReadonlySet<string> | null) {}

  /** @param toldMs when it was told */
  add(fact: MarketFact, toldMs: number): void {
    if (fact.kind === 'account') return this.accounts.add(fact)
    if (this.coins && !this.coins.has(fact.coin)) return
    if (fact.kind === 'trade') this.trades.add(fact)
    else if (fact.kind === 'candle') this.candles.add(fact, toldMs)
    else if (fact.kind === 'instrument') this.instruments.set(fact.coin, fact)
    else this.standing.add(fact)
  }

  /** The events from an instant on, in order. What stood before it stands at its beginning. */
  events(fromMs: number): EventDraft[] {
    const trades = this.trades.all()
    for (const trade of trades) this.candles.check(trade)
    this.accounts.check(trades)
    const kept = trades.filter(({ timeMs }) => timeMs >= fromMs)
    for (let n = kept.length; n < trades.length; n++)
      this.leftOut.note('trade from before the beginning of the tape')
    const instants = Map.groupBy(kept, ({ coin, timeMs }) => `${timeMs} ${coin}`)
    const traded = new Set(kept.map(({ coin }) => coin))
    const drafts = [
      ...this.standing.drafts(fromMs, traded),
      ...[...instants.values()].flatMap(draftsOfInstant),
    ]
    const coins = new Set(drafts.map(({ coin }) => coin))
    if (drafts.length > 0) drafts.push(...this.accounts.drafts(coins, fromMs, this.leftOut))
    return drafts.sort((a, b) => a.time - b.time)
  }

  /** The instruments of these events, in the order in which they come. */
  instrumentsOf(events: readonly EventDraft[]): Instrument[] {
    const priced = new Set(events.flatMap(({ kind, coin }) => (PRICED.has(kind) ? coin : [])))
    const marks = Map.groupBy(
      events.filter(({ coin }) => coin !== ''),
      ({ coin }) => coin,
    )
    return [...marks].map(([coin, ofCoin]) => {
      const seen = this.numbers.decimals(coin)
      const known = this.instruments.get(coin)
      const pxDecimals = priced.has(coin) ? seen.pxDecimals : markDecimals(ofCoin)
      const least = known?.szDecimals ?? (priced.has(coin) ? 0 : usualSizeDecimals(pxDecimals))
      const szDecimals = Math.max(seen.szDecimals, least)
      const guess = guessInstrument(coin, 'USDC', { pxDecimals, szDecimals })
      return { ...guess, maxLeverage: known?.maxLeverage ?? guess.maxLeverage }
    })
  }
}

const PRICED: ReadonlySet<string> = new Set(['trade', 'book', 'bbo'])

/** The venue's prices and sizes have six decimals together. */
const DECIMALS_TOGETHER = 6

const usualSizeDecimals = (pxDecimals: number): number =>
  Math.max(0, DECIMALS_TOGETHER - 1 - pxDecimals)

/** Of a coin that has marks alone: no more than its prices may have. */
function markDecimals(events: readonly EventDraft[]): number {
  const seen = events.map((event) =>
    event.kind === 'mark' ? (event.data.mark.split('.')[1]?.length ?? 0) : 0,
  )
  return Math.min(DECIMALS_TOGETHER, Math.max(0, ...seen))
}

/** First price of each coin that has one. */
export function firstPrices(events: readonly EventDraft[]): Map<string, string> {
  const first = new Map<string, string>()
  for (const event of events) {
    const px = priceIn(event)
    if (px !== undefined && !first.has(event.coin)) first.set(event.coin, px)
  }
  return first
}

function priceIn(event: EventDraft): string | undefined {
  if (event.kind === 'trade') return event.data.px
  if (event.kind === 'mark') return event.data.mark
  if (event.kind === 'bbo') return (event.data.bid ?? event.data.ask)?.[0]
  return event.kind === 'book' ? (event.data.bids[0] ?? event.data.asks[0])?.[0] : undefined
}
