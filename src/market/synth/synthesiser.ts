import { MINUTE_MS } from '../../clock/instant.ts'
import { randomSource } from '../../random/random-source.ts'
import {
  CrowdClosings,
  newClosings,
  type PlannedLiquidation,
  plannedLiquidations,
} from '../bars/liquidations.ts'
import { PriceTrends } from '../bars/market-regimes.ts'
import type { TimedMarketEvent } from '../events/market-event.ts'
import { EventEffects, type ForcedOrder } from './effects/event-effects.ts'
import { type InstrumentProfile, volatilityBp } from './instrument-profile.ts'
import { LocalConditions, type MarketOpening, minuteSigma, openMarket } from './local-conditions.ts'
import {
  CALM,
  type Conditions,
  type ConditionsState,
  DerivativeMetrics,
  MarketConditions,
  newConditions,
  STEP_MS,
  stationaryConditions,
} from './market-conditions.ts'
import {
  FairPrice,
  type MarketState,
  newMarket,
  PUBLISH_MS,
  Publications,
  type Task,
  TaskSchedule,
} from './market-state.ts'
import type { LiquidationCascade, MoodName } from './mood.ts'
import {
  type BookSide,
  OrderMatching,
  OUTWARD_STEP,
  priceGrid,
  SynthBook,
  tickBp,
} from './order-matching.ts'
import { Quoting } from './quoting.ts'
import type { SubmittedOrder, SynthEvent, TakerSide } from './synth-event.ts'
import { Takers } from './takers.ts'

/** All markets between two steps, as plain data that can be stored, copied and continued. */
export interface SynthesiserState {
  /** Key of the random draws. */
  key: string
  startMs: number
  /** When the next step begins, ms since the start. */
  nextMs: number
  conditions: ConditionsState
  /** A follower comes after its leader. */
  markets: MarketState[]
  /** Orders from outside for the next step. */
  submitted: SubmittedOrder[]
}

/** Source of the conditions of a market without an end. */
export interface Wandering {
  /** Key of its noise, shared by markets that continue one another. */
  key: string
  /** Start of the noise: before, conditions equal the profiles'. */
  sinceMs: number
  mood?: MoodName | null
}

/**
 * The markets of a seed before their first books. They go through cycles of twenty minutes, each
 * with a quiet phase and a cascade, or follow `wander` without an end.
 */
export function newSynthesiser(
  seed: number,
  startMs: number,
  profiles: readonly InstrumentProfile[],
  wandering: { mood: MoodName | null } | null = null,
): SynthesiserState {
  const key = `${seed}/synth`
  const wander = wandering && wanderOf({ key, sinceMs: startMs, mood: wandering.mood })
  return {
    key,
    startMs,
    nextMs: 0,
    conditions: newConditions(`${key}/weather`, wander),
    markets: profiles.map((profile, lane) => {
      const ownKey = marketKey(key, profile.coin)
      const market = newMarket(profile, ownKey, { key, lane })
      const { interest } = market.metrics
      if (wander) market.closings = newClosings(ownKey, profile, { interest })
      return market
    }),
    submitted: [],
  }
}

/**
 * Markets that continue from given books and prices. `key` seeds draws from `startMs` on; a
 * follower comes after its leader.
 */
export function openSynthesiser(
  key: string,
  startMs: number,
  openings: readonly MarketOpening[],
  wandering: Wandering,
): SynthesiserState {
  const wander = wanderOf(wandering)
  return {
    key,
    startMs,
    nextMs: 0,
    conditions: stationaryConditions(`${key}/weather`, wander),
    markets: openings.map((each, lane) =>
      openMarket(each, marketKey(key, each.profile.coin), { key, lane }, startMs, wander),
    ),
    submitted: [],
  }
}

/** Advances a state, without end; the state is changed in place. */
export class Synthesiser {
  private readonly conditions: MarketConditions
  private readonly markets: Map<string, SynthMarket>
  private readonly all: readonly SynthMarket[]

  /** `events` are market events by tape time, which act from then on. */
  constructor(
    private readonly state: SynthesiserState,
    events: readonly TimedMarketEvent[] = [],
  ) {
    this.conditions = new MarketConditions(state.conditions, state.startMs)
    this.markets = assembleMarkets(state, events)
    this.all = [...this.markets.values()]
  }

  /** Queues an order from outside for the next step, which matches it within the slippage. */
  submit(order: SubmittedOrder): void {
    this.market(order.coin)
    this.state.submitted.push(order)
  }

  /** The events of the next step, in order of time; the first one begins with all books. */
  step(): SynthEvent[] {
    const { state } = this
    const { nextMs } = state
    const { all: markets } = this
    const events: SynthEvent[] = []
    if (nextMs === 0) for (const market of markets) market.open(events)
    for (const order of state.submitted.splice(0)) this.market(order.coin).submit(order)
    const conditions = this.conditions.step(nextMs)
    const cascade = this.conditions.cascadeAt(nextMs)
    for (const market of markets) market.step(nextMs, conditions, cascade, events)
    state.nextMs += STEP_MS
    return events.length < 2 ? events : events.sort((a, b) => a.timeMs - b.timeMs)
  }

  private market(coin: string): SynthMarket {
    const market = this.markets.get(coin)
    if (!market) throw new Error(`there is no market of ${coin}`)
    return market
  }
}

function assembleMarkets(
  state: SynthesiserState,
  events: readonly TimedMarketEvent[],
): Map<string, SynthMarket> {
  const { startMs, conditions } = state
  const markets = new Map<string, SynthMarket>()
  const profiles = state.markets.map(({ profile }) => profile)
  for (const each of state.markets) {
    const { profile } = each
    const { coin, follows } = profile
    const effects = events.length === 0 ? null : new EventEffects(events, profile, profiles)
    const trends = new PriceTrends(minuteSigma(profile), each.trends)
    const local = new LocalConditions(profile, conditions.wander, effects, trends)
    const leader = markets.get(follows ?? '')
    const key = marketKey(state.key, coin)
    markets.set(coin, new SynthMarket(each, { key, startMs, local, trends, effects, leader }))
  }
  return markets
}

function wanderOf({ key, sinceMs, mood = null }: Wandering) {
  const salt = randomSource(key, 'wandering').between(0, 2 ** 32 - 1)
  return { salt, sinceMs, mood }
}

function marketKey(root: string, coin: string): string {
  return `${root}/${coin}`
}

/** Largest distance of an order from outside to the fair price: many at once go no further. */
const SLIPPAGE = 0.006
/** The same for a liquidation: the rest waits until the book is full again. */
const CLOSING_SLIPPAGE = 0.0025
/** The same for the crowd's closings, of which many come at once: moves of a second. */
const CLOSING_REACH = 6
/** The same for those of an event: less than any maintenance margin. */
const EVENT_REACH = 0.006
const WHOLE_BOOK = Number.POSITIVE_INFINITY

/** Impact of the crowd's closings relative to other orders: makers expect them in a cascade. */
const CLOSING_IMPACT = 0.1

type ForcedTrade = Omit<SubmittedOrder, 'coin' | 'tag'> & { tag?: number; weight?: number }

/** Forced orders of an instrument: liquidations, and orders from outside. */
class ForcedFlow {
  readonly crowd: CrowdClosings | null
  /** Ticks of the initial price. */
  private readonly ticksOfPrice: number
  /** Largest distance of the crowd's closings to the best price, as a fraction. */
  private readonly reach: number

  constructor(
    private readonly state: MarketState,
    private readonly book: SynthBook,
    private readonly price: FairPrice,
    private readonly metrics: DerivativeMetrics,
    private readonly matching: OrderMatching,
    private readonly quoting: Quoting,
    private readonly publications: Publications,
    private readonly schedule: TaskSchedule,
    private readonly startMs: number,
  ) {
    const { closings, profile } = state
    this.ticksOfPrice = 10_000 / tickBp(profile)
    this.reach = CLOSING_REACH * 1e-4 * volatilityBp(profile)
    this.crowd = closings && new CrowdClosings(profile, closings)
  }

  /** Plans the liquidations of a cascade once, where no crowd is known; `key` seeds its draws. */
  plan(cascade: LiquidationCascade, nowMs: number, key: string): void {
    const { state } = this
    if (this.crowd || cascade.toMs <= state.plannedUntilMs) return
    state.plannedUntilMs = cascade.toMs
    const random = randomSource(key, `forced ${cascade.fromMs}`)
    const planned = plannedLiquidations(state.profile, cascade, this.price.lotDollars(), random)
    this.add(planned.filter(({ atMs }) => atMs >= nowMs))
  }

  /** Plans the closings of the positions that a mark reaches, until the next one. */
  onMark(nowMs: number): void {
    const { crowd, price, state } = this
    if (!crowd) return
    const log = Math.log(price.dollars() / state.profile.startPx)
    this.add(crowd.onMark(nowMs, PUBLISH_MS.mark, log, price.lotDollars()))
  }

  private add(planned: readonly PlannedLiquidation[]): void {
    const { state } = this
    if (planned.length === 0) return
    state.liquidations = [...state.liquidations, ...planned].sort((a, b) => a.atMs - b.atMs)
    this.schedule.set('liquidation', state.liquidations[0]?.atMs)
  }

  /** Executes the liquidation that is due. */
  liquidateNext(ms: number, events: SynthEvent[]): void {
    const { liquidations } = this.state
    const plan = liquidations.shift()
    this.schedule.set('liquidation', liquidations[0]?.atMs)
    if (!plan) return
    const { position, lots, isStop } = plan
    if (!isStop) return void this.liquidate(ms, position, lots, events)
    const side = position === 'long' ? 'A' : 'B'
    const stop = { side, lots, liquidates: true, weight: CLOSING_IMPACT } as const
    this.crowd?.putBack(position, lots - this.trade(ms, stop, this.reach, events))
  }

  /** Executes an order from outside. */
  submit(ms: number, order: SubmittedOrder, events: SynthEvent[]): void {
    if (order.liquidates) return void this.trade(ms, order, CLOSING_SLIPPAGE, events)
    const side: BookSide = order.side === 'B' ? 'asks' : 'bids'
    const beyond = (this.book.best(side) - this.quoting.view().fair) * OUTWARD_STEP[side]
    const slippage = SLIPPAGE - beyond / this.ticksOfPrice
    if (slippage > 0) this.trade(ms, order, slippage, events)
  }

  /** Executes an order up to a distance to the best price; returns the lots that were filled. */
  private trade(
    ms: number,
    { side, lots, tag, liquidates, weight }: ForcedTrade,
    slippage: number,
    events: SynthEvent[],
  ): number {
    const taken = this.takeable(ms, side, lots, slippage, events)
    if (taken.lots === 0) return 0
    if (liquidates) this.metrics.onClosing(taken.lots)
    else this.metrics.onTrade(taken.lots)
    const order = { ...taken, tag, weight }
    if (this.matching.match(this.startMs + ms, order, events)) this.quoting.hasten(ms)
    return taken.lots
  }

  /** Executes an order of a market event. */
  force(ms: number, order: ForcedOrder, events: SynthEvent[]): void {
    const { side, usd, liquidates, tag } = order
    const lots = Math.max(1, Math.round(usd / this.price.lotDollars()))
    if (liquidates) this.crowd?.cover(liquidates, this.liquidate(ms, liquidates, lots, events, tag))
    else this.trade(ms, { side, lots, tag }, WHOLE_BOOK, events)
  }

  /**
   * Executes a liquidation: the mark that triggers it, its event, and its trades. The venue's vault
   * takes over what of the crowd's positions the book cannot take near the price, at the mark.
   * Returns the lots.
   */
  private liquidate(
    ms: number,
    position: 'long' | 'short',
    wanted: number,
    events: SynthEvent[],
    tag?: number,
  ): number {
    const side = position === 'long' ? 'A' : 'B'
    const reach = this.crowd ? (tag === undefined ? this.reach : EVENT_REACH) : WHOLE_BOOK
    const taken = this.takeable(ms, side, wanted, reach, events)
    const lots = this.crowd ? wanted : taken.lots
    if (lots === 0) return 0
    const timeMs = this.startMs + ms
    const published = this.publications.mark(timeMs)
    const { mark, coin } = published
    const tids: number[] = []
    events.push(published, { kind: 'liquidation', timeMs, coin, position, lots, mark, tids })
    const weight = this.crowd && tag === undefined ? CLOSING_IMPACT : 1
    if (taken.lots > 0 && this.matching.match(timeMs, { ...taken, tag, tids, weight }, events))
      this.quoting.hasten(ms)
    const rest = lots - taken.lots
    if (rest > 0) tids.push(this.matching.takeOver(timeMs, { side, px: mark, lots: rest }, events))
    this.metrics.onClosing(lots)
    return lots
  }

  /** Part of an order that the book can fill; makers refill a thin one before. */
  private takeable(
    ms: number,
    takerSide: TakerSide,
    lots: number,
    slippage: number,
    events: SynthEvent[],
  ): { side: BookSide; lots: number } {
    const { book } = this
    const side: BookSide = takerSide === 'B' ? 'asks' : 'bids'
    if (book.isThin(side)) this.quoting.refresh(ms, events)
    const worst = book.best(side) + OUTWARD_STEP[side] * slippage * this.ticksOfPrice
    const levels = Math.max(1, book.levelsUpTo(side, worst))
    return { side, lots: Math.min(lots, book.sizeWithin(side, levels)) }
  }
}

/** Staleness at which makers requote at once. */
const REQUOTE_MOVE = 1
/** Tasks that a halted market skips. */
const TRADING: ReadonlySet<Task> = new Set(['liquidation', 'order', 'refresh'])

/** Fixed parameters of a market. */
interface MarketSetting {
  /** Key of its random draws. */
  key: string
  startMs: number
  local: LocalConditions
  trends: PriceTrends
  /** Effects of market events; null for none. */
  effects: EventEffects | null
  /** The market whose price it follows. */
  leader: SynthMarket | undefined
}

/** One instrument's market: its book, makers and takers, and published metrics. */
class SynthMarket {
  readonly price: FairPrice
  private readonly book: SynthBook
  private readonly quoting: Quoting
  private readonly takers: Takers
  private readonly forced: ForcedFlow
  private readonly metrics: DerivativeMetrics
  private readonly matching: OrderMatching
  private readonly publications: Publications
  private readonly schedule: TaskSchedule
  private conditions = CALM
  private submitted: SubmittedOrder[] = []

  constructor(
    state: MarketState,
    private readonly setting: MarketSetting,
  ) {
    const { profile } = state
    const { local, leader, startMs } = setting
    const grid = priceGrid(profile)
    const price = new FairPrice(profile, state.price, leader?.price)
    const book = new SynthBook(state.book)
    const schedule = new TaskSchedule(state.schedule)
    const metrics = new DerivativeMetrics(grid, state.metrics)
    const matching = new OrderMatching(state, book, price, grid)
    const publications = new Publications(state, book, price, metrics, local)
    const quoting = new Quoting(state, book, price, grid, local, matching, schedule, startMs)
    const means = [matching, quoting, publications, schedule] as const
    this.forced = new ForcedFlow(state, book, price, metrics, ...means, startMs)
    this.takers = new Takers(profile, state.takers)
    this.price = price
    this.book = book
    this.schedule = schedule
    this.metrics = metrics
    this.matching = matching
    this.publications = publications
    this.quoting = quoting
  }

  /** Adds the first book, or the missing levels of an existing one. */
  open(events: SynthEvent[]): void {
    this.quoting.open(events)
  }

  /** Queues an order from outside for the next step. */
  submit(order: SubmittedOrder): void {
    this.submitted.push(order)
  }

  /** Adds the events of the step that begins `fromMs` after the start, in order of time. */
  step(
    fromMs: number,
    conditions: Conditions,
    cascade: LiquidationCascade | null,
    events: SynthEvent[],
  ): void {
    const { local, trends, effects, startMs, key } = this.setting
    const timeMs = startMs + fromMs
    const isMinute = timeMs % MINUTE_MS < STEP_MS
    if (isMinute) trends.add(this.price.log())
    local.at(timeMs, this.forced.crowd ?? undefined)
    this.conditions = conditions
    this.quoting.begin(conditions)
    this.price.step(conditions, local, effects?.moveBetween(timeMs, timeMs + STEP_MS) ?? 0)
    if (cascade) this.forced.plan(cascade, fromMs, key)
    if (isMinute && this.forced.crowd) this.metrics.onMinute(local.interest)
    if (local.halted) return this.pause(fromMs, events)
    const pull = this.quoting.pull()
    if (Math.abs(pull) > REQUOTE_MOVE) this.quoting.hasten(fromMs)
    this.takers.arrive(conditions, pull, local.activity)
    this.awaitOrder(fromMs)
    this.takeFromOutside(fromMs, events)
    this.runTasks(fromMs, events)
  }

  private takeFromOutside(fromMs: number, events: SynthEvent[]): void {
    const { effects, startMs } = this.setting
    for (const order of this.submitted) this.forced.submit(fromMs, order, events)
    this.submitted = []
    if (!effects) return
    const timeMs = startMs + fromMs
    for (const order of effects.ordersBetween(timeMs, timeMs + STEP_MS))
      this.forced.force(fromMs, order, events)
  }

  /** Runs a step without trading: due tasks wait, and orders from outside are not filled. */
  private pause(fromMs: number, events: SynthEvent[]): void {
    this.submitted = []
    for (const task of TRADING) this.schedule.postpone(task, fromMs + STEP_MS)
    this.runTasks(fromMs, events)
  }

  private runTasks(fromMs: number, events: SynthEvent[]): void {
    for (;;) {
      const next = this.schedule.next(fromMs + STEP_MS)
      if (next === null) return
      this.run(next.task, next.ms, fromMs, events)
    }
  }

  private run(task: Task, ms: number, fromMs: number, events: SynthEvent[]): void {
    if (task === 'liquidation') return this.forced.liquidateNext(ms, events)
    if (task === 'order') {
      this.awaitOrder(fromMs)
      return this.order(ms, events)
    }
    if (task === 'refresh') return this.quoting.refresh(ms, events)
    const timeMs = this.setting.startMs + ms
    const overdueMs = task === 'funding' ? timeMs % PUBLISH_MS.funding : 0
    this.schedule.set(task, ms + PUBLISH_MS[task] - overdueMs)
    events.push(this.publications.of(task, timeMs))
    if (task === 'mark' && !this.setting.local.halted) this.forced.onMark(ms)
  }

  private awaitOrder(fromMs: number): void {
    const ms = this.takers.nextArrivalMs()
    this.schedule.set('order', ms === undefined ? undefined : fromMs + ms)
  }

  private order(ms: number, events: SynthEvent[]): void {
    const { quoting, book } = this
    const order = this.takers.order(book, quoting.view(), quoting.pull(), this.conditions)
    if (book.isThin(order.side) || order.lots === 0) return quoting.refresh(ms, events)
    this.metrics.onTrade(order.lots)
    // Makers requote soon after the best price is gone.
    if (this.matching.match(this.setting.startMs + ms, order, events)) quoting.hasten(ms)
  }
}
