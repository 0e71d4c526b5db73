/**
 * What other exchanges take over from the venue besides its prices: the fear of a market, and
 * events. Each is known at an instant from what happened before it.
 */
import { HOUR_MS, later, MINUTE_MS, type TapeMs, tapeMs } from '../../clock/instant.ts'
import { ratio, raw } from '../../decimal/quantity.ts'
import { traitsOf } from '../casting/history/past.ts'
import { type FearState, noteFear } from '../crowd/leveraged-crowd.ts'
import { coinOf, eventEndMs, type TimedMarketEvent } from '../events/market-event.ts'
import { columns } from '../rows/columns.ts'
import { tradeHoursOf } from '../rows/trade-hours.ts'
import { type InstrumentRow, mark } from '../schema/schema.ts'
import { Cache, perWorld } from '../world/cache.ts'
import type { World } from '../world/world.ts'

/** Stress of an instrument's markets. */
export interface VenueStress {
  /** Fear at an instant, 0 to 1. */
  fearAt(timeMs: number): number
  /** Change of the oracle price since the venue has halted, as a fraction; 0 while it trades. */
  driftAt(timeMs: number): number
  /** Whether the venue is halted at some instant of a minute. */
  isHalted(minuteMs: number): boolean
  /** Spread relative to the usual. */
  spreadAt(timeMs: number): number
}

/** The stress of each instrument. */
export const stressOf = perWorld((world) => {
  const known = new Map<number, VenueStress>()
  return (of: InstrumentRow): VenueStress => {
    const before = known.get(of.id)
    if (before) return before
    const stress = newStress(world, of)
    known.set(of.id, stress)
    return stress
  }
})

/** Growth of a spread where fear is complete. */
const FEARFUL_SPREAD = 9

function newStress(world: World, of: InstrumentRow): VenueStress {
  const all = world.meta.marketEvents
  const events = all.filter(({ event }) => [null, of.coin].includes(coinOf(event) ?? null))
  const halts = events.filter(({ event }) => event.kind === 'halt')
  const spreads = events.filter(({ event }) => event.kind === 'spread')
  const acts = (timed: TimedMarketEvent, timeMs: number) =>
    timeMs > timed.fromMs && timeMs <= eventEndMs(timed)
  const fears = fearOf(world, of)
  const fearAt = (timeMs: number) => {
    const minuteMs = timeMs - (timeMs % MINUTE_MS)
    const before = fears(minuteMs - MINUTE_MS)
    // The price of this very instant may be unknown as yet.
    if (timeMs === minuteMs) return before
    return before + ((fears(minuteMs) - before) * (timeMs - minuteMs)) / MINUTE_MS
  }
  return {
    fearAt,
    driftAt(timeMs) {
      const halt = halts.find((one) => acts(one, timeMs))
      return halt ? oracleChange(world, of, tapeMs(halt.fromMs), tapeMs(timeMs)) : 0
    },
    isHalted: (minuteMs) =>
      halts.some((one) => one.fromMs < minuteMs + MINUTE_MS && eventEndMs(one) > minuteMs),
    spreadAt(timeMs) {
      let factor = 1 + FEARFUL_SPREAD * fearAt(timeMs)
      for (const timed of spreads)
        if (timed.event.kind === 'spread' && acts(timed, timeMs)) factor *= timed.event.factor
      return factor
    },
  }
}

const ORACLES = columns({ oracle: mark.oracle })
const oracleOf = perWorld(({ db }) =>
  ORACLES.prepare<[instrument: number, atMs: TapeMs]>(
    db,
    'from mark where instrument = ? and timeMs <= ? order by timeMs desc, id desc limit 1',
  ),
)

function oracleChange(world: World, { id }: InstrumentRow, fromMs: TapeMs, toMs: TapeMs): number {
  const [before, now] = [oracleOf(world).get(id, fromMs), oracleOf(world).get(id, toMs)]
  return before && now && raw(before.oracle) > 0 ? ratio(now.oracle, before.oracle) - 1 : 0
}

/** Minutes before an hour that its fear depends on. */
const EARLIER_MINUTES = 20
const HOURS_KEPT = 3000
const DAY_S = 86_400

/** Fear at the beginning of a minute, from the prices until then; whole hours at once. */
function fearOf(world: World, of: InstrumentRow): (minuteMs: number) => number {
  const sigma = traitsOf(of).dailyVolatility / Math.sqrt(DAY_S)
  const hours = new Cache<number, HourOfFear>(HOURS_KEPT)
  const trades = tradeHoursOf(world)
  const logAt = (atMs: TapeMs) => {
    const px = trades.pxBefore(of.id, atMs)
    return px === null ? null : Math.log(raw(px))
  }
  const begun = (hourMs: number): HourOfFear => {
    const hour: HourOfFear = { state: null, fears: [] }
    for (let minute = EARLIER_MINUTES; minute > 0; minute--)
      step(hour, logAt(later(tapeMs(hourMs), -minute * MINUTE_MS)), sigma)
    return hour
  }
  return (minuteMs) => {
    const hourMs = minuteMs - (minuteMs % HOUR_MS)
    const hour = hours.get(hourMs / HOUR_MS, () => begun(hourMs))
    const at = (minuteMs - hourMs) / MINUTE_MS
    while (hour.fears.length <= at) {
      const next = later(tapeMs(hourMs), hour.fears.length * MINUTE_MS)
      step(hour, logAt(next), sigma)
      hour.fears.push(hour.state?.fear ?? 0)
    }
    return hour.fears[at] as number
  }
}

interface HourOfFear {
  /** After its last known minute; null before the first price. */
  state: FearState | null
  /** By minute. */
  fears: number[]
}

function step(hour: HourOfFear, log: number | null, sigma: number): void {
  if (log === null) return
  if (hour.state === null) hour.state = { mean: log, fear: 0 }
  else noteFear(hour.state, log, MINUTE_MS / 1000, sigma)
}
