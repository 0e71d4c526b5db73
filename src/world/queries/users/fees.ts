/** What an account pays, and the volumes of the last days beside it (shapes 2.7). */
import type { Moment } from '../../../contract/facts.ts'
import type { FeeSchedule, UserFees } from '../../../contract/records/fees.ts'
import { format } from '../../../decimal/scaled.ts'
import { Cache } from '../../cache.ts'
import { FEE_DECIMALS, MONEY_DECIMALS } from '../../schema.ts'
import type { World } from '../../world.ts'
import { perWorld } from '../per-world.ts'
import { tradeHoursOf } from '../trade-hours.ts'
import { tradersOf } from '../traders.ts'
import { NATIVE, wideText } from '../wording.ts'

/** The rates of an unknown address are those of the schedule. */
export function feesOf(world: World, moment: Moment, address: string): UserFees {
  const trader = tradersOf(world).find(address)
  const row =
    trader && (rates(world).values(trader.id, moment.atMs)[0] as [number, number] | undefined)
  const [taker, maker] = row ?? [450, 150]
  const cross = format(taker, FEE_DECIMALS, NATIVE)
  const add = format(maker, FEE_DECIMALS, NATIVE)
  return {
    dailyUserVlm: daysOf(world, moment, trader?.id ?? null),
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

const DAYS = 15
const DAY_MS = 86_400_000

/** Days of the clock that clients are shown, oldest first. */
function daysOf(world: World, { atMs, shiftMs }: Moment, trader: number | null) {
  const today = Math.floor((atMs + shiftMs) / DAY_MS)
  const first = today - DAYS + 1
  const own = new Map<string, number>()
  if (trader !== null) {
    const rows = volumes(world).values(shiftMs, trader, first * DAY_MS - shiftMs, atMs)
    for (const [day, crossed, sum] of rows as [number, number, number][])
      own.set(`${day}/${crossed}`, sum)
  }
  const text = (micros: number | undefined) => wideText(BigInt(micros ?? 0), MONEY_DECIMALS, NATIVE)
  return Array.from({ length: DAYS }, (_, at) => {
    const day = first + at
    const startMs = day * DAY_MS - shiftMs
    const total = everybodys(world)(startMs, Math.min(startMs + DAY_MS, atMs + 1))
    return {
      date: new Date(day * DAY_MS).toISOString().slice(0, 10),
      userCross: text(own.get(`${day}/1`)),
      userAdd: text(own.get(`${day}/0`)),
      exchange: wideText(total, MONEY_DECIMALS, NATIVE),
    }
  })
}

/** Days whose volume is kept. */
const KEPT = 500

/** Turnover of all instruments between two instants, micro-dollars; whole days are kept. */
const everybodys = perWorld((world) => {
  const kept = new Cache<number, bigint>(KEPT)
  const hours = tradeHoursOf(world)
  const sum = (fromMs: number, toMs: number) =>
    world.instruments.reduce((all, { id }) => all + hours.tally(id, fromMs, toMs).amount, 0n)
  return (fromMs: number, toMs: number): bigint => {
    if (toMs - fromMs < DAY_MS) return sum(fromMs, toMs)
    return kept.get(fromMs, () => sum(fromMs, toMs))
  }
})

/** The venue's schedule; spot is charged as perpetuals are here. */
const SCHEDULE: FeeSchedule = {
  ...both('0.00045', '0.00015'),
  tiers: {
    vip: [
      { ntlCutoff: '5000000.0', ...both('0.0004', '0.00012') },
      { ntlCutoff: '25000000.0', ...both('0.00035', '0.00008') },
      { ntlCutoff: '100000000.0', ...both('0.0003', '0.00004') },
      { ntlCutoff: '500000000.0', ...both('0.00028', '0.0') },
      { ntlCutoff: '2000000000.0', ...both('0.00026', '0.0') },
      { ntlCutoff: '7000000000.0', ...both('0.00024', '0.0') },
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

function both(cross: string, add: string) {
  return { cross, add, spotCross: cross, spotAdd: add }
}

const rates = perWorld(({ db }) =>
  db.prepare('select takerRate, makerRate from trader where id = ? and joinMs <= ?'),
)

const volumes = perWorld(({ db }) =>
  db.prepare(
    `select (timeMs + ?) / ${DAY_MS} as day, crossed, sum(notional) from fill
     where trader = ? and timeMs between ? and ? group by 1, 2`,
  ),
)
