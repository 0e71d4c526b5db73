import { pow10 } from '../../decimal/quantity.ts'
import {
  type RandomSource,
  type RandomState,
  randomSource,
  randomSourceOf,
  randomState,
} from '../../random/random-source.ts'
import type { ClosingState, PlannedLiquidation } from '../bars/liquidations.ts'
import { newTrends, type TrendState } from '../bars/market-regimes.ts'
import { fatTailed } from './distributions.ts'
import {
  IMPACT,
  IMPACT_OF_SECOND,
  type InstrumentProfile,
  volatilityBp,
} from './instrument-profile.ts'
import {
  type Conditions,
  type DerivativeMetrics,
  type MetricsState,
  newMetrics,
  newVolatility,
  STEP_MS,
  stationaryVolatility,
  VolatilityCluster,
  type VolatilityState,
} from './market-conditions.ts'
import { heldCluster, heldShock } from './mood.ts'
import { type BookState, emptyBook, type SynthBook } from './order-matching.ts'
import { newTradeIds, type SynthEvent, type SynthMark, type TradeIdState } from './synth-event.ts'
import { newTakers, type TakerState } from './takers.ts'

/** Time between two full books. */
export const SNAPSHOT_MS = 600_000

/** One instrument's market as plain data: all that its future depends on. */
export interface MarketState {
  profile: InstrumentProfile
  price: FairPriceState
  book: BookState
  makers: RandomState
  takers: TakerState
  metrics: MetricsState
  tids: TradeIdState
  /** Draws of waiting times, and of makers per taker. */
  pace: RandomState
  splits: RandomState
  schedule: ScheduleState
  /** Time of the next full book. */
  snapshotMs: number
  /** Liquidations of the planned cascade, and its end. */
  liquidations: PlannedLiquidation[]
  plannedUntilMs: number
  /** State of liquidations outside cascades; null for none. */
  closings: ClosingState | null
  /** Price of the last trade. */
  lastTick: number
  /** Trends of its price. */
  trends: TrendState
  /** Depth of the book after events; null before its first refresh. */
  depth: number | null
}

/**
 * A market before its first book. `key` seeds its random draws, except trade numbers, which depend
 * on the key of all markets and a lane of their own.
 */
export function newMarket(
  profile: InstrumentProfile,
  key: string,
  tids: { key: string; lane: number },
): MarketState {
  const { kind, refreshMs, premium, interestUsd, startPx, szDecimals } = profile
  const start = randomSource(key, 'start')
  const interest = Math.round((interestUsd / startPx) * pow10(szDecimals))
  return {
    profile,
    price: newFairPrice(key),
    book: emptyBook(),
    makers: randomState(key, 'makers'),
    takers: newTakers(key, profile),
    metrics: newMetrics(key, premium, interest),
    tids: newTradeIds(tids.key, tids.lane),
    pace: randomState(key, 'pace'),
    splits: randomState(key, 'splits'),
    schedule: newSchedule(kind === 'perp', start.between(1, refreshMs)),
    snapshotMs: start.between(0.4 * SNAPSHOT_MS, SNAPSHOT_MS),
    liquidations: [],
    plannedUntilMs: 0,
    closings: null,
    lastTick: 0,
    trends: newTrends(),
    depth: null,
  }
}

/** Periods of a perpetual's publications. */
export const PUBLISH_MS = { mark: 3000, interest: 30_000, funding: 3_600_000 }

export type Task = 'liquidation' | 'order' | 'refresh' | 'mark' | 'interest' | 'funding'

/** Due time of each task, ms since the start of the tape. */
type ScheduleState = Record<Task, number>

/** Later than anything; representable in JSON. */
const NEVER = Number.MAX_SAFE_INTEGER

/** The first tasks. `derived` adds marks, open interest and funding. */
function newSchedule(derived: boolean, refreshMs: number): ScheduleState {
  const ms = derived ? 0 : NEVER
  const [liquidation, order] = [NEVER, NEVER]
  return { liquidation, order, refresh: refreshMs, mark: ms, interest: ms, funding: ms }
}

/** Tasks of a continuing market: publications come at multiples of their period. */
export function dueSchedule(derived: boolean, startMs: number, refreshMs: number): ScheduleState {
  const due = newSchedule(derived, refreshMs)
  if (!derived) return due
  for (const task of ['mark', 'interest', 'funding'] as const)
    due[task] = (PUBLISH_MS[task] - (startMs % PUBLISH_MS[task])) % PUBLISH_MS[task]
  return due
}

/** Schedule of one market's tasks. */
export class TaskSchedule {
  constructor(private readonly due: ScheduleState) {}

  /**
   * The first task due before `untilMs`, and its time; null for none. Those of the same millisecond
   * come in the order tried here.
   */
  next(untilMs: number): { task: Task; ms: number } | null {
    const { liquidation, order, refresh, mark, interest, funding } = this.due
    const ms = Math.min(liquidation, order, refresh, mark, interest, funding)
    if (ms >= untilMs) return null
    if (ms === liquidation) return { task: 'liquidation', ms }
    if (ms === order) return { task: 'order', ms }
    if (ms === refresh) return { task: 'refresh', ms }
    if (ms === mark) return { task: 'mark', ms }
    return { task: ms === interest ? 'interest' : 'funding', ms }
  }

  /** Sets the time of a task; undefined removes it. */
  set(task: Task, ms: number | undefined): void {
    this.due[task] = ms ?? NEVER
  }

  /** Postpones a task that is due before. */
  postpone(task: Task, ms: number): void {
    this.due[task] = Math.max(this.due[task], ms)
  }

  /** Advances a task. */
  hasten(task: Task, ms: number): void {
    this.due[task] = Math.min(this.due[task], ms)
  }
}

const STEPS_PER_S = 1000 / STEP_MS
/** Deviation of a pair from its leader, as a fraction, and its decay a step. */
const OFFSET = { deviation: 0.00012, decay: 0.999 }
/** Exponent of impact by size. */
const IMPACT_EXPONENT = 0.5
/** Transient shares of the impact, and their decay; the rest is permanent. */
const FADING = [
  { share: 0.2, meanS: 4 },
  { share: 0.4, meanS: 30 },
] as const
const LASTING = 1 - FADING.reduce((sum, { share }) => sum + share, 0)
/** Span over which the turnover of the last time is averaged, and its least part of the usual. */
const RECENT_S = 60
const RECENT_DECAY = Math.exp(-STEP_MS / 1000 / RECENT_S)
const LEAST_RECENT = 0.25
const FADING_DECAY = FADING.map(({ meanS }) => Math.exp(-STEP_MS / 1000 / meanS))

/** A fair price as plain data. Logarithms relative to the first price. */
interface FairPriceState {
  log: number
  /** Scheduled part of it. */
  scheduled: number
  offset: number
  /** Transient impact left. */
  fading: number[]
  /** Turnover of the last minute or so, in usual levels a second. */
  recent: number
  volatility: VolatilityState
  shocks: RandomState
}

/** The first fair price. */
export function newFairPrice(key: string): FairPriceState {
  const shocks = randomState(key, 'shocks')
  const fading = FADING.map(() => 0)
  return {
    log: 0,
    scheduled: 0,
    offset: 0,
    fading,
    recent: 0,
    volatility: newVolatility(key),
    shocks,
  }
}

/** A fair price in its stationary state, at an activity relative to the usual. */
export function stationaryFairPrice(
  key: string,
  profile: InstrumentProfile,
  activity: number,
): FairPriceState {
  const recent = activity * usualLevelsPerS(profile)
  return { ...newFairPrice(key), recent, volatility: stationaryVolatility(key) }
}

/** Usual turnover in levels, as it sets the impact of a level. */
const usualLevelsPerS = ({ impact = IMPACT }: InstrumentProfile): number =>
  (IMPACT_OF_SECOND / impact) ** 2

/** Influences on an instrument's price in a step. */
interface StepFactors {
  volatility: number
  /** The same of its own moves alone. */
  ownVolatility: number
  /** Whether its trades do not move it. */
  steered: boolean
  /** Share of its deviation that reverts. */
  reversion: number
  /** Whether its activity varies without end. */
  wanders: boolean
}

/** The fair price of an instrument, moved by the market, by its own shocks and by its trades. */
export class FairPrice {
  private readonly volatility: VolatilityCluster
  private readonly shocks: RandomSource
  /** Impact of trades relative to the usual in the present step. */
  private factor = 1
  private readonly logStart: number
  private readonly levelsPerS: number

  constructor(
    private readonly profile: InstrumentProfile,
    private readonly state: FairPriceState,
    private readonly leader?: FairPrice,
  ) {
    this.volatility = new VolatilityCluster(state.volatility)
    this.shocks = randomSourceOf(state.shocks)
    this.logStart = Math.log(profile.startPx)
    this.levelsPerS = usualLevelsPerS(profile)
  }

  /** Advances one step: `volatility` is its own relative to the usual, `drift` a logarithm. */
  step(
    conditions: Conditions,
    { volatility, ownVolatility, wanders, steered, reversion }: StepFactors,
    drift: number,
  ): void {
    const { profile, shocks, state } = this
    this.factor = steered ? 0 : volatility * (wanders ? this.impactIn(conditions.volatility) : 1)
    state.recent *= RECENT_DECAY
    if (this.leader) {
      const push = OFFSET.deviation * Math.sqrt(1 - OFFSET.decay ** 2) * shocks.normal()
      state.offset = OFFSET.decay * state.offset + push
      return
    }
    for (let at = 0; at < FADING.length; at++)
      state.fading[at] = (state.fading[at] ?? 0) * (FADING_DECAY[at] ?? 0)
    const drawn = fatTailed(shocks)
    const shock = wanders ? heldShock(drawn) : drawn
    // A busy market moves each instrument's own price more, too.
    const activity = Math.sqrt(conditions.volatility) * (1 - 0.4 * conditions.quiet)
    const level = wanders ? heldCluster(this.volatility.level()) : this.volatility.level()
    const deviation = profile.ownBp * 1e-4 * level * activity * volatility * ownVolatility
    const own = deviation / Math.sqrt(STEPS_PER_S)
    this.volatility.update(shock, false)
    state.log += profile.beta * conditions.move * volatility + own * shock
    if (reversion !== 0) state.log -= reversion * (state.log - state.scheduled)
    if (drift === 0) return
    state.log += drift
    state.scheduled += drift
  }

  /** Applies the impact of an order of `levels` times the usual level: mostly transient. */
  onTrade(sign: number, levels: number): void {
    if (this.leader) return this.leader.onTrade(sign, levels)
    const { impact = IMPACT } = this.profile
    const volatility = volatilityBp(this.profile) * this.factor
    const move = sign * impact * volatility * 1e-4 * levels ** IMPACT_EXPONENT
    this.state.recent += levels / RECENT_S
    this.state.log += LASTING * move
    for (let at = 0; at < FADING.length; at++)
      this.state.fading[at] = (this.state.fading[at] ?? 0) + (FADING[at]?.share ?? 0) * move
  }

  /** The more is traded, the less a trade moves the price relative to its volatility. */
  private impactIn(volatility: number): number {
    const { levelsPerS, state } = this
    return volatility / Math.sqrt(Math.max(LEAST_RECENT, state.recent / levelsPerS))
  }

  /** In dollars. */
  dollars(): number {
    return this.profile.startPx * Math.exp(this.level())
  }

  /** Logarithm of its dollars. */
  log(): number {
    return this.logStart + this.level()
  }

  /** Of one lot, in dollars. */
  lotDollars(): number {
    return this.dollars() / pow10(this.profile.szDecimals)
  }

  /** In the instrument's smallest price unit, with a fraction. */
  units(): number {
    return this.dollars() * pow10(this.profile.pxDecimals)
  }

  private level(): number {
    const { log, offset, fading } = this.state
    if (this.leader) return this.leader.level() + offset
    let sum = log
    for (let at = 0; at < fading.length; at++) sum += fading[at] ?? 0
    return sum
  }
}

/** Publishes a perpetual's metrics as events. */
export class Publications {
  constructor(
    private readonly state: MarketState,
    private readonly book: SynthBook,
    private readonly price: FairPrice,
    private readonly metrics: DerivativeMetrics,
    private readonly local: { readonly premium: number },
  ) {}

  of(kind: 'mark' | 'interest' | 'funding', timeMs: number): SynthEvent {
    if (kind === 'mark') return this.mark(timeMs)
    const { coin } = this.state.profile
    if (kind === 'interest') return { kind, timeMs, coin, lots: this.metrics.openInterest() }
    const { rate, premium } = this.metrics.funding()
    return { kind, timeMs, coin, rate, premium }
  }

  mark(timeMs: number): SynthMark {
    const { book, state, local, price } = this
    const { mark, oracle } = this.metrics.mark(price.units(), local.premium, book, state.lastTick)
    return { kind: 'mark', timeMs, coin: state.profile.coin, mark, oracle }
  }
}
