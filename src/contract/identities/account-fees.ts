/** The fees of an account follow from its volume of the 14 days before. */

import { DAY_MS } from '../../clock/instant.ts'
import { Exact } from '../../decimal/exact.ts'
import type { UserFees } from '../records/account-state.ts'
import type { UserFill } from '../records/fill.ts'
import { statesOf, valuedFill } from './account-money.ts'
import { allRows, type Comparison, FILLS_AT_ONCE, type Identity, isWhole } from './identity.ts'

const NOTHING = Exact.of(0)
const TWICE = Exact.of(2)
/** Money is written to a millionth of a dollar. */
const MICRO = Exact.of('0.000001')
/** Days whose volume decides the rates of the next one. */
const DAYS = 14

const fillsOf = (user: string) => allRows<UserFill>({ type: 'userFillsByTime', user }, 2000)
const isSpot = (coin: string) => coin.includes('/') || coin.startsWith('@')
const worthOf = ({ px, sz }: UserFill) => Exact.of(px).times(Exact.of(sz))

export const feesOfFills: Identity = {
  id: 'fees',
  sentence: 'The fee of a fill is its value at the rate of the tier of the 14 days before it.',
  source: 'userFillsByTime, userFees; on a builder dex twice the rate',
  *compare(user) {
    const fees = (yield { type: 'userFees', user }) as UserFees
    const fills = yield* fillsOf(user)
    const volumes = new VolumeSums(fills)
    const left = Exact.of(1).minus(Exact.of(fees.activeStakingDiscount.discount))
    const comparisons: Comparison[] = []
    // Of what was traded before the first of so many fills nothing is known.
    const fromMs = isWhole(fills) ? 0 : (fills[0]?.time ?? 0) + (DAYS + 1) * DAY_MS
    for (const [at, fill] of fills.entries()) {
      if (at % FILLS_AT_ONCE === 0) yield
      if (fill.time < fromMs) continue
      const charged = Exact.of(fill.fee).minus(Exact.of(fill.builderFee ?? '0'))
      const rates = ratesOf(fees, volumes, fill).map((rate) => paidRate(rate, left, fill))
      const value = worthOf(fill)
      const charges = (rate: Exact) => isNear(charged, value.times(rate))
      const rate = rates.find(charges) ?? (rates[0] as Exact)
      const right = value.times(rate)
      const of = `${fill.tid}`
      const records = { value, rate, fill }
      comparisons.push({ of, left: charged, relation: 'equal', right, within: MICRO, records })
    }
    return comparisons
  },
}

/**
 * The rates that a fill may have been charged: first that of the whole days before its own. Where
 * the days of the clock that is shown begin at another hour than those of the recording, a tier
 * begins up to a day later.
 */
function ratesOf(fees: UserFees, volumes: VolumeSums, { time, crossed, coin }: UserFill): string[] {
  const tiers = tiersOf(fees)
  const dayMs = time - (time % DAY_MS)
  const place = (fromMs: number, toMs: number) =>
    tiers.findLastIndex(({ least }) => volumes.between(fromMs, toMs) >= least)
  const usual = place(dayMs - DAYS * DAY_MS, dayMs)
  const low = place(time - DAYS * DAY_MS, time - DAY_MS)
  const high = place(time - (DAYS + 1) * DAY_MS, time)
  const around = Array.from({ length: high - low + 1 }, (_, at) => low + at)
  const rates = [usual, ...around].map((at) => {
    const { cross, add, spotCross, spotAdd } = tiers[at] as FeeTier
    if (isSpot(coin)) return crossed ? spotCross : spotAdd
    return crossed ? cross : add
  })
  const rebates = crossed ? [] : fees.feeSchedule.tiers.mm.map(({ add }) => add)
  return [...rates, ...rebates]
}

/** A rebate is the same for all; of what is paid, stakers pay less, and builder dexes take more. */
function paidRate(rate: string, left: Exact, { coin }: UserFill): Exact {
  const shown = Exact.of(rate)
  if (shown.isAtMost(NOTHING)) return shown
  const paid = shown.times(left)
  return coin.includes(':') ? paid.times(TWICE) : paid
}

const isNear = (one: Exact, other: Exact) => one.minus(other).absolute().isAtMost(MICRO)

/** The schedule, from no volume on. */
function tiersOf({ feeSchedule: { tiers, ...base } }: UserFees): FeeTier[] {
  const above = tiers.vip.map(({ ntlCutoff, ...rates }) => ({ least: Number(ntlCutoff), ...rates }))
  return [{ ...base, least: 0 }, ...above]
}

interface FeeTier {
  /** Dollars in 14 days. */
  least: number
  cross: string
  add: string
  spotCross: string
  spotAdd: string
}

/** The volume up to each fill. */
class VolumeSums {
  private readonly times: number[]
  private readonly sums: number[] = [0]

  constructor(fills: readonly UserFill[]) {
    this.times = fills.map(({ time }) => time)
    for (const fill of fills)
      this.sums.push((this.sums.at(-1) ?? 0) + Number(fill.px) * Number(fill.sz))
  }

  /** Dollars of fills with fromMs <= time < toMs. */
  between(fromMs: number, toMs: number): number {
    return (this.sums[this.countBefore(toMs)] ?? 0) - (this.sums[this.countBefore(fromMs)] ?? 0)
  }

  private countBefore(timeMs: number): number {
    let [low, high] = [0, this.times.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.times[middle] as number) < timeMs) low = middle + 1
      else high = middle
    }
    return low
  }
}

export const ratesOfVolume: Identity = {
  id: 'fee-tier',
  sentence: 'The rates of an account are those of the tier that the 14 days before today reach.',
  source: 'userFees',
  *compare(user) {
    const fees = (yield { type: 'userFees', user }) as UserFees
    const days = fees.dailyUserVlm.slice(0, -1)
    const total = (of: 'userCross' | 'userAdd' | 'exchange') =>
      days.reduce((sum, day) => sum + Number(day[of]), 0)
    const [crossed, added, market] = [total('userCross'), total('userAdd'), total('exchange')]
    const tier = tiersOf(fees).findLast(({ least }) => crossed + added >= least) as FeeTier
    const share = market > 0 ? added / market : 0
    const rebate = fees.feeSchedule.tiers.mm.findLast(
      ({ makerFractionCutoff }) => share >= Number(makerFractionCutoff),
    )
    const { discount } = fees.activeStakingDiscount
    const left = Exact.of(1).minus(Exact.of(discount))
    const paid = (rate: string) => Exact.of(rate).times(left)
    const add = rebate ? Exact.of(rebate.add) : paid(tier.add)
    const spotAdd = rebate ? add : paid(tier.spotAdd)
    const records = { crossed, added, market, discount }
    return [
      ['userCrossRate', fees.userCrossRate, paid(tier.cross)] as const,
      ['userAddRate', fees.userAddRate, add] as const,
      ['userSpotCrossRate', fees.userSpotCrossRate, paid(tier.spotCross)] as const,
      ['userSpotAddRate', fees.userSpotAddRate, spotAdd] as const,
    ].map(([of, rate, right]) => ({
      of,
      left: Exact.of(rate),
      relation: 'equal' as const,
      right,
      records,
    }))
  },
}

export const volumeOfDays: Identity = {
  id: 'daily-volume',
  sentence: 'The volume of each of the last days is that of its fills, as taker and as maker.',
  source: 'userFees, userFillsByTime',
  *compare(user) {
    const { dailyUserVlm } = (yield { type: 'userFees', user }) as UserFees
    const fills = yield* fillsOf(user)
    // Earlier fills may be missing.
    const fromMs = isWhole(fills) ? 0 : (fills[0]?.time ?? 0)
    return dailyUserVlm.flatMap(({ date, userCross, userAdd, exchange }) => {
      const startMs = Date.parse(date)
      if (startMs <= fromMs) return []
      const own = fills.filter(({ time }) => time >= startMs && time < startMs + DAY_MS)
      const all = {
        of: `${date} exchange`,
        left: Exact.of(userCross).plus(Exact.of(userAdd)),
        relation: 'atMost' as const,
        right: Exact.of(exchange).times(TWICE),
        within: MICRO,
        records: { userCross, userAdd, exchange },
      }
      const sides = ([true, false] as const).map((crossed) => {
        const records = own.filter((fill) => fill.crossed === crossed).map(valuedFill)
        return {
          of: `${date} ${crossed ? 'userCross' : 'userAdd'}`,
          left: Exact.of(crossed ? userCross : userAdd),
          relation: 'equal' as const,
          right: Exact.sum(records.map(({ value }) => value)),
          within: MICRO.times(Exact.of(records.length)),
          records,
        }
      })
      return [...sides, all]
    })
  },
}

export const leverageOfPositions: Identity = {
  id: 'leverage',
  sentence: 'The leverage of a position is a whole number, at most what its coin allows.',
  source: 'clearinghouseState',
  *compare(user) {
    const states = yield* statesOf(user)
    return states.flatMap(([, { assetPositions }]) =>
      assetPositions.flatMap(({ position: { coin, leverage, maxLeverage } }) => {
        const value = Exact.of(leverage.value)
        const records = leverage
        return [
          {
            of: `${coin} whole`,
            left: value,
            relation: 'equal' as const,
            right: Exact.of(Math.round(leverage.value)),
            records,
          },
          {
            of: `${coin} least`,
            left: Exact.of(1),
            relation: 'atMost' as const,
            right: value,
            records,
          },
          {
            of: `${coin} most`,
            left: value,
            relation: 'atMost' as const,
            right: Exact.of(maxLeverage),
            records,
          },
        ]
      }),
    )
  },
}
