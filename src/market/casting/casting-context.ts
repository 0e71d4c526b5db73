import { HOUR_MS } from '../../clock/instant.ts'
import { add, usd as money, type Px, type Rate, raw, ZERO } from '../../decimal/quantity.ts'
import type { RandomSource } from '../../random/random-source.ts'
import { indexStep } from '../accounting/funding.ts'
import { logUniform } from '../synth/distributions.ts'
import { AgentPool } from './agents/agents.ts'
import { CounterpartyPicker, PassiveOrders } from './agents/passive-orders.ts'
import { PositionPlans } from './agents/position-plans.ts'
import { TwapPrograms } from './agents/twap-programs.ts'
import type { FundingHour } from './history/price-path.ts'
import { AccountFunds, crossMargin, isolatedEquity, Ledger } from './ledger/ledger.ts'
import { FeeDays, Settlement } from './ledger/settlement.ts'
import { BookRecorder } from './market/book-recorder.ts'
import type { Holding, MarketState, PriceAlarm, SubAccount } from './market/market-state.ts'
import { OrderManager } from './matching/order-manager.ts'
import {
  MatchingEngine,
  OrderIntents,
  RestingOrders,
  StandingQuotes,
} from './matching/resting-orders.ts'
import { RowNumbers } from './row-numbers.ts'
import { CalendarQueue } from './timed-queue.ts'
import { CLOSED_VENUE, type Venue } from './venue.ts'
import type { RowSink } from './writing/row-sink.ts'

/** An agent's action at an instant, through the same matching and ledger as all others. */
export type CastingTask = (context: CastingContext, timeMs: number) => void

/** Properties of a world that are fixed from its beginning. */
export interface WorldOrigin {
  readonly numbers: RowNumbers
  /** Source of lasting habits. */
  readonly people: RandomSource
}

/** The connected parts that cast a world. */
export class CastingContext {
  /** Scheduled tasks in order of time; a task may schedule further ones, later or at once. */
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
  /** Execution venue; set by the grower before any agent acts. */
  venue: Venue = CLOSED_VENUE
  readonly wishes = new OrderIntents()
  readonly quotes = new StandingQuotes()
  readonly funds: AccountFunds
  readonly feeDays: FeeDays
  /** Instant up to which everything is done. */
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
    this.feeDays = new FeeDays(startMs)
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
    this.settlement = new Settlement(rows, numbers, this.ledger, this.orders, this, this.feeDays)
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

  /** Runs the due tasks, each at its own instant. */
  runTasks(untilMs: number): void {
    for (let due = this.tasks.next(untilMs); due; due = this.tasks.next(untilMs)) {
      this.nowMs = Math.max(this.nowMs, due.timeMs)
      this.orders.tick(this.nowMs)
      due.item(this, this.nowMs)
    }
    this.nowMs = Math.max(this.nowMs, untilMs)
    this.orders.tick(this.nowMs)
  }

  /** Checks the margins of all positions, which funding and other prices change slowly. */
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

  /** Writes open records that changed since the last call. */
  writeChanged(): void {
    this.orders.writeChanged()
    this.twaps.finish()
    this.settlement.writeChanged()
  }

  /** Writes records still open at the end of the tape. */
  finish(): void {
    this.orders.finish()
    this.twaps.finish()
    this.settlement.finish(this.markets)
  }

  /** Handles an opened position. */
  onOpened(holding: Holding, timeMs: number): void {
    holding.partlyLiquidated = false
    if (holding.account.agent.isPlanned) return
    this.plans.begin(holding, timeMs)
    this.passiveOrders.placeTriggers(holding, timeMs)
  }

  onClosed(holding: Holding, timeMs: number): void {
    this.passiveOrders.cancelTriggers(holding, timeMs)
  }

  /** Handles a fill of any kind. */
  onFilled(holding: Holding, timeMs: number): void {
    this.margins.watchHolding(holding, timeMs)
  }
}

function newOrigin(random: RandomSource): WorldOrigin {
  return { numbers: new RowNumbers(), people: random.fork('people') }
}

/** Sampling interval of marks where the tape has none. */
const SAMPLE_MS = 3_000

/** Mark prices: the tape's own, or samples of the mid price. */
class MarkPrices {
  private readonly last = new Map<MarketState, { timeMs: number; px: Px }>()

  constructor(
    private readonly rows: RowSink,
    private readonly numbers: RowNumbers,
  ) {}

  /** A mark of the tape or of the history. */
  mark(market: MarketState, timeMs: number, mark: Px, oracle: Px): void {
    market.oracle = oracle
    this.last.set(market, { timeMs, px: mark })
    this.write(market, timeMs, mark, oracle)
  }

  /** Samples the mid price as mark, if the tape has no marks and it has moved. */
  sample(market: MarketState, timeMs: number, midPrice: () => Px | null): void {
    const last = this.last.get(market)
    if (market.hasTapeMarks || (last && timeMs - last.timeMs < SAMPLE_MS)) return
    const px = midPrice() ?? market.px
    if (px === ZERO || px === last?.px) return
    market.oracle = market.onTick(raw(px) / (1 + raw(market.premium) / 1e10))
    this.last.set(market, { timeMs, px })
    this.write(market, timeMs, px, market.oracle)
  }

  private write(market: MarketState, timeMs: number, mark: Px, oracle: Px): void {
    const id = this.numbers.next('mark')
    this.rows.add('mark', { id, instrument: market.row.id, timeMs, mark, oracle })
  }
}

const USD = 1e6
/** Multiple of the open positions' margin that must stay in the account. */
const MARGIN_MULTIPLE_MIN = 1.5

/** Voluntary money movements of agents: deposits, withdrawals, and transfers. */
class Transfers {
  constructor(
    private readonly ledger: Ledger,
    private readonly random: RandomSource,
  ) {}

  /** Makes one transfer, if the drawn agent can afford it. */
  run(timeMs: number): void {
    const { random, ledger } = this
    if (ledger.accounts.length < 2) return
    const account = this.mainAccount(timeMs)
    if (!account) return
    const { agent } = account
    if (random.chance(0.22)) {
      const usd =
        Math.ceil((agent.wealthUsd * logUniform(random, 0.02, 0.3)) / (50 * USD)) * 50 * USD
      return ledger.deposit(account, money(usd), timeMs)
    }
    const { equity, initial } = crossMargin(account)
    const free = Math.min(equity, raw(account.cash)) - MARGIN_MULTIPLE_MIN * initial - 100 * USD
    const usd = Math.floor((free * (0.1 + 0.4 * random.unit())) / (10 * USD)) * 10 * USD
    if (usd < 100 * USD) return
    if (random.chance(0.8)) return ledger.withdraw(account, money(usd), timeMs)
    const other = this.mainAccount(timeMs)
    if (other && other !== account) ledger.internalTransfer(account, other, money(usd), timeMs)
  }

  private mainAccount(timeMs: number): SubAccount | undefined {
    const account = this.random.pick(this.ledger.accounts)
    const usable = account.dex === '' && !account.awaitsLiquidation && account.lastMs <= timeMs
    const { role, isPlanned } = account.agent
    return usable && role !== 'named' && !isPlanned ? account : undefined
  }
}

/** Charges funding at each full hour, and records the rates announced in between. */
class FundingSchedule {
  private nextMs: number

  /** @param fromMs start of the tape: earlier hours belong to the history */
  constructor(
    private readonly rows: RowSink,
    fromMs: number,
  ) {
    this.nextMs = Math.ceil(fromMs / HOUR_MS) * HOUR_MS
  }

  /** Writes an hour of the history, whose rates are known beforehand. */
  recordPast(market: MarketState, hour: FundingHour): void {
    market.fundingIndex = hour.fundingIndex
    market.rate = hour.rate
    market.premium = hour.premium
    this.rows.add('funding', { ...hour, instrument: market.row.id, charged: true })
  }

  /** Takes a rate from the tape; it is charged at the next full hour. */
  announce(market: MarketState, timeMs: number, rate: Rate, premium: Rate): void {
    market.rate = rate
    market.premium = premium
    this.write(market, timeMs, false)
  }

  /** Charges the hours before `timeMs`; one exactly at it waits, as its rate may still come. */
  tick(markets: Iterable<MarketState>, timeMs: number): void {
    while (this.nextMs < timeMs) {
      for (const market of markets) {
        if (!market.isPerp || market.px === ZERO) continue
        const step = indexStep(market.rate, market.oracle, market.row)
        market.fundingIndex = add(market.fundingIndex, step)
        this.write(market, this.nextMs, true)
      }
      this.nextMs += HOUR_MS
    }
  }

  private write(market: MarketState, timeMs: number, charged: boolean): void {
    const { rate, premium, fundingIndex, oracle } = market
    const row = { rate, premium, oracle, charged, fundingIndex }
    this.rows.add('funding', { instrument: market.row.id, timeMs, ...row })
  }
}

/** An alarm set too near is kept while it is not much nearer. */
const KEPT_FROM = 0.4
const RECHECK_MS = 500

/**
 * Detects accounts with too little margin without checking any before its prices move: each
 * position has an alarm at the price at which it alone has lost its part of the spare equity.
 */
class MarginWatch {
  constructor(private readonly venue: () => Venue) {}

  /** Call after a fill. */
  watchHolding(holding: Holding, timeMs: number): void {
    if (!holding.market.isPerp || holding.account.awaitsLiquidation) return
    if (holding.isolated) this.watchIsolated(holding, timeMs)
    else this.watchCross(holding.account, timeMs)
  }

  /** Call after money has left. */
  watchAccount(account: SubAccount, timeMs: number): void {
    if (!account.awaitsLiquidation) this.watchCross(account, timeMs)
  }

  private watchCross(account: SubAccount, timeMs: number): void {
    const { equity, maintenance, positions } = crossMargin(account)
    if (positions === 0) return
    const free = (equity - this.venue().marginFloor * maintenance) / positions
    for (const holding of account.holdings)
      if (holding.sz !== ZERO && !holding.isolated) this.arm(holding, free, timeMs)
  }

  private watchIsolated(holding: Holding, timeMs: number): void {
    if (holding.sz === ZERO) return
    const { market, sz } = holding
    const maintenance = Math.abs(market.marginValue(sz)) * market.maintenanceRate
    const floor = this.venue().marginFloor * maintenance
    this.arm(holding, isolatedEquity(holding) - floor, timeMs)
  }

  /** `free` is the loss that the position may take, micro-dollars. */
  private arm(holding: Holding, free: number, timeMs: number): void {
    const { market, sz } = holding
    const long = sz > ZERO
    const value = Math.abs(market.marginValue(sz))
    // A long position's required margin falls with the price, a short one's rises.
    const rate = market.maintenanceRate * this.venue().marginFloor * (long ? -1 : 1)
    const away = Math.max(0, free / (value * (1 + rate)))
    const px = raw(market.marginPx) * (long ? 1 - away : 1 + away)
    if (px <= 0) return
    const known = holding.marginAlarm
    if (known && known.above !== long) {
      const knownAway = Math.abs(known.px / raw(market.marginPx) - 1)
      if (knownAway <= away && knownAway >= KEPT_FROM * away) return
    }
    const alarm: PriceAlarm = {
      px,
      above: !long,
      ofMark: market.mark !== null,
      run: (runMs) => {
        if (holding.marginAlarm !== alarm) return
        holding.marginAlarm = null
        this.check(holding, runMs)
      },
    }
    holding.marginAlarm = alarm
    this.venue().arm(market, alarm, timeMs)
  }

  /** Liquidates a position whose margin is too little; else watches it. */
  check(holding: Holding, timeMs: number): void {
    const { account } = holding
    if (holding.sz === ZERO || account.awaitsLiquidation) return
    const venue = this.venue()
    for (const { market, sz } of account.holdings)
      if (sz !== ZERO) venue.updatePrice(market, timeMs)
    if (this.isShort(holding))
      venue.enforceMargin(account, holding.isolated ? holding : null, timeMs)
    // Avoids an alarm at once for a price between two ticks.
    else this.watchHolding(holding, timeMs + RECHECK_MS)
  }

  /**
   * Whether the margin behind a position is too little, within a hair of the floor: the venue's, or
   * another part of the maintenance margin.
   */
  isShort(holding: Holding, part = this.venue().marginFloor): boolean {
    const { market, sz, account } = holding
    const floor = part * 1.002
    if (holding.isolated)
      return (
        isolatedEquity(holding) <= floor * Math.abs(market.marginValue(sz)) * market.maintenanceRate
      )
    const { equity, maintenance } = crossMargin(account)
    return equity <= floor * maintenance
  }
}
