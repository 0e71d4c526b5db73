import { power } from '../../decimal/scaled.ts'
import type { Dice } from '../../random/dice.ts'
import { fatTailed } from './draws.ts'
import type { Profile } from './roster.ts'
import { cluster, STEP_MS, type Weather } from './weather.ts'

const STEPS_PER_S = 1000 / STEP_MS
/** How far a pair stands off the one it tracks, in parts of one, and how much is kept a step. */
const OFFSET = { deviation: 0.00012, keep: 0.999 }
/** Lasting move after an order of the size of one level, in parts of the one-second volatility. */
const IMPACT = 0.1

/** The price that an instrument should have, moved by the market, by itself and by its trades. */
export class FairPrice {
  private log = 0
  private offset = 0
  private readonly heat: ReturnType<typeof cluster>
  private readonly shocks: Dice

  constructor(
    private readonly profile: Profile,
    dice: Dice,
    private readonly leader?: FairPrice,
  ) {
    this.heat = cluster(dice.fork('heat'))
    this.shocks = dice.fork('shocks')
  }

  step(weather: Weather): void {
    const { profile, shocks } = this
    if (this.leader) {
      const push = OFFSET.deviation * Math.sqrt(1 - OFFSET.keep ** 2) * shocks.normal()
      this.offset = OFFSET.keep * this.offset + push
      return
    }
    const shock = fatTailed(shocks)
    // A busy market stirs each instrument's own price too.
    const stirred = Math.sqrt(weather.heat) * (1 - 0.4 * weather.quiet)
    const own = (profile.ownBp * 1e-4 * this.heat.level() * stirred) / Math.sqrt(STEPS_PER_S)
    this.heat.feel(shock, false)
    this.log += profile.beta * weather.move + own * shock
  }

  /** An order of `levels` times the usual level has gone through; its trace stays. */
  pressed(sign: number, levels: number): void {
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
    return this.dollars() * power(this.profile.pxDecimals)
  }
}
