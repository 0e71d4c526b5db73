import { pow10 } from '../../decimal/scaled.ts'
import { type RandomState, randomSource, randomState } from '../../random/random-source.ts'
import { type MetricsState, newMetrics } from './derivative-metrics.ts'
import { type FairPriceState, newFairPrice } from './fair-price.ts'
import type { InstrumentProfile } from './instrument-profile.ts'
import type { PlannedLiquidation } from './planned-liquidations.ts'
import { type BookState, emptyBook } from './synth-book.ts'
import { newTakers, type TakerState } from './takers.ts'
import { newSchedule, type ScheduleState } from './task-schedule.ts'
import { newTradeIds, type TradeIdState } from './trade-ids.ts'
import type { ClosingState } from './usual-liquidations.ts'

/** Time between two full books. */
export const SNAPSHOT_MS = 600_000

/** One instrument's market as plain data: all that its future depends on. */
export interface MarketState {
  profile: InstrumentProfile
  price: FairPriceState
  book: BookState
  makers: RandomState
  takers: TakerState
  metrics: MetricsState
  tids: TradeIdState
  /** Draws of waiting times, and of makers that a taker meets. */
  pace: RandomState
  splits: RandomState
  schedule: ScheduleState
  /** When the next full book is due. */
  snapshotMs: number
  /** Liquidations of the cascade that is planned, and its end. */
  liquidations: PlannedLiquidation[]
  plannedUntilMs: number
  /** What liquidations outside cascades follow from; null where there are none. */
  closings: ClosingState | null
  /** Price of the last trade. */
  lastTick: number
  /** Depth that events have brought the book to; null before its first refresh. */
  depth: number | null
}

/**
 * A market before its first book. What is drawn follows from `key`, but for trade numbers, which
 * follow from that of all markets and a lane of their own.
 */
export function newMarket(
  profile: InstrumentProfile,
  key: string,
  tids: { key: string; lane: number },
): MarketState {
  const { kind, refreshMs, premium, interestUsd, startPx, szDecimals } = profile
  const start = randomSource(key, 'start')
  const interest = Math.round((interestUsd / startPx) * pow10(szDecimals))
  return {
    profile,
    price: newFairPrice(key),
    book: emptyBook(),
    makers: randomState(key, 'makers'),
    takers: newTakers(key, profile),
    metrics: newMetrics(key, premium, interest),
    tids: newTradeIds(tids.key, tids.lane),
    pace: randomState(key, 'pace'),
    splits: randomState(key, 'splits'),
    schedule: newSchedule(kind === 'perp', start.between(1, refreshMs)),
    snapshotMs: start.between(0.4 * SNAPSHOT_MS, SNAPSHOT_MS),
    liquidations: [],
    plannedUntilMs: 0,
    closings: null,
    lastTick: 0,
    depth: null,
  }
}
