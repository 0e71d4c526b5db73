import { pow10 } from '../../decimal/scaled.ts'

/**
 * The prices that the venue allows, numbered from zero without a gap.
 *
 * A price has at most `pxDecimals` decimals and at most five significant figures, and whole
 * numbers are always allowed. Neighbours are one tick apart, wherever on the grid they lie.
 */
export interface PriceGrid {
  /** The number of a price, in whole units of 10^-pxDecimals or a fraction of one, on the grid. */
  tickAt(units: number): number
  /** The price of a tick in whole units of 10^-pxDecimals. */
  unitsAt(tick: number): number
}

/** Prices with five significant figures or fewer at the finest tick. */
const FINE_TICKS = 100_000
/** Prices of each further decade, 10000 to 99999. */
const DECADE_TICKS = 90_000

/** What the prices of an instrument are made of: one step, or five figures and some decimals. */
export interface PriceSteps {
  pxDecimals: number
  tickUnits?: number | undefined
}

/** The grid of an instrument. */
export function priceGrid({ pxDecimals, tickUnits }: PriceSteps): PriceGrid {
  if (tickUnits !== undefined)
    return { tickAt: (units) => units / tickUnits, unitsAt: (tick) => tick * tickUnits }
  const last = pxDecimals - 1
  const unitsOf = (tick: number) => {
    if (tick < FINE_TICKS || last < 0) return tick
    const decade = Math.min(last, Math.floor((tick - FINE_TICKS) / DECADE_TICKS))
    return pow10(5 + decade) + (tick - FINE_TICKS - decade * DECADE_TICKS) * pow10(decade + 1)
  }
  const tickOf = (units: number) => {
    if (units < FINE_TICKS || last < 0) return units
    let decade = 0
    while (decade < last && units >= pow10(6 + decade)) decade++
    return FINE_TICKS + decade * DECADE_TICKS + (units - pow10(5 + decade)) / pow10(decade + 1)
  }
  return { tickAt: tickOf, unitsAt: unitsOf }
}

/** One tick at the first price of an instrument, in basis points. */
export function tickBp(profile: PriceSteps & { startPx: number }): number {
  const { tickAt, unitsAt } = priceGrid(profile)
  const units = Math.round(profile.startPx * pow10(profile.pxDecimals))
  return (unitsAt(tickAt(units) + 1) / units - 1) * 10_000
}
