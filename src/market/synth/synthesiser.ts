import { randomSource } from '../../random/random-source.ts'
import type { TimedMarketEvent } from '../events/market-event.ts'
import { EventEffects } from './effects/event-effects.ts'
import type { InstrumentProfile } from './instrument-profile.ts'
import { LocalConditions } from './local-conditions.ts'
import {
  type ConditionsState,
  MarketConditions,
  metConditions,
  newConditions,
  STEP_MS,
} from './market-conditions.ts'
import { type MarketOpening, openMarket } from './market-opening.ts'
import { type MarketState, newMarket } from './market-state.ts'
import type { MoodName } from './mood.ts'
import type { SubmittedOrder } from './submitted-order.ts'
import type { SynthEvent } from './synth-event.ts'
import { SynthMarket } from './synth-market.ts'
import { newClosings } from './usual-liquidations.ts'

/** All markets between two steps, as plain data: it can be stored, copied and gone on from. */
export interface SynthesiserState {
  /** Names what is drawn. */
  key: string
  startMs: number
  /** When the next step begins, ms since the start. */
  nextMs: number
  conditions: ConditionsState
  /** One that follows another stands after it. */
  markets: MarketState[]
  /** Orders from outside that the next step matches. */
  submitted: SubmittedOrder[]
}

/** What the conditions of a market without an end follow from. */
export interface Wandering {
  /** Names its noise: markets that go on from one another have the same. */
  key: string
  /** When it began to wander: it was as its profiles say then. */
  sinceMs: number
  mood?: MoodName | null
}

/**
 * The markets of a seed before their first books. They go through cycles of twenty minutes, each
 * with a quiet phase and a cascade, or `wander` without an end.
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
      if (wander) market.closings = newClosings(ownKey, profile)
      return market
    }),
    submitted: [],
  }
}

/**
 * Markets that go on from given books and prices. `key` names what is drawn from `startMs` on; one
 * that follows another stands after it.
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
    conditions: metConditions(`${key}/weather`, wander),
    markets: openings.map((each, lane) =>
      openMarket(each, marketKey(key, each.profile.coin), { key, lane }, startMs, wander),
    ),
    submitted: [],
  }
}

/** Goes on from a state, without end; the state follows. */
export class Synthesiser {
  private readonly conditions: MarketConditions
  private readonly markets: Map<string, SynthMarket>
  private readonly all: readonly SynthMarket[]

  /** `events` are what the markets are told, by tape time: they act from then on. */
  constructor(
    private readonly state: SynthesiserState,
    events: readonly TimedMarketEvent[] = [],
  ) {
    this.conditions = new MarketConditions(state.conditions, state.startMs)
    this.markets = assembleMarkets(state, events)
    this.all = [...this.markets.values()]
  }

  /** Puts an order from outside into the next step, which matches it as far as its book reaches. */
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
    if (state.submitted.length > 0) this.handOut()
    const conditions = this.conditions.step(nextMs)
    const cascade = this.conditions.cascadeAt(nextMs)
    for (const market of markets) market.step(nextMs, conditions, cascade, events)
    state.nextMs += STEP_MS
    return events.length < 2 ? events : events.sort((a, b) => a.timeMs - b.timeMs)
  }

  private handOut(): void {
    for (const order of this.state.submitted) this.market(order.coin).submit(order)
    this.state.submitted = []
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
    const local = new LocalConditions(profile, conditions.wander, effects)
    const leader = markets.get(follows ?? '')
    const key = marketKey(state.key, coin)
    markets.set(coin, new SynthMarket(each, { key, startMs, local, effects, leader }))
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
