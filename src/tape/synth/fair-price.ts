import { pow10 } from '../../decimal/scaled.ts'
import type { RandomSource } from '../../random/random-source.ts'
import { fatTailed } from './distributions.ts'
import type { InstrumentProfile } from './instrument-profiles.ts'
import { type Conditions, STEP_MS, volatilityCluster } from './market-conditions.ts'

const STEPS_PER_S = 1000 / STEP_MS
/** How far a pair deviates from the one it tracks, in parts of one, and its decay a step. */
const OFFSET = { deviation: 0.00012, decay: 0.999 }
/** Lasting move after an order of the size of one level, in parts of the one-second volatility. */
const IMPACT = 0.1

/** The fair price of an instrument, moved by the market, by shocks of its own and by its trades. */
export class FairPrice {
  private log = 0
  private offset = 0
  private readonly volatility: ReturnType<typeof volatilityCluster>
  private readonly shocks: RandomSource

  constructor(
    private readonly profile: InstrumentProfile,
    random: RandomSource,
    private readonly leader?: FairPrice,
  ) {
    this.volatility = volatilityCluster(random.fork('heat'))
    this.shocks = random.fork('shocks')
  }

  step(conditions: Conditions): void {
    const { profile, shocks } = this
    if (this.leader) {
      const push = OFFSET.deviation * Math.sqrt(1 - OFFSET.decay ** 2) * shocks.normal()
      this.offset = OFFSET.decay * this.offset + push
      return
    }
    const shock = fatTailed(shocks)
    // A busy market moves each instrument's own price more, too.
    const activity = Math.sqrt(conditions.volatility) * (1 - 0.4 * conditions.quiet)
    const own = (profile.ownBp * 1e-4 * this.volatility.level() * activity) / Math.sqrt(STEPS_PER_S)
    this.volatility.update(shock, false)
    this.log += profile.beta * conditions.move + own * shock
  }

  /** Lasting impact of an order of `levels` times the usual level. */
  onTrade(sign: number, levels: number): void {
    const { beta, ownBp } = this.profile
    const bp = beta * 0.55 + ownBp
    const target = this.leader ?? this
    target.log += sign * IMPACT * bp * 1e-4 * levels ** 0.65
  }

  /** In dollars. */
  dollars(): number {
    const log = this.leader ? this.leader.log + this.offset : this.log
    return this.profile.startPx * Math.exp(log)
  }

  /** In the instrument's smallest price unit, with a fraction. */
  units(): number {
    return this.dollars() * pow10(this.profile.pxDecimals)
  }
}
