/** Indexes that are weighted sums of prices. */
import type { TapeMs } from '../../../clock/instant.ts'
import { type Px, raw } from '../../../decimal/quantity.ts'
import { minutePricesOf } from '../../rows/minute-prices.ts'
import type { World } from '../../world.ts'
import type { IndexFormula, IndexMember } from './index-formula.ts'

/** Where baskets begin, in hundredths. */
const BASE = 1000_00n
/** Decimals to which prices are brought. */
const PLACES = 12
/** Fine enough for parts of a unit of a coin. */
const PRECISION = 10n ** 24n

/** 1000 at the first prices; each coin weighs as much as its market cap then, or as the others. */
export function basketFormula(
  world: World,
  members: readonly IndexMember[],
  by: 'cap' | 'equal',
): IndexFormula | null {
  if (members.length === 0) return null
  const parts = members.map((member) => {
    const { instrument, firstPx } = member
    const first = wide(firstPx) * priceUnit(member)
    const weight = by === 'cap' ? capWeight(member) : PRECISION / first
    return { id: instrument.id, weight: weight * priceUnit(member) }
  })
  const base = members.reduce(
    (sum, { firstPx }, at) => sum + wide(firstPx) * (parts[at]?.weight ?? 0n),
    0n,
  )
  return {
    isMoney: true,
    isDaily: false,
    decimals: 2,
    members: members.map(({ instrument }) => instrument),
    value: (minuteMs) => {
      const now = weightedSum(world, parts, minuteMs)
      return now === null ? null : roundedQuotient(now * BASE, base)
    },
  }
}

/** The market cap of some coins in percent of that of others. */
export function quotientFormula(
  world: World,
  some: readonly IndexMember[],
  all: readonly IndexMember[],
): IndexFormula | null {
  if (some.length === 0) return null
  const caps = (members: readonly IndexMember[]) =>
    members.map((member) => ({
      id: member.instrument.id,
      weight: capWeight(member) * priceUnit(member),
    }))
  const [above, below] = [caps(some), caps(all)]
  return {
    isMoney: false,
    isDaily: false,
    decimals: 2,
    members: all.map(({ instrument }) => instrument),
    value: (minuteMs) => {
      const [part, whole] = [
        weightedSum(world, above, minuteMs),
        weightedSum(world, below, minuteMs),
      ]
      return part === null || whole === null ? null : roundedQuotient(part * 100_00n, whole)
    },
  }
}

const capWeight = ({ asset, capPermille }: IndexMember) =>
  BigInt(asset.supply) * BigInt(capPermille)

/** Brings prices of different decimals to one scale. */
const priceUnit = ({ instrument }: IndexMember) => 10n ** BigInt(PLACES - instrument.pxDecimals)

const wide = (px: Px) => BigInt(raw(px))

interface BasketWeight {
  id: number
  weight: bigint
}

function weightedSum(
  world: World,
  parts: readonly BasketWeight[],
  minuteMs: TapeMs,
): bigint | null {
  const prices = minutePricesOf(world)
  let total = 0n
  for (const { id, weight } of parts) {
    const px = prices.at(id, minuteMs)
    if (px === null) return null
    total += wide(px) * weight
  }
  return total
}

/** a / b to the nearest, both above zero. */
const roundedQuotient = (a: bigint, b: bigint) => Number((2n * a + b) / (2n * b))
