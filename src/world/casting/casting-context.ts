import type { RandomSource } from '../../random/random-source.ts'
import { AgentPool } from './agents/agents.ts'
import { CounterpartyPicker } from './agents/counterparties.ts'
import { PassiveOrders } from './agents/passive-orders.ts'
import { PositionPlans } from './agents/position-plans.ts'
import { Transfers } from './agents/transfers.ts'
import { TwapPrograms } from './agents/twap-programs.ts'
import { CalendarQueue } from './calendar-queue.ts'
import { AccountFunds } from './ledger/account-funds.ts'
import { Ledger } from './ledger/ledger.ts'
import { MarginWatch } from './ledger/margin-watch.ts'
import { Settlement } from './ledger/settlement.ts'
import { BookRecorder } from './market/book-recorder.ts'
import { FundingSchedule } from './market/funding-schedule.ts'
import { MarkPrices } from './market/mark-prices.ts'
import type { Holding, MarketState } from './market/market-state.ts'
import { MatchingEngine } from './matching/matching-engine.ts'
import { OrderManager } from './matching/order-manager.ts'
import { PendingWishes } from './matching/pending-wishes.ts'
import { RestingOrders } from './matching/resting-orders.ts'
import { StandingQuotes } from './matching/standing-quotes.ts'
import { RowNumbers } from './row-numbers.ts'
import { CLOSED_VENUE, type Venue } from './venue.ts'
import type { RowSink } from './writing/row-sink.ts'

/** What somebody does at an instant, through the same matching and ledger as everybody. */
export type CastingTask = (context: CastingContext, timeMs: number) => void

/** What a world that goes on has from its beginning. */
export interface WorldOrigin {
  readonly numbers: RowNumbers
  /** What everybody always does follows from this. */
  readonly people: RandomSource
}

/** The parts that cast a world, wired together. */
export class CastingContext {
  /** By when they are due; what runs may put further ones, which are due later or at once. */
  readonly tasks = new CalendarQueue<CastingTask>()
  readonly numbers: RowNumbers
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
  readonly margins: MarginWatch
  readonly plans: PositionPlans
  /** Where orders are carried out; set by who grows the world, before anybody acts. */
  venue: Venue = CLOSED_VENUE
  readonly wishes = new PendingWishes()
  readonly quotes = new StandingQuotes()
  readonly funds: AccountFunds
  /** The instant up to which everything is done. */
  nowMs: number

  constructor(
    readonly rows: RowSink,
    readonly markets: readonly MarketState[],
    readonly random: RandomSource,
    readonly historyStartMs: number,
    startMs: number,
    origin: WorldOrigin = newOrigin(random),
  ) {
    const { numbers, people } = origin
    this.numbers = numbers
    this.nowMs = historyStartMs
    this.agents = new AgentPool(rows, people, historyStartMs, startMs)
    this.margins = new MarginWatch(() => this.venue)
    const treasury = `0x${random.fork('treasury').hex(40)}`
    this.ledger = new Ledger(rows, numbers, random.fork('bank'), treasury, (account, timeMs) =>
      this.margins.watchAccount(account, timeMs),
    )
    this.funds = new AccountFunds(this.ledger, random.fork('funds'))
    this.orders = new OrderManager(rows, historyStartMs)
    this.passiveOrders = new PassiveOrders(this.orders, this.agents, random.fork('ladders'))
    this.plans = new PositionPlans(this, random.fork('plans'))
    this.twaps = new TwapPrograms(rows, this, random.fork('twaps'), numbers)
    this.counterparties = new CounterpartyPicker(
      this.agents,
      this.ledger,
      random.fork('choice'),
      markets,
    )
    this.settlement = new Settlement(rows, numbers, this.ledger, this.orders, this)
    this.matching = this.matchingEngine(random.fork('floor'))
    this.funding = new FundingSchedule(rows, startMs)
    this.markPrices = new MarkPrices(rows, numbers)
    this.books = new BookRecorder(rows, numbers)
    this.transfers = new Transfers(this.ledger, random.fork('errands'))
  }

  private matchingEngine(random: RandomSource): MatchingEngine {
    const { ledger, funds, orders, counterparties, wishes, quotes, settlement, twaps } = this
    const resting = new RestingOrders(ledger, funds, orders, counterparties, wishes, quotes, random)
    return new MatchingEngine(orders, settlement, funds, resting, twaps, random)
  }

  /** Runs the tasks that are due by now, each at its own instant. */
  runTasks(untilMs: number): void {
    for (let due = this.tasks.next(untilMs); due; due = this.tasks.next(untilMs)) {
      this.nowMs = Math.max(this.nowMs, due.timeMs)
      this.orders.tick(this.nowMs)
      due.item(this, this.nowMs)
    }
    this.nowMs = Math.max(this.nowMs, untilMs)
    this.orders.tick(this.nowMs)
  }

  /** Looks at the margins of all positions, which funding and other prices change slowly. */
  watchMargins(timeMs: number): void {
    for (const market of this.markets) this.venue.updatePrice(market, timeMs)
    for (const { holdings } of this.markets)
      for (const holding of holdings.values())
        if (holding.position) this.margins.watchHolding(holding, timeMs)
  }

  /** Number of the next liquidation. */
  liquidationId(): number {
    return this.numbers.next('liquidation')
  }

  /** Writes what is open and has changed since the last call. */
  writeChanged(): void {
    this.orders.writeChanged()
    this.twaps.finish()
    this.settlement.writeChanged()
  }

  /** Writes what is still open at the end of the tape. */
  finish(): void {
    this.orders.finish()
    this.twaps.finish()
    this.settlement.finish(this.markets)
  }

  /** A position was opened. */
  onOpened(holding: Holding, timeMs: number): void {
    holding.partlyLiquidated = false
    if (holding.account.agent.isPlanned) return
    this.plans.begin(holding, timeMs)
    this.passiveOrders.placeTriggers(holding, timeMs)
  }

  onClosed(holding: Holding, timeMs: number): void {
    this.passiveOrders.cancelTriggers(holding, timeMs)
  }

  /** A fill of any sort. */
  onFilled(holding: Holding, timeMs: number): void {
    this.margins.watchHolding(holding, timeMs)
  }
}

function newOrigin(random: RandomSource): WorldOrigin {
  return { numbers: new RowNumbers(), people: random.fork('people') }
}
