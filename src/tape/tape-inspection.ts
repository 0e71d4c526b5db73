import { format, parse, pow10 } from '../decimal/quantity.ts'
import { tradeFlaw } from '../market/casting/venue.ts'
import { OrderBook } from './order-book.ts'
import type {
  EventKind,
  Instrument,
  Level,
  LiquidationData,
  TapeEvent,
  TradeData,
} from './tape-event.ts'
import { instrumentsByCoin } from './tape-event.ts'
import type { Tape } from './tape-reader.ts'

/** Totals of one coin in a tape. */
export interface CoinSummary {
  coin: string
  counts: Partial<Record<EventKind, number>>
  /** Prices of trades, decimal strings; null without trades. */
  firstPx: string | null
  lastPx: string | null
  highPx: string | null
  lowPx: string | null
  /** Sum of the sizes of all trades, in units of the coin, a decimal string. */
  volume: string
}

/** A flaw of the recording, at the event with this number. */
export interface Finding {
  seq: number
  time: number
  coin: string
  what: string
}

export interface TapeInspection {
  events: number
  coins: CoinSummary[]
  /** The first findings, at most `FINDINGS_MAX`. */
  findings: Finding[]
  /** Total number. */
  findingCount: number
}

/** The best prices of a coin. */
export interface Quote {
  bid: number
  ask: number
}

/** Receives each event, and the quote after it where it may have changed one. */
export type EventObserver = (event: TapeEvent, quote: Quote | null) => void

/** Maximum number of listed findings. */
export const FINDINGS_MAX = 20

/**
 * Reads a whole tape, sums each coin's events and tracks its book.
 *
 * Findings are: a book or a bbo whose bid reaches its ask, changes before the first full book,
 * liquidations whose trades do not follow or do not add up to their size, and trades too large to
 * be cast. An unreadable tape is a
 * `UserError`.
 */
export async function inspectTape(
  tape: Tape,
  observe: EventObserver = () => {},
): Promise<TapeInspection> {
  const instruments = instrumentsByCoin(tape.header.instruments)
  const coins = new Map<string, CoinInspection>()
  const result: TapeInspection = { events: 0, coins: [], findings: [], findingCount: 0 }
  for await (const batch of tape.events()) {
    result.events += batch.length
    for (const event of batch) {
      const instrument = instruments.get(event.coin)
      if (!instrument) {
        observe(event, null)
        continue
      }
      const coin = coins.get(event.coin) ?? new CoinInspection(instrument)
      coins.set(event.coin, coin)
      addFinding(result, event, coin.observe(event))
      observe(event, coin.quoteAfter(event))
    }
  }
  for (const coin of coins.values()) {
    addFinding(result, { seq: 0, time: tape.header.endMs, coin: coin.summary().coin }, coin.end())
    result.coins.push(coin.summary())
  }
  return result
}

function addFinding(result: TapeInspection, at: Omit<Finding, 'what'>, what: string | null): void {
  if (!what) return
  result.findingCount++
  if (result.findings.length === FINDINGS_MAX) return
  result.findings.push({ seq: at.seq, time: at.time, coin: at.coin, what })
}

class CoinInspection {
  private readonly book = new OrderBook()
  private readonly liquidations: LiquidationTracker
  private readonly counts: Partial<Record<EventKind, number>> = {}
  private prices: { first: string; last: string; high: string; low: string } | null = null
  private units = 0n

  constructor(private readonly instrument: Instrument) {
    this.liquidations = new LiquidationTracker(instrument.szDecimals)
  }

  /** Counts an event; returns its flaw, or null. */
  observe(event: TapeEvent): string | null {
    this.counts[event.kind] = (this.counts[event.kind] ?? 0) + 1
    if (event.kind === 'trade') return this.trade(event)
    if (event.kind === 'liquidation') return this.liquidations.begin(event.data)
    if (event.kind === 'book' || event.kind === 'delta') return this.bookEvent(event)
    if (event.kind !== 'bbo' || !event.data.bid || !event.data.ask) return null
    const crossed = Number(event.data.bid[0]) >= Number(event.data.ask[0])
    return crossed ? `the bbo is crossed: ${event.data.bid[0]} to ${event.data.ask[0]}` : null
  }

  /**
   * The best prices after an event that may change them; null after others, and for an empty side.
   */
  quoteAfter(event: TapeEvent): Quote | null {
    if (event.kind === 'bbo') return quoteOf(event.data.bid, event.data.ask)
    if (event.kind !== 'book' && event.kind !== 'delta') return null
    return quoteOf(this.book.bestBid(), this.book.bestAsk())
  }

  /** The flaw at the end of the tape, or null. */
  end(): string | null {
    return this.liquidations.unfinished()
  }

  summary(): CoinSummary {
    const { coin, szDecimals } = this.instrument
    const { first = null, last = null, high = null, low = null } = this.prices ?? {}
    const volume = decimal(this.units, szDecimals)
    const prices = { firstPx: first, lastPx: last, highPx: high, lowPx: low }
    return { coin, counts: this.counts, ...prices, volume }
  }

  private trade({ data }: TapeEvent & { kind: 'trade' }): string | null {
    const { px, sz } = data
    this.units += BigInt(parse(sz, this.instrument.szDecimals))
    this.prices ??= { first: px, last: px, high: px, low: px }
    this.prices.last = px
    if (Number(px) > Number(this.prices.high)) this.prices.high = px
    if (Number(px) < Number(this.prices.low)) this.prices.low = px
    return tradeFlaw(this.instrument.coin, px, sz) ?? this.liquidations.trade(data)
  }

  private bookEvent(event: TapeEvent & { kind: 'book' | 'delta' }): string | null {
    if (event.kind === 'delta' && !this.book.isComplete)
      return 'the book changes before the first full book'
    this.book.apply(event)
    if (!this.book.isCrossed()) return null
    return `the book is crossed: ${this.book.bestBid()?.[0]} to ${this.book.bestAsk()?.[0]}`
  }
}

function quoteOf(bid: Level | null | undefined, ask: Level | null | undefined): Quote | null {
  return bid && ask ? { bid: Number(bid[0]), ask: Number(ask[0]) } : null
}

/** A sum that may exceed safe integers, as a decimal string. */
function decimal(units: bigint, scale: number): string {
  const one = BigInt(pow10(scale))
  const fraction = format(Number(units % one), scale).slice(1)
  return `${units / one}${fraction}`
}

/** Checks one coin's liquidations: their trades must follow, on the right side, and add up. */
class LiquidationTracker {
  private expectedTids: number[] = []
  private missingUnits = 0
  private side: TradeData['side'] = 'A'

  /** `scale` is the number of decimals of the coin's sizes. */
  constructor(private readonly scale: number) {}

  /** Begins a liquidation; returns the flaw of the one before, or null. */
  begin(data: LiquidationData): string | null {
    const unfinished = this.unfinished()
    this.expectedTids = [...data.tids]
    this.missingUnits = parse(data.sz, this.scale)
    // A long is closed by selling, so the taker's side is A.
    this.side = data.position === 'long' ? 'A' : 'B'
    return unfinished
  }

  /** Takes the coin's next trade; returns its flaw, or null. */
  trade(data: TradeData): string | null {
    if (this.expectedTids.length === 0) return null
    const next = this.expectedTids.shift()
    if (data.tid !== next) {
      this.expectedTids = []
      return `trade ${next} of a liquidation should come here`
    }
    this.missingUnits -= parse(data.sz, this.scale)
    if (data.side !== this.side) return `trade ${next} of a liquidation is on the wrong side`
    if (this.expectedTids.length > 0 || this.missingUnits === 0) return null
    return `a liquidation's trades miss its size by ${format(this.missingUnits, this.scale)}`
  }

  /** The unfinished part of the present liquidation as a flaw, or null. */
  unfinished(): string | null {
    return this.expectedTids.length === 0
      ? null
      : `trade ${this.expectedTids[0]} of a liquidation is missing`
  }
}
