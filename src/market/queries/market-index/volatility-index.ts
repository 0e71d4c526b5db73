/** How much the price of bitcoin moves. */
import { HOUR_MS } from '../../../clock/durations.ts'
import { later, type TapeMs } from '../../../clock/instant.ts'
import { ratio } from '../../../decimal/quantity.ts'
import { minutePricesOf } from '../../rows/minute-prices.ts'
import type { World } from '../../world/world.ts'
import type { IndexFormula, IndexMember } from './index-formula.ts'

const HOURS_A_YEAR = 365 * 24

/** Standard deviation of the last 24 hourly returns about zero, percent a year. */
export function volatilityIndex(world: World, btc: IndexMember | undefined): IndexFormula | null {
  if (!btc) return null
  return {
    isMoney: false,
    isDaily: false,
    decimals: 2,
    members: [btc.instrument],
    value: (minuteMs) => {
      const percent = volatilityAt(world, btc, minuteMs)
      return percent === null ? null : Math.round(percent * 100)
    },
  }
}

function volatilityAt(world: World, of: IndexMember, minuteMs: TapeMs): number | null {
  let squares = 0
  for (let hour = 0; hour < 24; hour++) {
    const change = returnOf(world, of, later(minuteMs, -hour * HOUR_MS), HOUR_MS)
    if (change === null) return null
    squares += change * change
  }
  return 100 * Math.sqrt((squares / 24) * HOURS_A_YEAR)
}

/** Change of a price over a span that ends at a minute; null without a price before. */
function returnOf(world: World, { instrument }: IndexMember, minuteMs: TapeMs, spanMs: number) {
  const prices = minutePricesOf(world)
  const before = prices.at(instrument.id, later(minuteMs, -spanMs))
  const now = prices.at(instrument.id, minuteMs)
  return before === null || now === null ? null : ratio(now, before) - 1
}
