/**
 * The leveraged crowd of a coin on the other exchanges: one ladder of liquidation prices that the
 * venue's prices move through. Each hour begins from the hours before it, and is known in slots of
 * some seconds, so every figure depends only on what happened before.
 */
import { HOUR_MS, later, type TapeMs } from '../../clock/instant.ts'
import { raw } from '../../decimal/quantity.ts'
import {
  type CrowdState,
  LeveragedCrowd,
  newCrowd,
  TURNED_PER_MINUTE,
} from '../crowd/leveraged-crowd.ts'
import { tradeHoursOf } from '../rows/trade-hours.ts'
import type { InstrumentRow } from '../schema/schema.ts'
import { normalAt } from '../synth/distributions.ts'
import { Cache, perWorld } from '../world/cache.ts'
import type { World } from '../world/world.ts'
import { type Exchange, saltsOf } from './exchanges.ts'

/** Length of a slot, and the price moves that its liquidations follow: those of the slot before. */
export const SLOT_MS = 15_000
export const SLOTS_PER_HOUR = HOUR_MS / SLOT_MS
/** Hours from which a crowd is known. */
const HOURS = 60
/** Time before an hour from which its figures follow. */
export const CROWD_MS = (HOURS + 1) * HOUR_MS
/** Other exchanges grant high leverage in small coins, too. */
const LEVERAGE = { least: 20, most: 50 }
const HOURS_KEPT = 2_000
/** Limit of a busy hour's turnover, relative to the mean. */
const BUSIEST = 6

/** Positions of one side that were liquidated in each slot, shares of the open interest. */
export interface CrowdHour {
  long: readonly number[]
  short: readonly number[]
  /** Logarithm of the price at the end of each slot's moves. */
  logs: readonly number[]
}

/** The sum of the positions of all hours before an hour. */
export interface CrowdStanding {
  /** Open interest relative to the usual. */
  held: number
  /** Recently liquidated shares. */
  lost: { long: number; short: number }
}

/** Liquidations of an hour's slots that end until an instant. */
export function crowdHour(
  world: World,
  of: InstrumentRow,
  hourMs: TapeMs,
  toMs: TapeMs,
): CrowdHour {
  return crowdsOf(world).hour(of, hourMs, toMs)
}

/** The crowd when an hour begins. */
export function crowdStanding(world: World, of: InstrumentRow, hourMs: TapeMs): CrowdStanding {
  return crowdsOf(world).standing(of, hourMs)
}

const crowdsOf = perWorld((world) => new ExchangeCrowds(world))

interface KnownHour {
  crowd: LeveragedCrowd
  held: number
  long: number[]
  short: number[]
  logs: number[]
}

class ExchangeCrowds {
  private readonly hours = new Cache<number, KnownHour>(HOURS_KEPT)
  private readonly standings = new Cache<number, CrowdStanding>(10 * HOURS_KEPT)

  constructor(private readonly world: World) {}

  hour(of: InstrumentRow, hourMs: TapeMs, toMs: TapeMs): CrowdHour {
    const hour = this.hours.get(keyOf(of, hourMs), () => this.begun(of, hourMs))
    const slots = Math.min(SLOTS_PER_HOUR, Math.ceil((toMs - hourMs) / SLOT_MS))
    while (hour.long.length < slots) this.addSlot(of, hour, hourMs)
    return hour
  }

  standing(of: InstrumentRow, hourMs: TapeMs): CrowdStanding {
    return this.standings.get(keyOf(of, hourMs), () => {
      const state = this.stateAt(of, hourMs)
      return { held: state.held, lost: state.lost }
    })
  }

  private begun(of: InstrumentRow, hourMs: TapeMs): KnownHour {
    // Its first slot has the moves of the last one before it.
    const state = this.stateAt(of, later(hourMs, -SLOT_MS))
    const crowd = new LeveragedCrowd(state, leverageOf(of))
    return { crowd, held: state.held, long: [], short: [], logs: [] }
  }

  private addSlot(of: InstrumentRow, hour: KnownHour, hourMs: TapeMs): void {
    const { crowd, held, long, short, logs } = hour
    const toMs = later(hourMs, long.length * SLOT_MS)
    const bar = this.bar(of, later(toMs, -SLOT_MS), toMs)
    const closed = bar && crowd.pass({ ...bar, turned: 0 })
    long.push((closed?.long ?? 0) / held)
    short.push((closed?.short ?? 0) / held)
    logs.push(crowd.log)
  }

  /** The crowd at an instant, from whole hours back from there. */
  private stateAt(of: InstrumentRow, atMs: TapeMs): CrowdState {
    const hours = tradeHoursOf(this.world)
    const startMs = later(atMs, -HOURS * HOUR_MS)
    const size = (fromMs: TapeMs, toMs: TapeMs) => raw(hours.tally(of.id, fromMs, toMs).size)
    const mean = size(startMs, atMs) / HOURS
    let state: CrowdState | null = null
    let crowd: LeveragedCrowd | null = null
    for (let fromMs = startMs; fromMs < atMs; fromMs = later(fromMs, HOUR_MS)) {
      const toMs = later(fromMs, HOUR_MS)
      const bar = this.bar(of, fromMs, toMs)
      if (bar === null) continue
      state ??= newCrowd(bar.close, leverageOf(of))
      crowd ??= new LeveragedCrowd(state, leverageOf(of))
      const busy = mean > 0 ? Math.min(BUSIEST, size(fromMs, toMs) / mean) : 1
      crowd.pass({ ...bar, turned: 60 * TURNED_PER_MINUTE * busy })
    }
    return state ?? newCrowd(this.logBefore(of, atMs), leverageOf(of))
  }

  /** Logarithms of the prices in a span; null without a trade. */
  private bar({ id }: InstrumentRow, fromMs: TapeMs, toMs: TapeMs) {
    const tally = tradeHoursOf(this.world).tally(id, fromMs, toMs)
    if (tally.isEmpty) return null
    const { low, high, close } = tally
    return { low: Math.log(raw(low)), high: Math.log(raw(high)), close: Math.log(raw(close)) }
  }

  private logBefore({ id }: InstrumentRow, atMs: TapeMs): number {
    const px = tradeHoursOf(this.world).pxBefore(id, atMs)
    return px === null ? 0 : Math.log(raw(px))
  }
}

const leverageOf = ({ maxLeverage }: InstrumentRow) =>
  Math.min(LEVERAGE.most, Math.max(LEVERAGE.least, maxLeverage))

const keyOf = ({ id }: InstrumentRow, hourMs: number) => id * 2 ** 32 + hourMs / HOUR_MS

/** Leverage of an exchange's crowd relative to the others', as log-deviation. */
const OWN_LEVERAGE = 0.1

/** Liquidated share on an exchange relative to the whole crowd's. */
export function leverageBy(world: World, of: InstrumentRow, exchange: Exchange): number {
  const salt = saltsOf(world)(`leverage of ${of.coin} on ${exchange.key}`)
  return Math.exp(OWN_LEVERAGE * normalAt(salt, 0))
}
