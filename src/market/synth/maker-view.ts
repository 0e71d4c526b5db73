import type { InstrumentProfile } from './instrument-profile.ts'
import type { Conditions } from './market-conditions.ts'

/** What the makers of one instrument quote by. */
export interface MakerView {
  /** Where the price should be, in ticks. */
  fair: number
  /** How far from it they quote, against the normal. */
  width: number
  /** Spread that they quote, in ticks. */
  spread: number
  /** Depth against the normal one. */
  depth: number
  /** How busy they are: changes of the book against the normal. */
  pace: number
  /** The farthest levels are given up when there are so many more than usual, as a part of them. */
  surplus: number
  /** Whether orders that a move made their makers cancel come back around the new price. */
  requotes: boolean
  /** Dollars of one lot at this price. */
  lotUsd: number
}

/** What bears on the quotes of one instrument. */
interface QuoteConditions {
  spread: number
  depth: number
  unrest: number
  wanders: boolean
}

/** In cycles prices come back to where they were, and so do books; without an end they need not. */
const SURPLUS = 0.4

/** The view of an instrument in these conditions: in a busy market makers quote wider and less. */
export function makerView(
  profile: InstrumentProfile,
  conditions: Conditions,
  local: QuoteConditions,
  fair: number,
  lotUsd: number,
): MakerView {
  const { stress, quiet } = conditions
  const volatility = conditions.volatility * local.unrest
  const width = quoteWidth(conditions, local)
  return {
    fair,
    width,
    spread: Math.max(1, Math.round(profile.spreadTicks * width * local.spread)),
    depth: (local.depth * (1 - 0.4 * stress) * (1 + 0.2 * quiet)) / (0.6 + 0.4 * volatility),
    pace: 1 + 0.8 * stress,
    surplus: local.wanders ? SURPLUS : Number.POSITIVE_INFINITY,
    requotes: local.wanders,
    lotUsd,
  }
}

/** How far from the price makers quote in these conditions, against the normal. */
export function quoteWidth(
  { volatility, stress, quiet }: Conditions,
  { unrest }: { unrest: number },
): number {
  return (0.65 + 0.3 * volatility * unrest) * (1 + 1.2 * stress) * (1 - 0.25 * quiet)
}
