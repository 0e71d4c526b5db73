import { MINUTE_MS } from '../../clock/durations.ts'
import { px as price, rate, raw, sz as size, ZERO } from '../../decimal/quantity.ts'
import type { RandomSource } from '../../random/random-source.ts'
import type { CastingContext } from '../casting/casting-context.ts'
import { crowdLong } from '../casting/market/crowd-record.ts'
import type { MarketState } from '../casting/market/market-state.ts'
import { LiquidationRun } from '../casting/matching/liquidation-run.ts'
import type { TradePrint } from '../casting/matching/taker-order.ts'
import type {
  SynthEvent,
  SynthLevels,
  SynthLiquidation,
  SynthMark,
  SynthTrade,
} from '../synth/synth-event.ts'
import type { Synthesiser } from '../synth/synthesiser.ts'
import type { GrowingVenue } from './growing-venue.ts'
import type { GrownBooks } from './grown-books.ts'
import { ORDER_LIFE_MS } from './state/known-orders.ts'
import { tradeNumber } from './trade-number.ts'

/** Orders away from the price are placed in steps of this, as on a tape. */
const ACTIVITY_STEP_MS = 2_000
const ACTIVITY_CHANCE = 0.4
/** Length of a step of the synthesised markets. */
export const STEP_MS = 100

/** Trades of one instrument and instant that are one order. */
interface PendingOrder {
  side: 'B' | 'A'
  timeMs: number
  tag: number | undefined
  run: LiquidationRun | undefined
  prints: TradePrint[]
}

/** Plays the events of the synthesised markets into a world, and lets its traders act. */
export class GrowingMarket {
  private nowMs: number
  private activityMs: number
  private minuteMs: number
  private readonly byCoin: ReadonlyMap<string, MarketState>
  private readonly pending = new Map<MarketState, PendingOrder>()
  private readonly runs = new Map<MarketState, { run: LiquidationRun; tids: ReadonlySet<number> }>()

  constructor(
    private readonly context: CastingContext,
    private readonly venue: GrowingVenue,
    private readonly synthesiser: Synthesiser,
    private readonly books: GrownBooks,
    private readonly random: RandomSource,
    startMs: number,
  ) {
    this.nowMs = startMs
    this.activityMs = startMs + ACTIVITY_STEP_MS
    this.minuteMs = (Math.floor(startMs / MINUTE_MS) + 1) * MINUTE_MS
    this.byCoin = new Map(context.markets.map((market) => [market.row.coin, market]))
  }

  /** The next step, which ends at an instant: everything up to it has happened then. */
  step(endMs: number): void {
    const { venue } = this
    venue.beginStep()
    for (const event of this.synthesiser.step()) this.play(event)
    this.advance(endMs)
    venue.endStep(endMs)
  }

  private play(event: SynthEvent): void {
    if (event.timeMs > this.nowMs) this.advance(event.timeMs)
    const market = this.byCoin.get(event.coin)
    if (!market) return
    const { context } = this
    const { timeMs } = event
    if (event.kind === 'trade') this.trade(market, event)
    else if (event.kind === 'delta' || event.kind === 'book') this.quote(market, event)
    else if (event.kind === 'mark') this.mark(market, event)
    else if (event.kind === 'funding')
      context.funding.announce(market, timeMs, rate(event.rate), rate(event.premium))
    else if (event.kind === 'interest') this.interest(market, timeMs, event.lots)
    else if (event.kind === 'liquidation') this.liquidation(market, event)
    if (!market.hasTapeMarks)
      context.markPrices.sample(market, timeMs, () => this.books.midPrice(market))
  }

  private quote(market: MarketState, event: SynthLevels): void {
    this.books.record(market, event)
    const { bid, ask } = this.books.best(market)
    this.context.orders.moveTouch(market, event.timeMs, bid, ask)
  }

  private advance(timeMs: number): void {
    const { context } = this
    this.settleAll()
    for (; this.activityMs <= timeMs; this.activityMs += ACTIVITY_STEP_MS) this.activityStep()
    for (; this.minuteMs <= timeMs; this.minuteMs += MINUTE_MS) {
      for (const { memory, px } of context.markets) if (px > ZERO) memory.add(raw(px))
    }
    context.runTasks(timeMs)
    context.funding.tick(context.markets, timeMs)
    this.nowMs = timeMs
  }

  private activityStep(): void {
    const { context, random } = this
    const market = random.pick(context.markets)
    if (!random.chance(ACTIVITY_CHANCE) || market.px === ZERO) return
    context.runTasks(this.activityMs)
    context.passiveOrders.placeAway(market, this.activityMs, ORDER_LIFE_MS)
  }

  private mark(market: MarketState, { timeMs, mark, oracle }: SynthMark): void {
    this.settle(market)
    this.context.markPrices.mark(market, timeMs, price(mark), price(oracle))
    market.mark = price(mark)
    market.markAlarms.run(mark, timeMs)
  }

  private interest(market: MarketState, timeMs: number, lots: number): void {
    const { rows, numbers } = this.context
    const reported = size(lots)
    const crowd = market.isPerp ? crowdLong(reported, market) : ZERO
    market.crowdLong = crowd
    const id = numbers.next('interest')
    rows.add('interest', { id, instrument: market.row.id, timeMs, reported, crowd })
  }

  /** A liquidation of the crowd; its trades follow. */
  private liquidation(market: MarketState, event: SynthLiquidation): void {
    this.settle(market)
    this.runs.get(market)?.run.finish()
    const { position: direction, timeMs } = event
    const order = { timeMs, direction, sz: size(event.lots), markPx: price(event.mark), tids: [] }
    const run = new LiquidationRun(this.context, market, order)
    this.runs.set(market, { run, tids: new Set(event.tids) })
  }

  private trade(market: MarketState, { timeMs, side, px, lots, tid, tag }: SynthTrade): void {
    const liquidated = this.runs.get(market)
    const run = liquidated?.tids.has(tid) ? liquidated.run : undefined
    const pending = this.pending.get(market)
    const same = pending && pending.side === side && pending.tag === tag && pending.run === run
    if (!same) this.settle(market)
    const number = tradeNumber(this.context.numbers.next('tid'))
    const print = { px: price(px), sz: size(lots), tid: number }
    if (same) pending.prints.push(print)
    else this.pending.set(market, { side, timeMs, tag, run, prints: [print] })
  }

  private settleAll(): void {
    if (this.pending.size > 0) for (const market of [...this.pending.keys()]) this.settle(market)
    if (this.runs.size === 0) return
    for (const { run } of this.runs.values()) run.finish()
    this.runs.clear()
  }

  private settle(market: MarketState): void {
    const order = this.pending.get(market)
    if (!order) return
    this.pending.delete(market)
    const { context, venue } = this
    const { side, timeMs, tag, run } = order
    const traded = { market, timeMs, side, prints: order.prints }
    const prints = tag === undefined ? order.prints : venue.execute(tag, traded)
    if (prints.length > 0) {
      run?.beforeExecution(null)
      const of = { liquidation: run?.id, oid: run?.crowdOid }
      const request = { market, timeMs, side, prints, taker: null, ...of }
      const executed = context.matching.execute(request)
      run?.afterExecution(null, executed)
    }
    context.passiveOrders.pullNear(market, timeMs, true)
    market.alarms.run(raw(market.px), timeMs)
  }
}
