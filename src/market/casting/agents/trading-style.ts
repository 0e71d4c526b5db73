import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../clock/durations.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import type { Role } from '../../schema/schema.ts'
import { logUniform } from '../random-values.ts'

/** How somebody trades, whatever the market does: what his decisions have in common. */
export interface TradingStyle {
  /** What makes him buy: that prices rose, that they fell, or nothing that can be seen. */
  signal: 'momentum' | 'reversion' | 'chance'
  /** He looks so many minutes back. */
  lookbackMin: number
  /** How often he looks for a trade, and how long he means to hold it. */
  tradesPerDay: number
  holdMs: number
  /** Gain and loss at which he closes, in standard deviations of what the price does meanwhile. */
  target: number
  stop: number
  /** Position against equity; and how many positions at once. */
  leverage: number
  positionsMax: number
  /** How differently much he stakes from trade to trade, in logarithms. */
  stakeSpread: number
  /** Share of his orders that wait for their price, and of those that join the best price. */
  patience: number
  atTouch: number
  /** Share of his positions on isolated margin. */
  isolation: number
  /** Chance that he brings new money rather than be liquidated, or after he has lost it. */
  persistence: number
}

interface Habits {
  tradesPerDay: readonly [low: number, high: number]
  holdMs: readonly [low: number, high: number]
  patience: number
  atTouch: number
  isolation: number
  positionsMax: number
  stakeSpread?: number
  /** Typical one; that of everybody where it is left out. */
  leverage?: number
}

const HABITS: Partial<Record<Role, Habits>> = {
  scalper: {
    tradesPerDay: [6, 40],
    holdMs: [20_000, 40 * MINUTE_MS],
    patience: 0.95,
    atTouch: 0.9,
    isolation: 0.85,
    positionsMax: 1,
    stakeSpread: 1.2,
  },
  swing: {
    tradesPerDay: [0.3, 2.6],
    holdMs: [2 * HOUR_MS, 5 * DAY_MS],
    patience: 0.6,
    atTouch: 0.3,
    isolation: 0.88,
    positionsMax: 3,
  },
  builderUser: {
    tradesPerDay: [0.4, 3],
    holdMs: [2 * HOUR_MS, 2 * DAY_MS],
    patience: 0.5,
    atTouch: 0.4,
    isolation: 0.85,
    positionsMax: 2,
  },
  quiet: {
    tradesPerDay: [0.08, 1],
    holdMs: [6 * HOUR_MS, 18 * DAY_MS],
    patience: 0.5,
    atTouch: 0.2,
    isolation: 0.88,
    positionsMax: 2,
  },
  whale: {
    tradesPerDay: [0.5, 4],
    holdMs: [3 * HOUR_MS, 10 * DAY_MS],
    patience: 0.6,
    atTouch: 0.2,
    isolation: 0.85,
    positionsMax: 3,
    leverage: 4,
  },
  twap: {
    tradesPerDay: [0.3, 1.2],
    holdMs: [6 * HOUR_MS, 6 * DAY_MS],
    patience: 0.2,
    atTouch: 0,
    isolation: 0.8,
    positionsMax: 2,
  },
}

/** Of traders whom nothing else is known of. */
const OTHERS: Habits = {
  tradesPerDay: [0.5, 2],
  holdMs: [HOUR_MS, DAY_MS],
  patience: 0.3,
  atTouch: 0,
  isolation: 0,
  positionsMax: 3,
}

const LEVERAGE = { median: 6, spread: 0.8, min: 1.3 }
/** Makers hold little against what they own. */
const MAKER = { leverage: 4, isolation: 0.88 }
const STAKE_SPREAD = 0.4
/** Share of those who wait for a loss to come back, whatever it costs. */
const WITHOUT_STOP = 0.35

/** Draws a style of a role. */
export function drawStyle(role: Role, random: RandomSource): TradingStyle {
  const habits = HABITS[role] ?? OTHERS
  const holdMs = logUniform(random, ...habits.holdMs)
  // Near targets and far stops win often and little; the other way round seldom and much.
  const skew = Math.exp(1.3 * random.normal())
  const width = 0.65 * Math.exp(0.25 * random.normal())
  const leverage =
    (habits.leverage ?? LEVERAGE.median) * Math.exp(LEVERAGE.spread * random.normal())
  return {
    signal: random.pick(['momentum', 'reversion', 'chance'] as const),
    lookbackMin: Math.max(2, Math.min(2_000, Math.round(holdMs / MINUTE_MS))),
    tradesPerDay: logUniform(random, ...habits.tradesPerDay),
    holdMs,
    target: width * Math.sqrt(skew),
    stop: random.chance(WITHOUT_STOP) ? Number.POSITIVE_INFINITY : width / Math.sqrt(skew),
    leverage: role === 'maker' ? MAKER.leverage : Math.max(LEVERAGE.min, leverage),
    positionsMax: random.between(1, habits.positionsMax),
    stakeSpread: habits.stakeSpread ?? STAKE_SPREAD,
    patience: habits.patience,
    atTouch: habits.atTouch,
    isolation: role === 'maker' ? MAKER.isolation : habits.isolation,
    persistence: 0.15 + 0.5 * random.unit(),
  }
}
