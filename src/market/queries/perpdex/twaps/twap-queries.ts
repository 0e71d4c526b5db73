/** TWAPs: parameters, progress, and remaining sizes. */

import { sql } from 'drizzle-orm'
import { DAY_MS, later, type TapeMs } from '../../../../clock/instant.ts'
import type { Slices } from '../../../../clock/turns.ts'
import type { TwapsFacts } from '../../../../contract/facts/perpdex/traders.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type {
  AddressTwap,
  TwapChange,
  TwapImpact,
  TwapState,
  TwapWall,
} from '../../../../contract/records/fill.ts'
import { spanMs } from '../../../../contract/span.ts'
import {
  add,
  compare,
  format,
  mulDiv,
  portion,
  type Quantity,
  raw,
  type Sz,
  subtract,
  times,
  type Usd,
  ZERO,
} from '../../../../decimal/quantity.ts'
import { positionValue } from '../../../accounting/position.ts'
import { NATIVE_DECIMALS } from '../../../formatting/decimal-text.ts'
import { columns, type RowOf } from '../../../rows/columns.ts'
import { markPx } from '../../../rows/mark-prices.ts'
import { tradeHoursOf } from '../../../rows/trade-hours.ts'
import { tradersOf } from '../../../rows/traders.ts'
import { fill, type InstrumentRow, szText, twap, usdText } from '../../../schema/schema.ts'
import { wholeStep } from '../../../shown-time/time-grid.ts'
import { perWorld } from '../../../world/cache.ts'
import type { World } from '../../../world/world.ts'

const PERCENT_DECIMALS = 6

export class TwapQueries implements TwapsFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  latest(address: string, { coin, limit }: { coin?: string | undefined; limit: number }) {
    const trader = tradersOf(this.world).find(address)
    const instrument = this.named(coin)
    if (!trader || instrument === undefined) return []
    const rows = latestTwaps(this.world, trader.id, instrument, this.moment.atMs, limit)
    return rows.map((row) => this.state(row))
  }

  running(address: string): [number, TwapState][] {
    const trader = tradersOf(this.world).find(address)
    if (!trader) return []
    const rows = runningTwaps(this.world, this.moment.atMs, null)
    return rows
      .filter((row) => row.trader === trader.id)
      .map((row) => {
        const { twapId, status: _, ...state } = this.state(row, NATIVE_DECIMALS)
        return [twapId, state]
      })
  }

  history(address: string, limit: number, sinceMs = Number.NEGATIVE_INFINITY): TwapChange[] {
    const trader = tradersOf(this.world).find(address)
    if (!trader) return []
    const { atMs } = this.moment
    return latestTwaps(this.world, trader.id, null, atMs, limit)
      .flatMap((row) => this.changes(row))
      .filter((one) => one.atMs > sinceMs)
      .sort((one, other) => other.atMs - one.atMs)
      .slice(0, limit)
      .map(({ change }) => change)
  }

  wall({ coin, interval }: Parameters<TwapsFacts['wall']>[0]): TwapWall {
    const instrument = this.named(coin)
    const running = instrument === undefined ? [] : this.runningProgress(instrument)
    return {
      coin: coin ?? null,
      time: this.moment.atMs,
      ...executionWall(running, this.moment, spanMs(interval), instrument ?? null),
    }
  }

  *topImpact({ coin, limit }: Parameters<TwapsFacts['topImpact']>[0]): Slices<TwapImpact[]> {
    const instrument = this.named(coin)
    if (instrument === undefined) return []
    const running = this.runningProgress(instrument)
    yield
    running.sort((a, b) => compare(b.value, a.value) || a.row.id - b.row.id)
    const impacts: TwapImpact[] = []
    for (const one of running.slice(0, limit)) {
      yield* tradeHoursOf(this.world).read(one.of.id, ...this.lastDay())
      impacts.push(this.impact(one))
      yield
    }
    return impacts
  }

  /** Running TWAPs of a coin, or all for null, with their remaining sizes. */
  private runningProgress(instrument: InstrumentRow | null): TwapProgress[] {
    const rows = runningTwaps(this.world, this.moment.atMs, instrument)
    return rows.map((row) => twapProgress(this.world, row, this.moment.atMs))
  }

  private state(row: StoredTwap, keep = 0): AddressTwap {
    const { of, executedSz, executedNotional } = twapProgress(this.world, row, this.moment.atMs)
    const hasEnded = row.endMs !== null && row.endMs <= this.moment.atMs
    return {
      twapId: row.id,
      user: tradersOf(this.world).address(row.trader),
      coin: of.coin,
      side: row.side,
      sz: szText(of, row.sz, keep),
      executedSz: szText(of, executedSz, keep),
      executedNtl: usdText(executedNotional, keep),
      ...twapTerms(row),
      status: hasEnded ? (row.endStatus ?? 'finished') : 'activated',
    }
  }

  /** States of a TWAP, newest first: its end, where there was one, and its start. */
  private changes(row: StoredTwap): { atMs: number; change: TwapChange }[] {
    const { twapId, status, ...state } = this.state(row, NATIVE_DECIMALS)
    const change = (atMs: number, of: AddressTwap['status'], at: TwapState) => ({
      atMs,
      change: {
        time: Math.floor(atMs / 1_000),
        state: at,
        // The venue gives a reason with an error, and only there.
        status: { status: of, ...(of === 'error' && { description: 'Insufficient margin' }) },
        twapId,
      },
    })
    const begun = { ...state, executedSz: '0.0', executedNtl: '0.0' }
    const start = change(row.timeMs, 'activated', begun)
    if (status === 'activated' || row.endMs === null) return [start]
    return [change(row.endMs, status, state), start]
  }

  private impact({ row, of, executedSz, left, value }: TwapProgress): TwapImpact {
    const day = tradeHoursOf(this.world).tally(of.id, ...this.lastDay())
    const cents = Number(day.amount / 10_000n)
    return {
      twapId: row.id,
      address: tradersOf(this.world).address(row.trader),
      coin: of.coin,
      side: row.side,
      sz: szText(of, row.sz),
      executedSz: szText(of, executedSz),
      remainSz: szText(of, left),
      remainVal: usdText(value),
      ...twapTerms(row),
      endTime: row.plannedEndMs,
      // Micro-dollars over cents, in percent.
      impactPct: format(cents === 0 ? 0 : mulDiv(raw(value), 10_000, cents), PERCENT_DECIMALS),
    }
  }

  private lastDay(): [fromMs: TapeMs, toMs: TapeMs] {
    const { atMs } = this.moment
    return [later(atMs, 1 - DAY_MS), later(atMs, 1)]
  }

  /** null for all coins, undefined for an unknown one. */
  private named(coin: string | undefined): InstrumentRow | null | undefined {
    return coin === undefined ? null : this.world.byCoin.get(coin)
  }
}

const twapTerms = ({ minutes, reduceOnly, randomize, timeMs }: StoredTwap) => ({
  minutes,
  reduceOnly,
  randomize,
  timestamp: timeMs,
})

/** Remaining sizes of running TWAPs, spread over the time to each one's planned end. */
interface WallBucket {
  buySz: Sz
  sellSz: Sz
  buyVal: Usd
  sellVal: Usd
}

/** Intervals lie on shown time; sizes are null unless all are of one coin. */
function executionWall(
  running: readonly TwapProgress[],
  { atMs, shiftMs }: Moment,
  lengthMs: number,
  coin: InstrumentRow | null,
): Omit<TwapWall, 'coin' | 'time'> {
  const startMs = wholeStep(atMs, shiftMs, lengthMs)
  const lastMs = Math.max(atMs, ...running.map(({ row }) => row.plannedEndMs - 1))
  const count = running.length === 0 ? 0 : Math.floor((lastMs - startMs) / lengthMs) + 1
  const loads = Array.from({ length: count }, emptyBucket)
  const total = emptyBucket()
  for (const one of running) {
    put(total, one, one.left, one.value)
    loads.forEach((load, at) => {
      const fromMs = later(startMs, at * lengthMs)
      const toMs = later(fromMs, lengthMs)
      const due = <Q extends Quantity>(of: Q): Q =>
        subtract(executedBy(one, of, atMs, toMs), executedBy(one, of, atMs, fromMs))
      put(load, one, due(one.left), due(one.value))
    })
  }
  const sells = running.filter(({ row }) => row.side === 'A').length
  return {
    buyCount: running.length - sells,
    sellCount: sells,
    ...bucketValues(total),
    wall: loads.map((load, at) => ({
      time: startMs + at * lengthMs,
      buySz: coin && szText(coin, load.buySz),
      sellSz: coin && szText(coin, load.sellSz),
      ...bucketValues(load),
    })),
  }
}

const emptyBucket = (): WallBucket => ({ buySz: ZERO, sellSz: ZERO, buyVal: ZERO, sellVal: ZERO })

/** Part of a remaining amount that will be traded by an instant. */
function executedBy<Q extends Quantity>(
  { row }: TwapProgress,
  left: Q,
  atMs: TapeMs,
  byMs: TapeMs,
): Q {
  if (byMs <= atMs) return times(left, 0)
  if (byMs >= row.plannedEndMs) return left
  return portion(left, byMs - atMs, row.plannedEndMs - atMs)
}

function put(load: WallBucket, { row }: TwapProgress, sz: Sz, value: Usd): void {
  if (row.side === 'B') {
    load.buySz = add(load.buySz, sz)
    load.buyVal = add(load.buyVal, value)
  } else {
    load.sellSz = add(load.sellSz, sz)
    load.sellVal = add(load.sellVal, value)
  }
}

const bucketValues = ({ buyVal, sellVal }: WallBucket) => ({
  buyVal: usdText(buyVal),
  sellVal: usdText(sellVal),
  netVal: usdText(subtract(buyVal, sellVal)),
})

/** Rows of TWAPs, and their progress at a moment. */
const TWAPS = columns({
  id: twap.id,
  trader: twap.trader,
  instrument: twap.instrument,
  side: twap.side,
  sz: twap.sz,
  minutes: twap.minutes,
  reduceOnly: twap.reduceOnly,
  randomize: twap.randomize,
  timeMs: twap.timeMs,
  plannedEndMs: sql<TapeMs>`${twap.timeMs} + ${twap.minutes} * 60000`,
  endMs: twap.endMs,
  endStatus: twap.endStatus,
  executedSz: twap.executedSz,
  executedNotional: twap.executedNotional,
})

/** As stored; the end and the executed size are valid only from endMs on. */
type StoredTwap = RowOf<typeof TWAPS>

interface Executed {
  executedSz: Sz
  executedNotional: Usd
}

/** The progress of a TWAP. */
interface TwapProgress extends Executed {
  row: StoredTwap
  of: InstrumentRow
  left: Sz
  /** Of the remaining size, at the mark price. */
  value: Usd
}

/** Executed and remaining size at the moment. */
function twapProgress(world: World, row: StoredTwap, atMs: TapeMs): TwapProgress {
  const of = world.instruments[row.instrument] as InstrumentRow
  const { executedSz, executedNotional } = executedUntil(world, row, atMs)
  const left = subtract(row.sz, executedSz)
  const value = positionValue(left, markPx(world, of, atMs) ?? ZERO, of)
  return { row, of, executedSz, executedNotional, left, value }
}

/** A trader's TWAPs, newest first; of all instruments for null. */
function latestTwaps(
  world: World,
  trader: number,
  instrument: InstrumentRow | null,
  atMs: TapeMs,
  limit: number,
): StoredTwap[] {
  const only = instrument?.id ?? null
  return statements(world).latest.all(trader, atMs, only, only, limit)
}

/** TWAPs running at the moment, oldest first; of all instruments for null. */
function runningTwaps(world: World, atMs: TapeMs, instrument: InstrumentRow | null): StoredTwap[] {
  const only = instrument?.id ?? null
  const fromMs = later(atMs, -longestMs(world))
  return statements(world).running.all(fromMs, atMs, atMs, only, only)
}

function executedUntil(world: World, row: StoredTwap, atMs: TapeMs): Executed {
  if (row.endMs !== null && row.endMs <= atMs) return row
  return (
    statements(world).executed.get(row.id, atMs) ?? { executedSz: ZERO, executedNotional: ZERO }
  )
}

const LONGEST = columns({
  ms: sql<number | null>`max(coalesce(${twap.endMs}, ?) - ${twap.timeMs})`,
})

/** Longest duration: an older one no longer runs. */
const longestMs = perWorld(
  ({ db, endMs }) => LONGEST.prepare<[untilMs: TapeMs]>(db, 'from twap').get(endMs)?.ms ?? 0,
  null,
)

const EXECUTED = columns({
  executedSz: sql<Sz>`coalesce(sum(${fill.sz}), 0)`,
  executedNotional: sql<Usd>`coalesce(sum(${fill.notional}), 0)`,
})

const statements = perWorld(({ db }) => {
  type Only = [instrument: number | null, same: number | null]
  const only = '(? is null or instrument = ?)'
  return {
    latest: TWAPS.prepare<[trader: number, atMs: TapeMs, ...Only, limit: number]>(
      db,
      `from twap where trader = ? and timeMs <= ? and ${only}
       order by timeMs desc, id desc limit ?`,
    ),
    running: TWAPS.prepare<[fromMs: TapeMs, toMs: TapeMs, atMs: TapeMs, ...Only]>(
      db,
      `from twap where timeMs between ? and ? and (endMs is null or endMs > ?) and ${only}
       order by timeMs, id`,
    ),
    executed: EXECUTED.prepare<[twap: number, atMs: TapeMs]>(
      db,
      'from fill where twap = ? and timeMs <= ?',
    ),
  }
})
