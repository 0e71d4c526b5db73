import type { EventDraft } from '../tape-event.ts'
import { INSTRUMENT_PROFILES } from './instrument-profiles.ts'
import {
  type ConditionsState,
  MarketConditions,
  newConditions,
  STEP_MS,
} from './market-conditions.ts'
import { type MarketState, newMarket } from './market-state.ts'
import { SynthMarket } from './synth-market.ts'

/** All markets between two steps, as plain data: it can be stored, copied and gone on from. */
export interface SynthesiserState {
  seed: number
  startMs: number
  /** When the next step begins, ms since the start. */
  nextMs: number
  conditions: ConditionsState
  /** In the order of the profiles. */
  markets: MarketState[]
}

/** The markets of a seed before their first books. */
export function newSynthesiser(seed: number, startMs: number): SynthesiserState {
  const root = `${seed}/synth`
  return {
    seed,
    startMs,
    nextMs: 0,
    conditions: newConditions(`${root}/weather`),
    markets: INSTRUMENT_PROFILES.map((profile, lane) =>
      newMarket(profile, marketKey(root, profile.coin), { key: root, lane }),
    ),
  }
}

/** Goes on from a state, without end; the state follows. */
export class Synthesiser {
  private readonly conditions: MarketConditions
  private readonly markets: SynthMarket[]

  constructor(private readonly state: SynthesiserState) {
    this.conditions = new MarketConditions(state.conditions)
    this.markets = assembleMarkets(state)
  }

  /** The events of the next step, in order of time; the first one begins with all books. */
  step(): EventDraft[] {
    const { state, markets } = this
    const { nextMs } = state
    const events = nextMs === 0 ? markets.map((market) => market.open()) : []
    const conditions = this.conditions.step(nextMs)
    const cascade = this.conditions.cascadeAt(nextMs)
    for (const market of markets) market.step(nextMs, conditions, cascade, events)
    state.nextMs += STEP_MS
    return events.length < 2 ? events : events.sort((a, b) => a.time - b.time)
  }
}

function assembleMarkets({ seed, startMs, markets: states }: SynthesiserState): SynthMarket[] {
  const markets = new Map<string, SynthMarket>()
  for (const [at, profile] of INSTRUMENT_PROFILES.entries()) {
    const state = states[at]
    if (!state) throw new Error(`the state of the synthesised markets lacks ${profile.coin}`)
    const leader = markets.get(profile.follows ?? '')
    const key = marketKey(`${seed}/synth`, profile.coin)
    markets.set(profile.coin, new SynthMarket(profile, state, key, startMs, leader))
  }
  return [...markets.values()]
}

function marketKey(root: string, coin: string): string {
  return `${root}/${coin}`
}
