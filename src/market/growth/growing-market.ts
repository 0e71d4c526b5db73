import { MINUTE_MS } from '../../clock/instant.ts'
import {
  absolute,
  lesser,
  px as price,
  rate,
  raw,
  type Sz,
  sz as size,
  subtract,
  sum,
  ZERO,
} from '../../decimal/quantity.ts'
import type { RandomSource } from '../../random/random-source.ts'
import { crowdLong } from '../accounting/position.ts'
import type { Agent } from '../casting/agents/agents.ts'
import type { TwapProgram } from '../casting/agents/twap-programs.ts'
import type { CastingContext } from '../casting/casting-context.ts'
import type {
  Holding,
  MarketState,
  PriceAlarm,
  SubAccount,
} from '../casting/market/market-state.ts'
import {
  closeForced,
  type ForcedClosing,
  forcedClosing,
  LiquidationRun,
  pauseAfter,
} from '../casting/matching/liquidation-run.ts'
import type { LiveOrder, TradePrint } from '../casting/matching/order-manager.ts'
import { type RowNumbers, tradeNumber } from '../casting/row-numbers.ts'
import type { Quotes, Venue, Wish } from '../casting/venue.ts'
import { eventEndMs, type MarketEvent, type TimedMarketEvent } from '../events/market-event.ts'
import type { TwapRow } from '../schema/schema.ts'
import type {
  SynthEvent,
  SynthLevels,
  SynthLiquidation,
  SynthMark,
  SynthTrade,
} from '../synth/synth-event.ts'
import type { Synthesiser } from '../synth/synthesiser.ts'
import type { GrownBooks } from './grown-books.ts'
import { ORDER_LIFE_MS } from './state/known-holdings.ts'

/** Step for placing passive orders, as during a tape. */
const ACTIVITY_STEP_MS = 2_000
const ACTIVITY_CHANCE = 0.6
/** Length of a step of the synthesised markets. */
export const STEP_MS = 100

/** Trades of one instrument and instant that are one order. */
interface PendingOrder {
  side: 'B' | 'A'
  timeMs: number
  tag: number | undefined
  run: LiquidationRun | undefined
  /** Whether it trades with the crowd outside the book. */
  isOutside: boolean
  prints: TradePrint[]
}

/** Plays the events of the synthesised markets into a world, and runs its traders. */
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

  /** Plays the next step, up to an instant. */
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
    this.context.passiveOrders.onBook(market, this.books.present(market), event)
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

  /** Plays a crowd liquidation; its trades follow. */
  private liquidation(market: MarketState, event: SynthLiquidation): void {
    this.settle(market)
    this.runs.get(market)?.run.finish()
    const { position: direction, timeMs } = event
    const order = { timeMs, direction, sz: size(event.lots), markPx: price(event.mark), tids: [] }
    const run = new LiquidationRun(this.context, market, order)
    this.runs.set(market, { run, tids: new Set(event.tids) })
  }

  private trade(market: MarketState, event: SynthTrade): void {
    const { timeMs, side, px, lots, tid, tag, isOutside = false } = event
    const liquidated = this.runs.get(market)
    const run = liquidated?.tids.has(tid) ? liquidated.run : undefined
    const pending = this.pending.get(market)
    const same =
      pending?.side === side &&
      pending.tag === tag &&
      pending.run === run &&
      pending.isOutside === isOutside
    if (!same) this.settle(market)
    const number = tradeNumber(this.context.numbers.next('tid'))
    const print = { px: price(px), sz: size(lots), tid: number }
    if (same) pending.prints.push(print)
    else this.pending.set(market, { side, timeMs, tag, run, isOutside, prints: [print] })
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
    const { side, timeMs, tag, run, isOutside } = order
    const traded = { market, timeMs, side, prints: order.prints }
    const prints = tag === undefined ? order.prints : venue.execute(tag, traded)
    if (prints.length > 0) {
      run?.beforeExecution(null)
      const of = { liquidation: run?.id, oid: run?.crowdOid }
      const request = { market, timeMs, side, prints, taker: null, fromCrowd: isOutside, ...of }
      const executed = context.matching.execute(request)
      run?.afterExecution(null, executed)
    }
    context.passiveOrders.pullNear(market, timeMs, true)
    market.alarms.run(raw(market.px), timeMs)
  }
}

/** No order takes more than the turnover of so many seconds at once; the rest follows in parts. */
const PART_SECONDS = 12
/** Below this part of the maintenance margin a position is not closed in the market. */
const BACKSTOP = 2 / 3
const PAUSE_MS = { least: 1_500, most: 6_000 }

/** A market order that the next step of the market matches. */
type Submission = { sz: Sz } & (
  | { kind: 'wish'; wish: Wish }
  | { kind: 'closing'; closing: ForcedClosing }
)

/**
 * The venue after the tape: market orders and liquidations are matched with the synthesised books,
 * and trades fill waiting intents.
 */
export class GrowingVenue implements Venue {
  readonly marginFloor = 1
  readonly firesTriggers = true
  private readonly submitted = new Map<number, Submission>()
  private tags = 0
  /** Orders with a greater tag are matched in the step after the present one. */
  private lastMatched = 0

  constructor(
    private readonly context: CastingContext,
    private readonly synthesiser: Synthesiser,
    private readonly whales: ScheduledWhales,
    private readonly random: RandomSource,
  ) {}

  /** Trades set the price. */
  updatePrice(): void {}

  submit(wish: Wish, timeMs: number): void {
    if (wish.limitPx !== null) return this.context.wishes.add(wish, timeMs)
    if (wish.order && wish.order.endMs !== null) return
    const { holding, side, program } = wish
    const { market } = holding
    if (wish.order && !isWithin(wish.order, market.px)) return this.submitLater(wish, timeMs)
    const sz = wish.reduceOnly ? lesser(wish.sz, reducible(holding, side)) : wish.sz
    const part = lesser(sz, market.sizeFor(market.survey.usdPerSecond * PART_SECONDS))
    if (part > ZERO) this.place({ kind: 'wish', wish, sz: part }, market, side)
    if (part === sz || program) return
    this.submitLater(Object.assign({}, wish, { sz: subtract(sz, part) }), timeMs)
  }

  private submitLater(wish: Wish, timeMs: number): void {
    const waitMs = this.random.between(PAUSE_MS.least, PAUSE_MS.most)
    this.context.tasks.put(timeMs + waitMs, (_, laterMs) => this.submit(wish, laterMs))
  }

  quote(quotes: Quotes, timeMs: number): void {
    this.context.quotes.add(quotes, timeMs)
  }

  arm(market: MarketState, alarm: PriceAlarm): void {
    if (alarm.ofMark) market.markAlarms.put(alarm)
    else market.alarms.put(alarm)
  }

  enforceMargin(account: SubAccount, isolated: Holding | null, timeMs: number): void {
    const closing = account.awaitsLiquidation ? undefined : forcedClosing(account, isolated)
    if (!closing) return
    account.awaitsLiquidation = true
    if (this.context.margins.isShort(closing.holding, BACKSTOP) && this.takeOver(closing, timeMs))
      return
    const { holding, sz } = closing
    this.place({ kind: 'closing', closing, sz }, holding.market, holding.sz > ZERO ? 'A' : 'B')
  }

  /** Call before each step: orders submitted so far are matched in it. */
  beginStep(): void {
    this.lastMatched = this.tags
  }

  /** Call after each step: drops or retries orders that the market did not fill. */
  endStep(timeMs: number): void {
    if (this.submitted.size === 0) return
    for (const [tag, submission] of this.submitted) {
      if (tag > this.lastMatched) continue
      this.submitted.delete(tag)
      if (submission.kind === 'closing') this.lookAgain(submission.closing, timeMs)
      else this.resubmit(submission.wish, submission.sz, timeMs)
    }
  }

  /**
   * Gives the trades of a submitted order to its owner; false where the owner has no such order any
   * more.
   */
  execute(tag: number, order: TradedOrder): readonly TradePrint[] {
    if (tag < 0) return this.whales.take(tag, order)
    const submission = this.submitted.get(tag)
    if (!submission) return order.prints
    this.submitted.delete(tag)
    if (submission.kind === 'wish') return this.fill(submission.wish, submission.sz, order)
    return this.close(submission.closing, order)
  }

  /** What the market did not fill of an order that was placed before is wanted later. */
  private resubmit(wish: Wish, sz: Sz, timeMs: number): void {
    if (wish.order && sz > ZERO) this.submitLater(Object.assign({}, wish, { sz }), timeMs)
  }

  private fill(wish: Wish, submitted: Sz, order: TradedOrder): readonly TradePrint[] {
    const { holding, reduceOnly, program, order: placed } = wish
    if (placed && placed.endMs !== null) return order.prints
    const wanted = reduceOnly ? reducible(holding, order.side) : sumOf(order.prints)
    const most = placed ? lesser(wanted, fillable(placed, order)) : wanted
    const [own, rest] = split(order.prints, most, this.context.numbers)
    const { market, timeMs, side } = order
    const isOver = own.length === 0 || (program && program.endMs !== null)
    const request = { market, timeMs, side, prints: own, taker: holding, program, reduceOnly }
    if (!isOver) this.context.matching.execute({ ...request, order: placed })
    if (placed && holding.sz === ZERO) this.context.orders.end(placed, timeMs, 'canceled')
    this.resubmit(wish, subtract(submitted, sumOf(own)), timeMs)
    return isOver ? order.prints : rest
  }

  private close(closing: ForcedClosing, order: TradedOrder): readonly TradePrint[] {
    const { context } = this
    const { holding } = closing
    const [own, rest] = split(order.prints, reducible(holding, order.side), context.numbers)
    if (own.length > 0)
      closeForced(context, { ...closing, sz: sumOf(own) }, order.timeMs, (request) =>
        context.matching.execute({ ...request, prints: own }),
      )
    this.lookAgain(closing, order.timeMs)
    return rest
  }

  /**
   * Moves a position that the market could not close in time to the venue's vault, at the mark
   * price; false where no counterparty is short of so much.
   */
  private takeOver({ holding }: ForcedClosing, timeMs: number): boolean {
    const { context } = this
    const { market } = holding
    const sz = absolute(holding.sz)
    if (holding.sz > ZERO && !market.crowdBuys(sz)) return false
    closeForced(context, { holding, sz, isPartial: false }, timeMs, (request) => {
      const print = { px: market.marginPx, sz, tid: tradeNumber(context.numbers.next('tid')) }
      return context.matching.execute({ ...request, prints: [print], fromCrowd: true })
    })
    this.lookAgain({ holding, sz, isPartial: false }, timeMs)
    return true
  }

  /** Until then nothing else of the account is closed. */
  private lookAgain({ holding, isPartial }: ForcedClosing, timeMs: number): void {
    const { margins, tasks } = this.context
    const { account } = holding
    holding.partlyLiquidated = isPartial
    tasks.put(timeMs + pauseAfter(isPartial), (_, laterMs) => {
      account.awaitsLiquidation = false
      for (const held of account.holdings) if (held.position) margins.check(held, laterMs)
    })
  }

  private place(submission: Submission, market: MarketState, side: 'B' | 'A'): void {
    this.submitted.set(++this.tags, submission)
    const { coin } = market.row
    const liquidates = submission.kind !== 'wish'
    this.synthesiser.submit({ coin, side, lots: raw(submission.sz), tag: this.tags, liquidates })
  }
}

/** Its first slice has been traded by then. */
const FIRST_SLICE_MS = 30_000

type WhaleEvent = Extract<MarketEvent, { kind: 'whale' }>

/** Orders of scheduled whale events: each belongs to one account, which all responses name. */
export class ScheduledWhales {
  /** Its TWAPs, by tag. */
  private readonly programs = new Map<number, TwapProgram>()

  constructor(
    private readonly context: CastingContext,
    private readonly scheduled: readonly TimedMarketEvent[],
  ) {}

  private get owner(): Agent | undefined {
    const { agents } = this.context
    return agents.all.find(({ persona }) => persona === 'whale') ?? agents.of('whale')[0]
  }

  /** Gives trades of an event's order to its owner; returns the rest. */
  take(tag: number, order: TradedOrder): readonly TradePrint[] {
    const { context, owner } = this
    const timed = this.scheduled[-1 - tag]
    if (!owner || timed?.event.kind !== 'whale') return order.prints
    const { market, timeMs, side } = order
    const taker = context.ledger.holding(owner, market)
    const isWorked = timed.event.overS !== undefined
    const program = isWorked ? this.programOf(tag, timed, taker, order) : undefined
    if (isWorked && (!program || program.endMs !== null)) return order.prints
    const most = program ? subtract(program.sz, program.executedSz) : sumOf(order.prints)
    const [own, rest] = split(order.prints, most, context.numbers)
    const request = { market, timeMs, side, prints: own, taker, program }
    if (own.length > 0) context.matching.execute(request)
    return rest
  }

  /** Whether a running TWAP belongs to an event, which then feeds its slices. */
  isScheduled({ timeMs, trader, side, minutes }: TwapRow, { row }: MarketState): boolean {
    return this.scheduled.some((timed) => {
      const { event, fromMs } = timed
      return (
        event.kind === 'whale' &&
        event.coin === row.coin &&
        trader === this.owner?.id &&
        side === sideOf(event) &&
        minutes === minutesOf(timed) &&
        timeMs >= fromMs &&
        timeMs <= eventEndMs(timed)
      )
    })
  }

  /** The TWAP, begun with the first of its slices, for the whole amount. */
  private programOf(
    tag: number,
    { event, fromMs }: TimedMarketEvent,
    holding: Holding,
    { market, timeMs, side }: TradedOrder,
  ): TwapProgram | undefined {
    const { twaps } = this.context
    const known = this.programs.get(tag) ?? twaps.fed(holding, side)
    if (known || event.kind !== 'whale' || timeMs > fromMs + FIRST_SLICE_MS) return known
    const sz = market.sizeFor(event.usd * 1e6)
    const minutes = minutesOf({ event, fromMs })
    const order = { holding, side, sz, minutes, reduceOnly: false, share: 1, isFed: true }
    const program = twaps.start(order, timeMs)
    this.programs.set(tag, program)
    return program
  }
}

const sideOf = ({ side }: WhaleEvent) => (side === 'buy' ? 'B' : 'A')

/** In whole minutes, as on the venue. */
const minutesOf = (timed: Pick<TimedMarketEvent, 'event' | 'fromMs'>): number =>
  Math.max(1, Math.ceil((eventEndMs(timed) - timed.fromMs) / MINUTE_MS))

/** Trades of one order, at one instant. */
interface TradedOrder {
  market: MarketState
  timeMs: number
  side: 'B' | 'A'
  prints: readonly TradePrint[]
}

/** Part of a position that an order of this side can reduce. */
function reducible(holding: Holding, side: 'B' | 'A'): Sz {
  return holding.sz !== ZERO && holding.sz > ZERO === (side === 'A') ? absolute(holding.sz) : ZERO
}

/** What is left of a placed order, as far as the prints are within its limit. */
function fillable(order: LiveOrder, { prints }: TradedOrder): Sz {
  const within = prints.filter(({ px }) => isWithin(order, px))
  return lesser(sumOf(within), subtract(order.origSz, order.filledSz))
}

const isWithin = ({ side, limitPx }: LiveOrder, px: LiveOrder['limitPx']) =>
  side === 'B' ? px <= limitPx : px >= limitPx

/** Total size of the prints. */
const sumOf = (prints: readonly TradePrint[]): Sz => sum(prints.map(({ sz }) => sz))

/** The first prints up to a size, and the rest. */
function split(
  prints: readonly TradePrint[],
  most: Sz,
  numbers: RowNumbers,
): [TradePrint[], TradePrint[]] {
  const [own, rest]: [TradePrint[], TradePrint[]] = [[], []]
  let left = most
  for (const print of prints) {
    const part = lesser(print.sz, left)
    left = subtract(left, part)
    if (part > ZERO) own.push({ px: print.px, sz: part, tid: print.tid })
    const other = subtract(print.sz, part)
    // Two trades have two numbers.
    const tid = part > ZERO ? tradeNumber(numbers.next('tid')) : print.tid
    if (other > ZERO) rest.push({ px: print.px, sz: other, tid })
  }
  return [own, rest]
}
