/** Orders the recognised facts: the events of a tape, and contradictions. */

import { format, parse } from '../../../decimal/quantity.ts'
import type { AccountData } from '../../account-data.ts'
import { DecimalReader } from '../../importers/decimal-reader.ts'
import { guessInstrument } from '../../importers/market-symbol.ts'
import type { EventDraft, Instrument } from '../../tape-event.ts'
import type {
  AccountFact,
  CandleFact,
  InstrumentFact,
  MarketFact,
  TradeFact,
} from './market-fact.ts'
import { Findings, isoOf } from './market-fact.ts'
import { StandingEvents } from './state-events.ts'

/** Account facts: the first of each stays, later ones are compared with it. */
type Part = Exclude<keyof AccountData, 'address' | 'dex'>

const PARTS: readonly Part[] = ['positions', 'orders', 'balances', 'transfers']

class RecordedAccounts {
  private readonly first = new Map<string, AccountFact>()
  /** Later states, of which the trades in between are not known yet. */
  private readonly later: AccountFact[] = []

  constructor(private readonly contradictions: Findings) {}

  add(fact: AccountFact): void {
    const { address, dex } = fact.account
    const part = PARTS.find((name) => fact.account[name] !== undefined)
    const key = `${address} ${dex} ${part}`
    const known = this.first.get(key)
    if (!known || (known.isPartial && !fact.isPartial)) this.first.set(key, fact)
    else if (part === 'positions') this.later.push(fact)
  }

  /** Reports states that differ by more than the trades in between under their address. */
  check(trades: readonly TradeFact[]): void {
    for (const later of this.later) {
      const { address, dex, positions = [] } = later.account
      const first = this.first.get(`${address} ${dex} positions`) as AccountFact
      const coins = new Set(
        [...positions, ...(first.account.positions ?? [])].map((one) => one.coin),
      )
      for (const coin of coins) {
        const traded = trades
          .filter(
            (one) => one.coin === coin && one.timeMs > first.timeMs && one.timeMs <= later.timeMs,
          )
          .reduce((sum, one) => sum + sizeFor(address, one), 0)
        const [was, is] = [sizeOf(first, coin), sizeOf(later, coin)]
        if (Math.abs(was + traded - is) <= 1e-9 * Math.max(Math.abs(was), Math.abs(is), 1)) continue
        this.contradictions.note(
          'position that no recorded trades lead to',
          `${address} ${coin}: ${was} at ${isoOf(first.timeMs)}, ${traded} traded, ` +
            `${is} at ${isoOf(later.timeMs)}`,
        )
      }
    }
  }

  /** Events of the tape's coins; those of others are counted. */
  drafts(coins: ReadonlySet<string>, fromMs: number, leftOut: Findings): EventDraft[] {
    const isOn = (what: string) => (row: { coin: string }) => {
      if (coins.has(row.coin)) return true
      leftOut.note(`${what} in a coin of which the tape has no price`, row.coin)
      return false
    }
    return [...this.first.values()].map(({ timeMs, account }) => {
      const { positions, orders } = account
      const data: AccountData = {
        ...account,
        ...(positions && { positions: positions.filter(isOn('position')) }),
        ...(orders && { orders: orders.filter(isOn('order')) }),
      }
      return { time: Math.max(timeMs, fromMs), kind: 'account', coin: '', data }
    })
  }
}

const sizeOf = ({ account }: AccountFact, coin: string): number =>
  Number(account.positions?.find((one) => one.coin === coin)?.szi ?? 0)

const sizeFor = (address: string, { buyer, seller, sz }: TradeFact): number =>
  (buyer === address ? Number(sz) : 0) - (seller === address ? Number(sz) : 0)

/** The trades of a recording: each once, however often and by whichever side it was reported. */
class RecordedTrades {
  private readonly byCoin = new Map<string, Map<number, TradeFact>>()

  constructor(private readonly contradictions: Findings) {}

  add(reported: TradeFact): void {
    const ofCoin = this.byCoin.get(reported.coin) ?? new Map<number, TradeFact>()
    this.byCoin.set(reported.coin, ofCoin)
    const known = ofCoin.get(reported.tid)
    if (!known) {
      ofCoin.set(reported.tid, { ...reported })
      return
    }
    const flaw = (['px', 'sz', 'side', 'timeMs'] as const).find(
      (field) => known[field] !== reported[field],
    )
    if (flaw)
      return this.contradictions.note(
        'trade reported twice, differently',
        `${reported.coin} tid ${reported.tid}: ${flaw} ${known[flaw]} and ${reported[flaw]}`,
      )
    known.buyer ??= reported.buyer
    known.seller ??= reported.seller
    known.liquidation ??= reported.liquidation
  }

  /** All of them by time, then in the order of reports. */
  all(): TradeFact[] {
    return [...this.byCoin.values()]
      .flatMap((ofCoin) => [...ofCoin.values()])
      .sort((a, b) => a.timeMs - b.timeMs)
  }
}

/** A trade in a tape's form. */
const tradeDraft = (trade: TradeFact): EventDraft => {
  const { coin, timeMs, side, px, sz, tid, hash, buyer, seller } = trade
  const named = buyer === null && seller === null ? {} : { users: [buyer, seller] as const }
  const hashed = hash === null ? {} : { hash }
  return { time: timeMs, kind: 'trade', coin, data: { side, px, sz, tid, ...hashed, ...named } }
}

/**
 * The trades of one coin and instant in a tape's form: those of a liquidation are adjacent,
 * preceded by the liquidation.
 */
function draftsOfInstant(trades: readonly TradeFact[]): EventDraft[] {
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

/** Candles of one coin and length, by their start. */
type Series = Map<number, CandleFact>

/** The candles of a recording that were closed when reported. */
class RecordedCandles {
  private readonly byCoin = new Map<string, Map<number, Series>>()

  constructor(private readonly contradictions: Findings) {}

  /** @param reportedMs time of the report: an open candle is dropped */
  add(candle: CandleFact, reportedMs: number): void {
    const { coin, lengthMs, startMs } = candle
    if (startMs + lengthMs > reportedMs) return
    const ofCoin = this.byCoin.get(coin) ?? new Map<number, Series>()
    this.byCoin.set(coin, ofCoin)
    const series = ofCoin.get(lengthMs) ?? new Map<number, CandleFact>()
    ofCoin.set(lengthMs, series)
    const known = series.get(startMs)
    if (!known) series.set(startMs, candle)
    else this.compare(known, candle)
  }

  /** The series of each coin, by length, oldest candle first. */
  series(): Map<string, CandleFact[][]> {
    return new Map(
      [...this.byCoin].map(([coin, ofCoin]) => [
        coin,
        [...ofCoin.values()].map((one) => [...one.values()].sort((a, b) => a.startMs - b.startMs)),
      ]),
    )
  }

  /** Reports a trade outside the range of a candle that contains its instant. */
  check({ coin, timeMs, px, tid }: TradeFact): void {
    for (const [lengthMs, series] of this.byCoin.get(coin) ?? []) {
      const candle = series.get(Math.floor(timeMs / lengthMs) * lengthMs)
      if (!candle || (Number(px) >= Number(candle.low) && Number(px) <= Number(candle.high)))
        continue
      this.contradictions.note(
        'trade outside its candle',
        `${coin} tid ${tid} at ${isoOf(timeMs)}: ${px}, and the candle of ${minutes(lengthMs)} ` +
          `goes from ${candle.low} to ${candle.high}`,
      )
    }
  }

  private compare(known: CandleFact, reported: CandleFact): void {
    const fields = ['open', 'high', 'low', 'close', 'volume'] as const
    const flaw = fields.find((field) => Number(known[field]) !== Number(reported[field]))
    if (flaw)
      this.contradictions.note(
        'closed candle reported twice, differently',
        `${reported.coin} ${minutes(reported.lengthMs)} at ${isoOf(reported.startMs)}: ` +
          `${flaw} ${known[flaw]} and ${reported[flaw]}`,
      )
  }
}

const minutes = (lengthMs: number): string =>
  lengthMs < 60_000 ? `${lengthMs / 1000} s` : `${lengthMs / 60_000} min`

export class MarketAssembly {
  readonly contradictions = new Findings()
  readonly leftOut = new Findings()
  readonly numbers = new DecimalReader(false, { count: (what) => this.leftOut.note(what) })
  readonly candles = new RecordedCandles(this.contradictions)
  private readonly trades = new RecordedTrades(this.contradictions)
  private readonly accounts = new RecordedAccounts(this.contradictions)
  private readonly instruments = new Map<string, InstrumentFact>()
  private readonly standing = new StandingEvents(this.contradictions)

  /** @param coins selected coins; null for all */
  constructor(private readonly coins: ReadonlySet<string> | null) {}

  /** @param reportedMs time of the report */
  add(fact: MarketFact, reportedMs: number): void {
    if (fact.kind === 'account') return this.accounts.add(fact)
    if (this.coins && !this.coins.has(fact.coin)) return
    if (fact.kind === 'trade') this.trades.add(fact)
    else if (fact.kind === 'candle') this.candles.add(fact, reportedMs)
    else if (fact.kind === 'instrument') this.instruments.set(fact.coin, fact)
    else this.standing.add(fact)
  }

  /** The events from an instant on, in order. Earlier state is placed at its beginning. */
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

  /** The instruments of these events, in order of appearance. */
  instrumentsOf(events: readonly EventDraft[]): Instrument[] {
    const priced = new Set(events.flatMap(({ kind, coin }) => (PRICED.has(kind) ? coin : [])))
    const marks = Map.groupBy(
      events.filter(({ coin }) => coin !== ''),
      ({ coin }) => coin,
    )
    return [...marks].map(([coin, ofCoin]) => {
      const reported = this.numbers.decimals(coin)
      const known = this.instruments.get(coin)
      const seen = priced.has(coin) ? reported : decimalsOfMarks(coin, ofCoin)
      const szDecimals = Math.max(reported.szDecimals, known?.szDecimals ?? seen.szDecimals)
      const steps = known ? decimalsTogether(coin) - szDecimals : 0
      const pxDecimals = Math.max(seen.pxDecimals, steps)
      const guess = guessInstrument(coin, 'USDC', { pxDecimals, szDecimals })
      return { ...guess, maxLeverage: known?.maxLeverage ?? guess.maxLeverage }
    })
  }
}

const PRICED: ReadonlySet<string> = new Set(['trade', 'book', 'bbo'])

/** Sum of decimals of the venue's prices and sizes. */
const decimalsTogether = (coin: string): number => (/^@|\//.test(coin) ? 8 : 6)

/** Decimals of a coin with marks only: prices as seen, sizes as usual with them. */
function decimalsOfMarks(coin: string, events: readonly EventDraft[]) {
  const together = decimalsTogether(coin)
  const marks = new DecimalReader(true, { count: () => {} }).of(coin)
  for (const { kind, data } of events) if (kind === 'mark' && data.mark !== '0') marks.px(data.mark)
  const pxDecimals = Math.min(together, marks.decimals().pxDecimals)
  return { pxDecimals, szDecimals: Math.max(0, together - 1 - pxDecimals) }
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
