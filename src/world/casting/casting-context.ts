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
import type { RowSink } from './writing/row-sink.ts'

/** A price may move so far before everybody's margin is looked at again. */
const MARGIN_CHECK_MOVE = 0.004
/** An isolated position is given up when so much of its margin is left. */
const STOP_LOSS = 0.55

/** Everything that a story is written with, put together. */
export class CastingContext {
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

  /** Ends what was to end by now. Charged hours are left to who calls. */
  tick(timeMs: number): void {
    this.orders.tick(timeMs)
    this.twaps.tick(timeMs)
  }

  /**
   * Looks after everybody once a price has moved; answers who should give up an isolated position.
   */
  afterPriceMove(market: MarketState, timeMs: number): Holding[] {
    this.passiveOrders.pullNear(market, timeMs)
    if (!market.isPerp || Math.abs(ratio(market.px, market.checkedPx) - 1) < MARGIN_CHECK_MOVE)
      return []
    market.checkedPx = market.px
    const stops: Holding[] = []
    for (const held of market.holdings.values()) {
      if (held.sz === ZERO || held.account.awaitsLiquidation) continue
      if (!held.isolated) this.ledger.ensureMargin(held.account, 0, null, timeMs)
      else if (isolatedEquity(held) < (STOP_LOSS * Math.abs(raw(held.cost))) / held.leverage)
        stops.push(held)
    }
    return stops
  }

  /** Writes what is still open when the story ends. */
  finish(): void {
    this.orders.finish()
    this.twaps.finish()
    this.settlement.finish(this.markets)
  }

  private onPositionOpened = (held: Holding, timeMs: number): void => {
    const holdMs = this.counterparties.holdMs(held.account.agent.role)
    if (holdMs !== undefined) held.market.planExit(held, timeMs + holdMs)
    this.passiveOrders.placeTriggers(held, timeMs)
  }

  private onPositionClosed = (held: Holding, timeMs: number): void => {
    this.passiveOrders.cancelTriggers(held, timeMs)
  }
}
