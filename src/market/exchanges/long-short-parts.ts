/**
 * Long shares of accounts and positions on another exchange, where no positions are known: a share
 * has its own level and motion, a part common to all exchanges, and leans against the coin's last
 * day, as most small accounts do.
 */
import { DAY_MS, HOUR_MS, later, MINUTE_MS, type TapeMs } from '../../clock/instant.ts'
import { ratio } from '../../decimal/quantity.ts'
import { pathSum } from '../bars/exchange-motion.ts'
import { tradeHoursOf } from '../rows/trade-hours.ts'
import { unitAt } from '../synth/distributions.ts'
import type { World } from '../world/world.ts'
import { crowdStanding } from './exchange-crowd.ts'
import { saltsOf } from './exchanges.ts'
import { type DerivedPair, hourOf } from './pair-minutes.ts'

/** Population of a share: all accounts, top accounts, their positions, margin loans. */
export type LongPartKind = 'accounts' | 'top accounts' | 'top positions' | 'borrowed'

/** Usual log ratio of long to short, its deviation, and its response to the last day. */
const KINDS: Record<LongPartKind, { mean: number; sd: number; against: number }> = {
  accounts: { mean: 0.32, sd: 0.2, against: 3 },
  'top accounts': { mean: 0.25, sd: 0.2, against: 2 },
  'top positions': { mean: 0.08, sd: 0.14, against: -0.8 },
  borrowed: { mean: 0.35, sd: 0.25, against: 1.5 },
}
const OWN = [
  { sd: 0.75, periodMs: 2.5 * DAY_MS },
  { sd: 0.42, periodMs: 7 * HOUR_MS },
  { sd: 0.2, periodMs: 50 * MINUTE_MS },
  { sd: 0.07, periodMs: 5 * MINUTE_MS },
]
const SHARED = [{ sd: 0.55, periodMs: 30 * HOUR_MS }]
const LEVEL_SPREAD = 0.35
/** Effect of recently liquidated positions, which are of the most eager side. */
const WIPED = 2
/** Ratios lie between e^-0.69 and e^1.05. */
const [LEAST, MOST] = [-0.69, 1.05]

/** Share between 0 and 1, from a minute on. */
export function longPart(
  world: World,
  { instrument, exchange }: DerivedPair,
  kind: LongPartKind,
  atMs: TapeMs,
): number {
  const saltOf = saltsOf(world)
  const { mean, sd, against } = KINDS[kind]
  const salt = saltOf(`long ${kind} of ${instrument.coin} on ${exchange.key}`)
  const shared = saltOf(`long ${kind} of ${instrument.coin}`)
  const level = mean + LEVEL_SPREAD * (unitAt(salt, 0) - 0.5)
  const moved = sd * (pathSum(salt, OWN, atMs) + pathSum(shared, SHARED, atMs))
  const { lost } = crowdStanding(world, instrument, hourOf(atMs))
  const wiped = Math.log((1 + WIPED * lost.short) / (1 + WIPED * lost.long))
  const log = level + moved + wiped - against * dayReturn(world, instrument.id, atMs)
  return 1 / (1 + Math.exp(-softLimited(log)))
}

function dayReturn(world: World, instrument: number, atMs: TapeMs): number {
  const hours = tradeHoursOf(world)
  const minuteMs = later(atMs, -(atMs % MINUTE_MS))
  const now = hours.pxBefore(instrument, minuteMs)
  const before = hours.pxBefore(instrument, later(minuteMs, -DAY_MS))
  return now === null || before === null ? 0 : Math.log(ratio(now, before))
}

/** Nearly the identity in the middle, never beyond the limits. */
function softLimited(log: number): number {
  const [middle, half] = [(LEAST + MOST) / 2, (MOST - LEAST) / 2]
  return middle + half * Math.tanh((log - middle) / half)
}
