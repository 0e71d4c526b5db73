import { absolute, lesser, raw, type Sz, subtract, ZERO } from '../../decimal/quantity.ts'
import type { RandomSource } from '../../random/random-source.ts'
import type { CastingContext } from '../casting/casting-context.ts'
import type { Holding, MarketState, SubAccount } from '../casting/market/market-state.ts'
import type { PriceAlarm } from '../casting/market/price-alarms.ts'
import {
  closeForced,
  type ForcedClosing,
  forcedClosing,
  pauseAfter,
} from '../casting/matching/margin-liquidation.ts'
import type { TradePrint } from '../casting/matching/taker-order.ts'
import type { Quotes, Venue, Wish } from '../casting/venue.ts'
import type { Synthesiser } from '../synth/synthesiser.ts'
import type { ToldWhales } from './told-whales.ts'
import { tradeNumber } from './trade-number.ts'
import { reducible, split, sumOf, type TradedOrder } from './trade-parts.ts'

/** Nobody takes more than the turnover of so many seconds at once; the rest follows in parts. */
const PART_SECONDS = 12
/** With less than this part of the maintenance margin a position is not closed by the market. */
const BACKSTOP = 2 / 3
const PAUSE_MS = { least: 1_500, most: 6_000 }

/** A market order that the next step of the market matches. */
type Submission = { kind: 'wish'; wish: Wish } | { kind: 'closing'; closing: ForcedClosing }

/**
 * After the tape: market orders and liquidations are matched with the synthesised books, and what
 * waits is met by the trades that fit it.
 */
export class GrowingVenue implements Venue {
  readonly marginFloor = 1
  readonly firesTriggers = true
  private readonly submitted = new Map<number, Submission>()
  private tags = 0
  /** Orders with a greater tag are matched by the step after the present one. */
  private lastMatched = 0

  constructor(
    private readonly context: CastingContext,
    private readonly synthesiser: Synthesiser,
    private readonly whales: ToldWhales,
    private readonly random: RandomSource,
  ) {}

  /** Trades do. */
  updatePrice(): void {}

  submit(wish: Wish, timeMs: number): void {
    if (wish.limitPx !== null) return this.context.wishes.add(wish, timeMs)
    if (wish.order && wish.order.endMs !== null) return
    const { holding, side, program } = wish
    const { market } = holding
    const sz = wish.reduceOnly ? lesser(wish.sz, reducible(holding, side)) : wish.sz
    const part = lesser(sz, market.sizeFor(market.survey.usdPerSecond * PART_SECONDS))
    if (part > ZERO) this.place({ kind: 'wish', wish }, market, side, part)
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
    this.place({ kind: 'closing', closing }, holding.market, holding.sz > ZERO ? 'A' : 'B', sz)
  }

  /** Before each step: what has been submitted by now is matched in it. */
  beginStep(): void {
    this.lastMatched = this.tags
  }

  /** After each step: what the market had no trades for is given up, or tried again. */
  endStep(timeMs: number): void {
    if (this.submitted.size === 0) return
    for (const [tag, submission] of this.submitted) {
      if (tag > this.lastMatched) continue
      this.submitted.delete(tag)
      if (submission.kind === 'closing') this.lookAgain(submission.closing, timeMs)
      else if (submission.wish.order) this.submitLater(submission.wish, timeMs)
    }
  }

  /** Gives the trades of a submitted order to its owner; false where it has none any more. */
  execute(tag: number, order: TradedOrder): readonly TradePrint[] {
    if (tag < 0) return this.whales.take(tag, order)
    const submission = this.submitted.get(tag)
    if (!submission) return order.prints
    this.submitted.delete(tag)
    if (submission.kind === 'wish') return this.fill(submission.wish, order)
    return this.close(submission.closing, order)
  }

  private fill(wish: Wish, order: TradedOrder): readonly TradePrint[] {
    const { holding, reduceOnly, program, order: placed } = wish
    if (placed && placed.endMs !== null) return order.prints
    const wanted = reduceOnly ? reducible(holding, order.side) : sumOf(order.prints)
    const most = placed ? lesser(wanted, subtract(placed.origSz, placed.filledSz)) : wanted
    const [own, rest] = split(order.prints, most, this.context.numbers)
    const { market, timeMs, side } = order
    const isOver = own.length === 0 || (program && program.endMs !== null)
    const request = { market, timeMs, side, prints: own, taker: holding, program, reduceOnly }
    if (!isOver) this.context.matching.execute({ ...request, order: placed })
    if (placed && holding.sz === ZERO) this.context.orders.end(placed, timeMs, 'canceled')
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
   * The venue's own vault takes a position for which the market has come too late, at the mark
   * price; false where nobody is short of so much.
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

  private place(submission: Submission, market: MarketState, side: 'B' | 'A', sz: Sz): void {
    this.submitted.set(++this.tags, submission)
    const { coin } = market.row
    const liquidates = submission.kind !== 'wish'
    this.synthesiser.submit({ coin, side, lots: raw(sz), tag: this.tags, liquidates })
  }
}
