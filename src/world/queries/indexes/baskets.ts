/** Indexes that are weighted sums of prices. */
import type { TapeMs } from '../../../clock/instant.ts'
import { type Px, raw } from '../../../decimal/quantity.ts'
import type { World } from '../../world.ts'
import type { Formula, Member } from './formulas.ts'
import { minutePricesOf } from './minutes.ts'

/** Where baskets begin, in hundredths. */
const BASE = 1000_00n
/** Decimals to which prices are brought. */
const PLACES = 12
/** Fine enough for parts of a unit of a coin. */
const FINE = 10n ** 24n

/** 1000 at the first prices; each coin weighs as much as its market cap then, or as the others. */
export function basket(
  world: World,
  members: readonly Member[],
  by: 'cap' | 'equal',
): Formula | null {
  if (members.length === 0) return null
  const parts = members.map((member) => {
    const { asset, instrument, firstPx } = member
    const first = wide(firstPx) * unit(member)
    const weight = by === 'cap' ? BigInt(asset.supply) : FINE / first
    return { id: instrument.id, weight: weight * unit(member) }
  })
  const base = members.reduce(
    (sum, { firstPx }, at) => sum + wide(firstPx) * (parts[at]?.weight ?? 0n),
    0n,
  )
  return {
    isMoney: true,
    decimals: 2,
    members: members.map(({ instrument }) => instrument),
    value: (minuteMs) => {
      const now = sum(world, parts, minuteMs)
      return now === null ? null : rounded(now * BASE, base)
    },
  }
}

/** The market cap of some coins in percent of that of others. */
export function quotient(
  world: World,
  some: readonly Member[],
  all: readonly Member[],
): Formula | null {
  if (some.length === 0) return null
  const caps = (members: readonly Member[]) =>
    members.map((member) => ({
      id: member.instrument.id,
      weight: BigInt(member.asset.supply) * unit(member),
    }))
  const [above, below] = [caps(some), caps(all)]
  return {
    isMoney: false,
    decimals: 2,
    members: all.map(({ instrument }) => instrument),
    value: (minuteMs) => {
      const [part, whole] = [sum(world, above, minuteMs), sum(world, below, minuteMs)]
      return part === null || whole === null ? null : rounded(part * 100_00n, whole)
    },
  }
}

/** Brings prices of different decimals to one scale. */
const unit = ({ instrument }: Member) => 10n ** BigInt(PLACES - instrument.pxDecimals)

const wide = (px: Px) => BigInt(raw(px))

interface Part {
  id: number
  weight: bigint
}

function sum(world: World, parts: readonly Part[], minuteMs: TapeMs): bigint | null {
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
const rounded = (a: bigint, b: bigint) => Number((2n * a + b) / (2n * b))
