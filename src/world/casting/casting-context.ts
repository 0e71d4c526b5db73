import { ratio, raw, ZERO } from '../../decimal/quantity.ts'
import type { RandomSource } from '../../random/random-source.ts'
import { AgentPool } from './agents/agents.ts'
import { CounterpartyPicker } from './agents/counterparties.ts'
import { PassiveOrders } from './agents/passive-orders.ts'
import { Transfers } from './agents/transfers.ts'
import { TwapPrograms } from './agents/twap-programs.ts'
import { Ledger } from './ledger/ledger.ts'
import { Settlement } from './ledger/settlement.ts'
import { isolatedEquity } from './ledger/sub-account.ts'
import { BookRecorder } from './market/book-recorder.ts'
import { FundingSchedule } from './market/funding-schedule.ts'
import { MarkPrices } from './market/mark-prices.ts'
import type { Holding, MarketState } from './market/market-state.ts'
import { MatchingEngine } from './matching/matching-engine.ts'
import { OrderManager } from './matching/order-manager.ts'
import { TimedQueue } from './timed-queue.ts'
import type { RowSink } from './writing/row-sink.ts'

/** A price may move so far before all margins are checked again. */
const MARGIN_CHECK_MOVE = 0.004
/** An isolated position is closed by its owner when so much of its margin is left. */
const STOP_LOSS = 0.55

/** What somebody does at an instant, through the same matching and ledger as everybody. */
export type CastingTask = (context: CastingContext, timeMs: number) => void

/** The parts that cast a world, wired together. */
export class CastingContext {
  /** By when they are due; what runs may put further ones, which are due later or at once. */
  readonly tasks = new TimedQueue<CastingTask>()
  readonly agents: AgentPool
  readonly ledger: Ledger
  readonly orders: OrderManager
  readonly passiveOrders: PassiveOrders
  readonly twaps: TwapPrograms
  readonly counterparties: CounterpartyPicker
  readonly settlement: Settlement
  readonly matching: MatchingEngine
  readonly funding: FundingSchedule
  readonly markPrices: MarkPrices
  readonly books: BookRecorder
  readonly transfers: Transfers

  constructor(
    readonly rows: RowSink,
    readonly markets: readonly MarketState[],
    readonly random: RandomSource,
    readonly historyStartMs: number,
    startMs: number,
  ) {
    const treasury = `0x${random.fork('treasury').hex(40)}`
    this.agents = new AgentPool(rows, random.fork('people'), historyStartMs, markets.length)
    this.ledger = new Ledger(rows, random.fork('bank'), treasury)
    this.orders = new OrderManager(rows, historyStartMs)
    this.passiveOrders = new PassiveOrders(this.orders, this.agents, random.fork('ladders'))
    this.twaps = new TwapPrograms(
      rows,
      this.agents,
      random.fork('twaps'),
      random.fork('ids').between(1e6, 2e6),
    )
    this.counterparties = new CounterpartyPicker(this.agents, this.ledger, random.fork('choice'))
    this.settlement = new Settlement(
      rows,
      this.ledger,
      this.orders,
      this.onPositionOpened,
      this.onPositionClosed,
    )
    const { ledger, orders, settlement, counterparties, twaps } = this
    this.matching = new MatchingEngine(
      ledger,
      orders,
      settlement,
      counterparties,
      twaps,
      random.fork('floor'),
    )
    this.funding = new FundingSchedule(rows, startMs)
    this.markPrices = new MarkPrices(rows)
    this.books = new BookRecorder(rows)
    this.transfers = new Transfers(this.ledger, random.fork('errands'))
  }

  /** Runs the tasks that are due by now, each at its own instant. */
  runTasks(untilMs: number): void {
    for (let due = this.tasks.next(untilMs); due; due = this.tasks.next(untilMs)) {
      this.tick(due.timeMs)
      due.item(this, due.timeMs)
    }
  }

  /** Ends the orders and TWAPs due by now. Funding hours are charged by the caller. */
  tick(timeMs: number): void {
    this.orders.tick(timeMs)
    this.twaps.tick(timeMs)
  }

  /**
   * Pulls passive orders and tops up margins once a price has moved; answers the isolated positions
   * that their owners should close.
   */
  afterPriceMove(market: MarketState, timeMs: number): Holding[] {
    this.passiveOrders.pullNear(market, timeMs)
    if (!market.isPerp || Math.abs(ratio(market.px, market.checkedPx) - 1) < MARGIN_CHECK_MOVE)
      return []
    market.checkedPx = market.px
    const toClose: Holding[] = []
    for (const holding of market.holdings.values()) {
      if (holding.sz === ZERO || holding.account.awaitsLiquidation) continue
      if (holding.account.tendMargin) holding.account.tendMargin(timeMs)
      else if (!holding.isolated) this.ledger.ensureMargin(holding.account, 0, null, timeMs)
      else if (
        isolatedEquity(holding) <
        (STOP_LOSS * Math.abs(raw(holding.cost))) / holding.leverage
      )
        toClose.push(holding)
    }
    return toClose
  }

  /** Writes what is still open at the end of the tape. */
  finish(): void {
    this.orders.finish()
    this.twaps.finish()
    this.settlement.finish(this.markets)
  }

  private onPositionOpened = (holding: Holding, timeMs: number): void => {
    if (holding.account.agent.persona) return
    const holdMs = this.counterparties.holdMs(holding.account.agent.role)
    if (holdMs !== undefined) holding.market.planExit(holding, timeMs + holdMs)
    this.passiveOrders.placeTriggers(holding, timeMs)
  }

  private onPositionClosed = (holding: Holding, timeMs: number): void => {
    this.passiveOrders.cancelTriggers(holding, timeMs)
  }
}
