import type { Dice } from '../../random/dice.ts'
import type { Fill } from './printer.ts'
import type { Shelf } from './shelves.ts'

/** How many makers one taker meets at a price at most, and how likely each further one is. */
const MOST = 4
const NEXT = 0.22

/** The makers' orders that the lots taken from one level came from. */
export function fills({ rung, lots, orders }: Shelf, dice: Dice): Fill[] {
  const parts: Fill[] = []
  let left = lots
  for (let more = Math.min(orders, MOST) - 1; more > 0 && left > 2; more--) {
    if (!dice.chance(NEXT)) break
    const part = Math.min(left - 1, Math.max(1, Math.round(left * (0.15 + 0.7 * dice.unit()))))
    parts.push({ rung, lots: part })
    left -= part
  }
  return [...parts, { rung, lots: left }]
}
