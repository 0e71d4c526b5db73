import type { RandomSource } from '../../random/random-source.ts'
import { lognormal, roundLots } from './distributions.ts'
import type { InstrumentProfile } from './instrument-profile.ts'
import type { LiquidationCascade } from './market-regime.ts'

/** A position that will be liquidated. */
export interface PlannedLiquidation {
  /** Milliseconds since the start of the tape. */
  atMs: number
  position: LiquidationCascade['position']
  lots: number
}

/** Size of the largest liquidation, in levels of the book: over a million dollars of BTC. */
const LARGEST_LEVELS = [14, 20] as const

/**
 * The liquidations of one instrument in one cascade, in order of time.
 *
 * They begin when the price has run for a while and are most frequent in the middle; one of them,
 * on the instruments with four or more, is far larger than the rest.
 */
export function plannedLiquidations(
  profile: InstrumentProfile,
  cascade: LiquidationCascade,
  lotUsd: number,
  random: RandomSource,
): PlannedLiquidation[] {
  const { position, fromMs, toMs } = cascade
  const span = toMs - fromMs
  const largest = profile.liquidations >= 4 ? Math.floor(profile.liquidations / 2) : -1
  return Array.from({ length: profile.liquidations }, () => {
    const part = 0.22 + 0.74 * ((random.unit() + random.unit()) / 2)
    return fromMs + Math.floor(part * span)
  })
    .sort((a, b) => a - b)
    .map((atMs, index) => {
      const usual = Math.min(8, lognormal(random, 0.4, 1.5))
      const levels = index === largest ? random.between(...LARGEST_LEVELS) : usual
      return { atMs, position, lots: roundLots(random, (levels * profile.levelUsd) / lotUsd) }
    })
}
