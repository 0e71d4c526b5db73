import { format, power } from '../../decimal/scaled.ts'

/**
 * The prices that the venue allows, numbered from zero without a gap.
 *
 * A price has at most `pxDecimals` decimals and at most five significant figures, and whole
 * numbers are always allowed. One rung is one tick, wherever on the ladder it lies.
 */
export interface Ladder {
  /** The place of a price, in whole units of 10^-pxDecimals or a fraction of one, on the ladder. */
  rungOf(units: number): number
  /** The price of a rung in whole units of 10^-pxDecimals. */
  unitsOf(rung: number): number
  /** The price of a rung as a decimal string. */
  text(rung: number): string
}

/** Rungs with five significant figures or fewer at the finest tick. */
const FINE = 100_000
/** Rungs of each further decade, 10000 to 99999. */
const DECADE = 90_000

/** The ladder of an instrument with at most `pxDecimals` decimals in its price. */
export function ladder(pxDecimals: number): Ladder {
  const last = pxDecimals - 1
  const unitsOf = (rung: number) => {
    if (rung < FINE || last < 0) return rung
    const decade = Math.min(last, Math.floor((rung - FINE) / DECADE))
    return power(5 + decade) + (rung - FINE - decade * DECADE) * power(decade + 1)
  }
  const rungOf = (units: number) => {
    if (units < FINE || last < 0) return units
    const digits = String(Math.floor(units)).length
    const decade = Math.min(last, digits - 6)
    return FINE + decade * DECADE + (units - power(5 + decade)) / power(decade + 1)
  }
  return { rungOf, unitsOf, text: (rung) => format(unitsOf(rung), pxDecimals) }
}

/** One tick at the first price of an instrument, in basis points. */
export function tickBp(profile: { pxDecimals: number; startPx: number }): number {
  const { rungOf, unitsOf } = ladder(profile.pxDecimals)
  const units = Math.round(profile.startPx * power(profile.pxDecimals))
  return (unitsOf(rungOf(units) + 1) / units - 1) * 10_000
}
