import { HOUR_MS, MINUTE_MS } from '../../clock/instant.ts'
import {
  absolute,
  parse,
  pow10,
  px as price,
  raw,
  sz as size,
  sum,
  ZERO,
} from '../../decimal/quantity.ts'
import type { RandomSource } from '../../random/random-source.ts'
import { crowdLong } from '../accounting/position.ts'
import type { CastingContext } from './casting-context.ts'
import type { Holding, MarketState, PriceAlarm, SubAccount } from './market/market-state.ts'
import type { LiquidationRun } from './matching/liquidation-run.ts'
import type { TradePrint } from './matching/order-manager.ts'
import type { OrderIntent } from './matching/resting-orders.ts'
import type { InputEvent, InputTrade } from './tape-input.ts'
import { parseNearest, rateOf } from './tape-input.ts'
import type { Quotes, Venue, Wish } from './venue.ts'
import { checkOpenInterest } from './venue.ts'

/** Step of activity between the tape's trades. */
const ACTIVITY_STEP_MS = 2_000

/** Trades of one instrument, instant and taker that are one order. */
interface PendingOrder {
  side: 'B' | 'A'
  timeMs: number
  user: string | undefined
  run: LiquidationRun | undefined
  prints: TradePrint[]
}

/** The first of an order's trades, their taker, and the intent that they fill. */
interface Taken {
  taker: Holding | null
  prints: readonly TradePrint[]
  pending?: OrderIntent
}

/** Casts a tape's events. */
export class TapeReplay {
  private nowMs: number
  private activityMs: number
  private minuteMs: number
  private readonly venue: TapeVenue
  private readonly pending = new Map<MarketState, PendingOrder>()
  private readonly liquidationRuns = new Map<MarketState, LiquidationRun>()

  constructor(
    private readonly context: CastingContext,
    private readonly beginLiquidation: (
      market: MarketState,
      event: InputEvent & { kind: 'liquidation' },
    ) => LiquidationRun,
    private readonly random: RandomSource,
    startMs: number,
  ) {
    this.venue = new TapeVenue(context)
    this.nowMs = startMs
    this.activityMs = startMs
    this.minuteMs = startMs + MINUTE_MS
    context.venue = this.venue
    context.watchMargins(startMs)
  }

  /** Plays one event; times must not go backwards. */
  play(market: MarketState | undefined, event: InputEvent): void {
    if (event.time > this.nowMs) this.advance(event.time)
    if (!market) return
    const { context } = this
    const { time } = event
    const { pxDecimals, szDecimals, id } = market.row
    if (event.kind === 'trade') this.trade(market, time, event.data)
    else if (event.kind === 'delta' || event.kind === 'book' || event.kind === 'bbo') {
      this.quote(market, event)
    } else if (event.kind === 'mark') {
      market.hasTapeMarks = true
      const mark = price(parseNearest(event.data.mark, pxDecimals))
      context.markPrices.mark(
        market,
        time,
        mark,
        price(parseNearest(event.data.oracle, pxDecimals)),
      )
    } else if (event.kind === 'funding') {
      const { rate, premium } = event.data
      if (market.isPerp) context.funding.announce(market, time, rateOf(rate), rateOf(premium))
    } else if (event.kind === 'interest') {
      const reported = size(parseNearest(event.data.openInterest, szDecimals))
      checkOpenInterest(market.row, reported, market.px)
      const crowd = market.isPerp ? crowdLong(reported, market) : ZERO
      market.crowdLong = crowd
      context.rows.add('interest', { id: event.seq, instrument: id, timeMs: time, reported, crowd })
    } else if (event.kind === 'liquidation') {
      this.settle(market)
      this.liquidationRuns.set(market, this.beginLiquidation(market, event))
    }
    if (!market.hasTapeMarks)
      context.markPrices.sample(market, time, () => context.books.midPrice(market))
  }

  private quote(market: MarketState, event: InputEvent & { kind: 'delta' | 'book' | 'bbo' }): void {
    const { books, orders } = this.context
    const { kind, time, data } = event
    if (kind === 'delta') books.applyDelta(market, time, data)
    else if (kind === 'book') books.replace(market, time, data)
    else books.recordBest(market, time, data.bid, data.ask)
    const { bid, ask } = books.best(market)
    orders.moveTouch(market, time, bid, ask)
    if (event.kind !== 'bbo') this.keepPassive(market, event)
  }

  /** Keeps the orders that rest away from the price a part of the book. */
  private keepPassive(
    market: MarketState,
    { kind, time, data }: InputEvent & { kind: 'delta' | 'book' },
  ): void {
    const { books, passiveOrders } = this.context
    const units = pow10(market.row.pxDecimals)
    const pricesOf = (levels: readonly (readonly [px: string, ...rest: unknown[]])[]) =>
      levels.map(([px]) => ({ px: Math.round(Number(px) * units) }))
    const [bids, asks] = [pricesOf(data.bids), pricesOf(data.asks)]
    passiveOrders.onBook(market, books.present(market), { kind, timeMs: time, bids, asks })
  }

  /** Continues to the end of the tape. */
  finish(endMs: number): void {
    this.advance(endMs)
    this.settleAll()
    this.context.funding.tick(this.context.markets, endMs + 1)
    for (const run of this.liquidationRuns.values()) run.finish()
  }

  private advance(timeMs: number): void {
    this.settleAll()
    for (; this.activityMs < timeMs; this.activityMs += ACTIVITY_STEP_MS)
      this.activityStep(this.activityMs)
    this.context.runTasks(timeMs)
    this.context.funding.tick(this.context.markets, timeMs)
    this.nowMs = timeMs
  }

  private activityStep(timeMs: number): void {
    const { context, random } = this
    context.runTasks(timeMs)
    context.funding.tick(context.markets, timeMs)
    for (; this.minuteMs <= timeMs; this.minuteMs += MINUTE_MS)
      for (const { memory, px } of context.markets) if (px > ZERO) memory.add(raw(px))
    const market = random.pick(context.markets)
    if (market.px === ZERO) return
    if (random.chance(0.8)) context.passiveOrders.placeAway(market, timeMs, 6 * HOUR_MS)
  }

  private trade(market: MarketState, timeMs: number, data: InputTrade): void {
    const { side, tid, hash, users } = data
    const px = price(parse(data.px, market.row.pxDecimals))
    const sz = size(parse(data.sz, market.row.szDecimals))
    if (sz <= ZERO || px <= ZERO) throw new RangeError('a trade needs a price and a size above 0')
    const user = users?.[side === 'B' ? 0 : 1] ?? undefined
    const other = users?.[side === 'B' ? 1 : 0] ?? undefined
    const active = this.liquidationRuns.get(market)
    const run = active?.includes(tid, side) ? active : undefined
    const pending = this.pending.get(market)
    const same = pending && pending.side === side && pending.user === user && pending.run === run
    if (!same) this.settle(market)
    const { agents, ledger } = this.context
    const maker = other === undefined ? undefined : ledger.holding(agents.namedBy(other), market)
    const print = { px, sz, tid, hash, maker }
    if (same) pending.prints.push(print)
    else this.pending.set(market, { side, timeMs, user, run, prints: [print] })
  }

  private settleAll(): void {
    if (this.pending.size === 0) return
    for (const market of [...this.pending.keys()]) this.settle(market)
  }

  private settle(market: MarketState): void {
    const pending = this.pending.get(market)
    if (!pending) return
    this.pending.delete(market)
    const { context } = this
    for (let prints: readonly TradePrint[] = pending.prints; prints.length > 0; ) {
      const taken = this.takes(market, pending, prints)
      this.execute(market, pending, taken)
      prints = prints.slice(taken.prints.length)
    }
    context.passiveOrders.pullNear(market, pending.timeMs)
    this.venue.reached(market, pending.timeMs)
  }

  /** Chooses takers of trades: named in the tape, with an intent, drawn, or the crowd. */
  private takes(market: MarketState, order: PendingOrder, prints: readonly TradePrint[]): Taken {
    const { side, timeMs, user, run } = order
    const { agents, ledger, wishes, counterparties } = this.context
    const known = user === undefined ? run?.holding : ledger.holding(agents.namedBy(user), market)
    if (known) return { taker: known, prints }
    // Unnamed liquidations of the tape belong to the crowd.
    if (run) return { taker: null, prints }
    const requested = wishes.toTake(market, side, prints, timeMs)
    if (requested) return { taker: requested.pending.wish.holding, ...requested }
    const sz = sum(prints.map((print) => print.sz))
    return { taker: counterparties.taker(market, side, sz, timeMs) ?? null, prints }
  }

  private execute(market: MarketState, order: PendingOrder, { taker, prints, pending }: Taken) {
    const { matching, wishes } = this.context
    const { side, timeMs, run } = order
    run?.beforeExecution(taker)
    const executed = matching.execute({
      market,
      timeMs,
      side,
      prints,
      taker,
      program: pending?.wish.program,
      liquidation: run?.id,
      oid: run?.crowdOid,
      reduceOnly: pending?.wish.reduceOnly ?? false,
    })
    if (pending) wishes.give(pending, executed.sz)
    run?.afterExecution(taker, executed)
  }
}

/** The venue during the tape: its trades go to matching intents. */
class TapeVenue implements Venue {
  /** No trades can be added to a tape, so owners deposit in time. */
  readonly marginFloor = 1.15
  readonly firesTriggers = false

  constructor(private readonly context: CastingContext) {}

  /** The tape's trades and marks set the price. */
  updatePrice(): void {}

  submit(wish: Wish, timeMs: number): void {
    this.context.wishes.add(wish, timeMs)
  }

  quote(quotes: Quotes, timeMs: number): void {
    this.context.quotes.add(quotes, timeMs)
  }

  arm(market: MarketState, alarm: PriceAlarm): void {
    market.alarms.put(alarm)
  }

  enforceMargin(account: SubAccount, isolated: Holding | null, timeMs: number): void {
    if (isolated) {
      const side = isolated.sz > ZERO ? 'A' : 'B'
      const sz = absolute(isolated.sz)
      return this.submit({ holding: isolated, side, sz, reduceOnly: true, limitPx: null }, timeMs)
    }
    this.context.funds.support(account, timeMs)
    this.context.margins.watchAccount(account, timeMs)
  }

  /** Fires the alarms at a market's present price. */
  reached(market: MarketState, timeMs: number): void {
    market.alarms.run(raw(market.px), timeMs)
  }
}
