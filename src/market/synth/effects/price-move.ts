import { eventEndMs, type TimedMarketEvent } from '../../events/market-event.ts'
import { IMPACT, type InstrumentProfile, MARKET_BP, volatilityBp } from '../instrument-profile.ts'
import { smoothPart } from './event-shape.ts'
import { closingsOf } from './forced-order.ts'

/** A move that a coin is told to make, or its part in that of another. */
export interface PriceMove {
  fromMs: number
  /** When it is complete, and when a part of it has been taken back. */
  toMs: number
  backMs: number
  /** Logarithm of the price at these instants, against that without the move. */
  whole: number
  left: number
  /** Then what is traded in this time does not move the price besides. */
  steers: boolean
}

/**
 * Liquidations make the price run to where more positions are, besides what their orders do: the
 * part of what these do, and what stays of it.
 */
const RUN = { part: 0.6, stays: 0.6 }

/** What an event moves an instrument by; null when it moves nothing. */
export function priceMove(
  timed: TimedMarketEvent,
  profile: InstrumentProfile,
  profiles: readonly InstrumentProfile[],
): PriceMove | null {
  const { event, fromMs } = timed
  if (event.kind !== 'move' && event.kind !== 'liquidations') return null
  const told = profiles.find(({ coin }) => coin === event.coin)
  const leader = profiles.find(({ coin }) => coin === told?.follows) ?? told
  // One that follows another has its price from there.
  if (!leader || profile.follows !== undefined) return null
  const share = leader === profile ? 1 : movesWith(profile, leader)
  const toMs = eventEndMs(timed)
  if (event.kind === 'liquidations') {
    const whole = share * RUN.part * pushOf(event, leader)
    const left = RUN.stays * whole
    return { fromMs, toMs, backMs: 2 * toMs - fromMs, whole, left, steers: false }
  }
  const { pct, overS, revertPct = 0 } = event
  return {
    fromMs,
    toMs: fromMs + Math.round(overS * 1000),
    backMs: toMs,
    whole: share * Math.log1p(pct / 100),
    left: share * Math.log1p((pct * (1 - revertPct / 100)) / 100),
    steers: true,
  }
}

/** By how much liquidations push their coin, as a logarithm. */
function pushOf({ side, usd }: { side: string; usd: number }, profile: InstrumentProfile): number {
  const { count, usd: each } = closingsOf(usd, profile.levelUsd)
  const { impact = IMPACT, levelUsd } = profile
  const push = count * impact * volatilityBp(profile) * 1e-4 * Math.sqrt(each / levelUsd)
  return (side === 'long' ? -1 : 1) * Math.min(PUSH_MOST, push)
}

const PUSH_MOST = 0.2

/** How far a move goes by an instant, as a logarithm. */
export function movedBy({ fromMs, toMs, backMs, whole, left }: PriceMove, atMs: number): number {
  const there = whole * smoothPart(fromMs, toMs, atMs)
  return backMs > toMs ? there + (left - whole) * smoothPart(toMs, backMs, atMs) : there
}

/**
 * How far one instrument goes when another goes by one: as much of that is expected to be the whole
 * market's, by the betas of both.
 */
function movesWith(profile: InstrumentProfile, { beta, ownBp }: InstrumentProfile): number {
  const shared = (beta * MARKET_BP) ** 2
  if (shared === 0) return 0
  return (profile.beta / beta) * (shared / (shared + ownBp ** 2))
}
