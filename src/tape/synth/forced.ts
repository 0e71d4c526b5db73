import type { Dice } from '../../random/dice.ts'
import { lognormal, neat } from './draws.ts'
import type { Cascade } from './plot.ts'
import type { Profile } from './roster.ts'

/** A position that will be closed by force. */
export interface Forced {
  /** Milliseconds since the start of the tape. */
  atMs: number
  position: Cascade['position']
  lots: number
}

/** Size of the largest closing, in levels of the book: over a million dollars of BTC. */
const FLAGSHIP = [28, 42] as const

/**
 * The forced closings of one instrument in one cascade, in order of time.
 *
 * They begin when the price has run for a while and come thickest in the middle; one of them, on
 * the instruments with four or more, is far larger than the rest.
 */
export function forced(profile: Profile, cascade: Cascade, lotUsd: number, dice: Dice): Forced[] {
  const { position, fromMs, toMs } = cascade
  const span = toMs - fromMs
  const flagship = profile.liquidations >= 4 ? Math.floor(profile.liquidations / 2) : -1
  return Array.from({ length: profile.liquidations }, () => {
    const part = 0.22 + 0.74 * ((dice.unit() + dice.unit()) / 2)
    return fromMs + Math.floor(part * span)
  })
    .sort((a, b) => a - b)
    .map((atMs, index) => {
      const usual = Math.min(24, lognormal(dice, 1.1, 1.5))
      const levels = index === flagship ? dice.between(...FLAGSHIP) : usual
      return { atMs, position, lots: neat(dice, (levels * profile.levelUsd) / lotUsd) }
    })
}
