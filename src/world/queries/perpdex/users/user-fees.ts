/** What an account pays, and the volumes of the last days beside it. */

import { sql } from 'drizzle-orm'
import { DAY_MS } from '../../../../clock/durations.ts'
import { shownAt, shownMs, type TapeMs, tapeAt, tapeMs } from '../../../../clock/instant.ts'
import type { Slices } from '../../../../clock/turns.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type { FeeSchedule, UserFees } from '../../../../contract/records/fees.ts'
import { feeRate, raw, type Usd, ZERO } from '../../../../decimal/quantity.ts'
import { format } from '../../../../decimal/scaled.ts'
import { Cache } from '../../../cache.ts'
import { bigintText, NATIVE_DECIMALS } from '../../../formatting/decimal-text.ts'
import { perWorld } from '../../../per-world.ts'
import { columns } from '../../../rows/columns.ts'
import { tradeHoursOf } from '../../../rows/trade-hours.ts'
import { tradersOf } from '../../../rows/traders.ts'
import { FEE_DECIMALS, fill, MONEY_DECIMALS, trader } from '../../../schema.ts'
import type { World } from '../../../world.ts'

/** The rates of an unknown address are those of the schedule. */
export function* userFees(world: World, moment: Moment, address: string): Slices<UserFees> {
  const known = tradersOf(world).find(address)
  const { taker, maker } = (known && rates(world).get(known.id, moment.atMs)) ?? USUAL
  const cross = format(raw(taker), FEE_DECIMALS, NATIVE_DECIMALS)
  const add = format(raw(maker), FEE_DECIMALS, NATIVE_DECIMALS)
  return {
    dailyUserVlm: yield* volumeDays(world, moment, known?.id ?? null),
    feeSchedule: SCHEDULE,
    userCrossRate: cross,
    userAddRate: add,
    // Spot is charged as perpetuals are here.
    userSpotCrossRate: cross,
    userSpotAddRate: add,
    activeReferralDiscount: '0.0',
    trial: null,
    feeTrialEscrow: '0.0',
    nextTrialAvailableTimestamp: null,
    stakingLink: null,
    activeStakingDiscount: { bpsOfMaxSupply: '0.0', discount: '0.0' },
  }
}

const USUAL = { taker: feeRate(450), maker: feeRate(150) }

const DAYS = 15

/** Days of the clock that clients are shown, oldest first. */
function* volumeDays(
  world: World,
  { atMs, shiftMs }: Moment,
  trader: number | null,
): Slices<UserFees['dailyUserVlm']> {
  const today = Math.floor(shownAt(atMs, shiftMs) / DAY_MS)
  const first = today - DAYS + 1
  const startOf = (day: number) => tapeAt(shownMs(day * DAY_MS), shiftMs)
  const own = trader === null ? [] : volumes(world).all(shiftMs, trader, startOf(first), atMs)
  const ownText = (day: number, crossed: boolean) => {
    const row = own.find((one) => one.day === day && one.crossed === crossed)
    return bigintText(BigInt(raw(row?.volume ?? ZERO)), MONEY_DECIMALS, NATIVE_DECIMALS)
  }
  const days: UserFees['dailyUserVlm'] = []
  for (let day = first; day <= today; day++) {
    const startMs = startOf(day)
    const toMs = tapeMs(Math.min(startMs + DAY_MS, atMs + 1))
    const total = yield* marketVolume(world)(startMs, toMs)
    days.push({
      date: new Date(day * DAY_MS).toISOString().slice(0, 10),
      userCross: ownText(day, true),
      userAdd: ownText(day, false),
      exchange: bigintText(total, MONEY_DECIMALS, NATIVE_DECIMALS),
    })
  }
  return days
}

/** Days whose volume is cached. */
const CACHE_LIMIT = 500

/** Turnover of all instruments between two instants, micro-dollars; whole days are cached. */
const marketVolume = perWorld((world) => {
  const cached = new Cache<number, bigint>(CACHE_LIMIT)
  const hours = tradeHoursOf(world)
  return function* (fromMs: TapeMs, toMs: TapeMs): Slices<bigint> {
    const isWhole = toMs - fromMs === DAY_MS
    const known = isWhole ? cached.find(fromMs) : undefined
    if (known !== undefined) return known
    let all = 0n
    for (const { id } of world.instruments) {
      yield* hours.read(id, fromMs, toMs)
      yield
      all += hours.tally(id, fromMs, toMs).amount
    }
    return isWhole ? cached.put(fromMs, all) : all
  }
})

/** The venue's schedule; spot is charged as perpetuals are here. */
const SCHEDULE: FeeSchedule = {
  ...crossAndAdd('0.00045', '0.00015'),
  tiers: {
    vip: [
      { ntlCutoff: '5000000.0', ...crossAndAdd('0.0004', '0.00012') },
      { ntlCutoff: '25000000.0', ...crossAndAdd('0.00035', '0.00008') },
      { ntlCutoff: '100000000.0', ...crossAndAdd('0.0003', '0.00004') },
      { ntlCutoff: '500000000.0', ...crossAndAdd('0.00028', '0.0') },
      { ntlCutoff: '2000000000.0', ...crossAndAdd('0.00026', '0.0') },
      { ntlCutoff: '7000000000.0', ...crossAndAdd('0.00024', '0.0') },
    ],
    mm: [
      { makerFractionCutoff: '0.005', add: '-0.00001' },
      { makerFractionCutoff: '0.015', add: '-0.00002' },
      { makerFractionCutoff: '0.03', add: '-0.00003' },
    ],
  },
  referralDiscount: '0.04',
  stakingDiscountTiers: [
    ...[
      ['0.0', '0.0'],
      ['0.0001', '0.05'],
      ['0.001', '0.1'],
      ['0.01', '0.15'],
      ['0.1', '0.2'],
      ['1.0', '0.3'],
      ['5.0', '0.4'],
    ].map(([bpsOfMaxSupply = '', discount = '']) => ({ bpsOfMaxSupply, discount })),
  ],
}

function crossAndAdd(cross: string, add: string) {
  return { cross, add, spotCross: cross, spotAdd: add }
}

const RATES = columns({ taker: trader.takerRate, maker: trader.makerRate })

const rates = perWorld(({ db }) =>
  RATES.prepare<[trader: number, atMs: TapeMs]>(db, 'from trader where id = ? and joinMs <= ?'),
)

const VOLUMES = columns({
  day: sql<number>`(${fill.timeMs} + ?) / ${sql.raw(String(DAY_MS))}`,
  crossed: fill.crossed,
  volume: sql<Usd>`sum(${fill.notional})`,
})

const volumes = perWorld(({ db }) =>
  VOLUMES.prepare<[shiftMs: number, trader: number, fromMs: TapeMs, toMs: TapeMs]>(
    db,
    'from fill where trader = ? and timeMs between ? and ? group by 1, 2',
  ),
)
