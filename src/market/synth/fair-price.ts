import { pow10 } from '../../decimal/scaled.ts'
import {
  type RandomSource,
  type RandomState,
  randomSourceOf,
  randomState,
} from '../../random/random-source.ts'
import { fatTailed } from './distributions.ts'
import { IMPACT, type InstrumentProfile, volatilityBp } from './instrument-profile.ts'
import {
  type Conditions,
  metVolatility,
  newVolatility,
  STEP_MS,
  VolatilityCluster,
  type VolatilityState,
} from './market-conditions.ts'

const STEPS_PER_S = 1000 / STEP_MS
/** How far a pair deviates from the one it tracks, in parts of one, and its decay a step. */
const OFFSET = { deviation: 0.00012, decay: 0.999 }
/** How the move grows with the size. */
const IMPACT_EXPONENT = 0.5
/** Parts of the move that fade, and how soon; the rest stays. */
const FADING = [
  { share: 0.2, meanS: 4 },
  { share: 0.4, meanS: 30 },
] as const
const LASTING = 1 - FADING.reduce((sum, { share }) => sum + share, 0)
const FADING_DECAY = FADING.map(({ meanS }) => Math.exp(-STEP_MS / 1000 / meanS))

/** A fair price as plain data. Logarithms against the first price. */
export interface FairPriceState {
  log: number
  /** As much of it as was told. */
  told: number
  offset: number
  /** What is left of the moves that fade. */
  fading: number[]
  volatility: VolatilityState
  shocks: RandomState
}

/** The first fair price. */
export function newFairPrice(key: string): FairPriceState {
  const shocks = randomState(key, 'shocks')
  const fading = FADING.map(() => 0)
  return { log: 0, told: 0, offset: 0, fading, volatility: newVolatility(key), shocks }
}

/** A fair price as it is met at any time. */
export function metFairPrice(key: string): FairPriceState {
  const { log, told, offset, fading, shocks } = newFairPrice(key)
  return { log, told, offset, fading, volatility: metVolatility(key), shocks }
}

/** What bears on an instrument's price in a step. */
interface StepFactors {
  volatility: number
  /** Then its trades do not move it. */
  steered: boolean
  /** Part of what it has strayed that is taken back. */
  reversion: number
}

/** The fair price of an instrument, moved by the market, by shocks of its own and by its trades. */
export class FairPrice {
  private readonly volatility: VolatilityCluster
  private readonly shocks: RandomSource
  /** Impact of trades against the usual in the step that is under way. */
  private factor = 1

  constructor(
    private readonly profile: InstrumentProfile,
    private readonly state: FairPriceState,
    private readonly leader?: FairPrice,
  ) {
    this.volatility = new VolatilityCluster(state.volatility)
    this.shocks = randomSourceOf(state.shocks)
  }

  /** One step: `volatility` is its own against the usual, `drift` a logarithm. */
  step(
    conditions: Conditions,
    { volatility, steered, reversion }: StepFactors,
    drift: number,
  ): void {
    const { profile, shocks, state } = this
    this.factor = steered ? 0 : volatility
    if (this.leader) {
      const push = OFFSET.deviation * Math.sqrt(1 - OFFSET.decay ** 2) * shocks.normal()
      state.offset = OFFSET.decay * state.offset + push
      return
    }
    for (let at = 0; at < FADING.length; at++)
      state.fading[at] = (state.fading[at] ?? 0) * (FADING_DECAY[at] ?? 0)
    const shock = fatTailed(shocks)
    // A busy market moves each instrument's own price more, too.
    const activity = Math.sqrt(conditions.volatility) * (1 - 0.4 * conditions.quiet)
    const deviation = profile.ownBp * 1e-4 * this.volatility.level() * activity * volatility
    const own = deviation / Math.sqrt(STEPS_PER_S)
    this.volatility.update(shock, false)
    state.log += profile.beta * conditions.move * volatility + own * shock
    if (reversion !== 0) state.log -= reversion * (state.log - state.told)
    if (drift === 0) return
    state.log += drift
    state.told += drift
  }

  /** Impact of an order of `levels` times the usual level: most of it fades, a part lasts. */
  onTrade(sign: number, levels: number): void {
    if (this.leader) return this.leader.onTrade(sign, levels)
    const { impact = IMPACT } = this.profile
    const volatility = volatilityBp(this.profile) * this.factor
    const move = sign * impact * volatility * 1e-4 * levels ** IMPACT_EXPONENT
    this.state.log += LASTING * move
    for (let at = 0; at < FADING.length; at++)
      this.state.fading[at] = (this.state.fading[at] ?? 0) + (FADING[at]?.share ?? 0) * move
  }

  /** In dollars. */
  dollars(): number {
    return this.profile.startPx * Math.exp(this.level())
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
