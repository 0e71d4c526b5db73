/** Holdings of an account beside its dollars and tokens: staked tokens and vault shares. */
import { mulDiv, pow10, type Usd, usd } from '../../decimal/quantity.ts'
import { randomSource } from '../../random/random-source.ts'
import type { InstrumentRow } from '../schema/schema.ts'
import { STAKED_COIN } from './funding.ts'

/**
 * The accounts that hold them, named where others have the name of a dex. Their balance counts
 * millionths of a token, and of a share.
 */
export const STAKING = 'staking'
export const VAULT = 'vault'
export const SAVINGS: readonly string[] = [STAKING, VAULT]

/** Units of a token, and of a share. */
export const SAVINGS_UNIT = 1e6

/** The market that prices staked tokens: the perpetual of their coin, else a spot pair. */
export function stakedInstrument(rows: readonly InstrumentRow[]): InstrumentRow | undefined {
  const own = rows.filter(({ base, dex }) => base === STAKED_COIN && dex === '')
  return own.find(({ kind }) => kind === 'perp') ?? own[0]
}

/** Staked tokens at a price of their instrument, micro-dollars. */
export function stakedValue(units: number, px: number, { pxDecimals }: InstrumentRow): Usd {
  return usd(mulDiv(units, px, pow10(pxDecimals)))
}

/** Shares of the vault at their price, micro-dollars. */
export const sharesValue = (units: number, sharePx: number): Usd =>
  usd(mulDiv(units, sharePx, SAVINGS_UNIT))

/** Shares for so many micro-dollars. */
export const sharesFor = (money: number, sharePx: number): number =>
  mulDiv(money, SAVINGS_UNIT, sharePx)

const DAY_MS = 86_400_000
/** Daily gain of a share, and amplitude and period of its swings. */
const DAILY_GAIN = 0.0006
const SWINGS = [
  { part: 0.03, days: 9 },
  { part: 0.012, days: 2.3 },
  { part: 0.004, days: 0.45 },
]
/** Shares were worth a dollar then. */
const FOUNDED_MS = 1_704_067_200_000

/** The vault of a world. */
export interface Vault {
  address: string
  /** Price of a share at an instant, micro-dollars; it follows from the seed alone. */
  sharePx(timeMs: number): number
}

/** The vault of the world of a seed. */
export function vaultOf(seed: string): Vault {
  const random = randomSource(seed, 'vault')
  const address = `0x${random.hex(40)}`
  const phases = SWINGS.map(() => random.unit())
  return {
    address,
    sharePx(timeMs) {
      const days = (timeMs - FOUNDED_MS) / DAY_MS
      const swung = SWINGS.reduce(
        (sum, { part, days: length }, at) =>
          sum + part * Math.sin(2 * Math.PI * (days / length + (phases[at] as number))),
        1 + DAILY_GAIN * Math.max(0, days),
      )
      return Math.round(swung * SAVINGS_UNIT)
    },
  }
}
