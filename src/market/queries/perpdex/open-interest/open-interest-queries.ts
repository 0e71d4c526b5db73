/** Open interest of the perpetual venue: now by coin and in total, and over time. */

import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { later, type TapeMs } from '../../../../clock/instant.ts'
import type { Slices } from '../../../../clock/turns.ts'
import type { OpenInterestFacts } from '../../../../contract/facts/perpdex/traders.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type {
  CoinInterest,
  InterestPoint,
  InterestSummary,
} from '../../../../contract/records/asset-context.ts'
import { ratio, raw, type Sz, sz as size, subtract, ZERO } from '../../../../decimal/quantity.ts'
import { positionValue } from '../../../accounting/position.ts'
import { bigintText } from '../../../formatting/decimal-text.ts'
import { columns } from '../../../rows/columns.ts'
import { markPx } from '../../../rows/mark-prices.ts'
import { crowdLongAt, openInterestAt, openInterestValue } from '../../../rows/open-interest.ts'
import { perPositions } from '../../../rows/position-columns.ts'
import { lastUpTo } from '../../../rows/step-series.ts'
import { tradeHoursOf } from '../../../rows/trade-hours.ts'
import { fill, type InstrumentRow, MONEY_DECIMALS } from '../../../schema/schema.ts'
import { gridStep, timeGrid } from '../../../shown-time/time-grid.ts'
import { perWorld } from '../../../world/cache.ts'
import type { World } from '../../../world/world.ts'

export class OpenInterestQueries implements OpenInterestFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  summary(): InterestSummary {
    const sides = this.perps().map((of) => openInterestSides(this.world, of, this.moment.atMs))
    return openInterestRecord(sides.reduce(addSides, NO_OPEN_INTEREST))
  }

  topCoins({ windowMs, limit }: Parameters<OpenInterestFacts['topCoins']>[0]): CoinInterest[] {
    const fromMs = later(this.moment.atMs, -windowMs)
    return this.perps()
      .map((of) => ({ coin: of.coin, stand: this.within(of, fromMs) }))
      .filter(({ stand }) => positionCount(stand) > 0)
      .sort((a, b) => compare(totalValue(b.stand), totalValue(a.stand)))
      .slice(0, limit)
      .map(({ coin, stand }) => ({ coin, ...openInterestRecord(stand) }))
  }

  *history({
    coin,
    windowMs,
  }: Parameters<OpenInterestFacts['history']>[0]): Slices<InterestPoint[]> {
    const of = this.world.byCoin.get(coin)
    const firstMs = of?.kind === 'perp' ? tradeHoursOf(this.world).firstMs(of.id) : null
    const { atMs, answers } = this.moment
    if (!of || firstMs === null || firstMs > atMs) return []
    const least = answers['open-interest-step'] === 'few' ? STEPS_MIN : FINE_STEPS
    const fromMs = Math.max(atMs - windowMs, firstMs)
    const times = timeGrid(this.moment, gridStep(windowMs, least), fromMs)
    if (times.at(-1) !== atMs) times.push(atMs)
    const points: InterestPoint[] = []
    for (const timeMs of times) {
      yield
      points.push(openInterestPoint(of, timeMs, openInterestSides(this.world, of, timeMs)))
    }
    return points
  }

  /** Applies the question `top-coins-window`. */
  private within(of: InstrumentRow, fromMs: TapeMs): OpenInterestSides {
    const { world, moment } = this
    if (moment.answers['top-coins-window'] === 'opened')
      return openInterestSince(world, of, fromMs, moment.atMs)
    const last = tradeHoursOf(world).lastBefore(of.id, later(moment.atMs, 1))
    return last && last.timeMs > fromMs
      ? openInterestSides(world, of, moment.atMs)
      : NO_OPEN_INTEREST
  }

  private perps(): InstrumentRow[] {
    return this.world.listed.filter(({ kind }) => kind === 'perp')
  }
}

/** Minimum number of steps in a window. */
const STEPS_MIN = 3
const FINE_STEPS = 24

function openInterestPoint(
  { coin }: InstrumentRow,
  time: TapeMs,
  stand: OpenInterestSides,
): InterestPoint {
  const { positionCount, longPv, totalPv, avgPv } = openInterestRecord(stand)
  return { time, coin, positionCount, longCount: stand.longCount, longPv, totalPv, avgPv }
}

const compare = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0)

// Totals of a perpetual's open positions at an instant.

/** Numbers of open positions at an instant, by coin and direction. */
type Direction = 'long' | 'short'

/** Counts an instrument's open positions at an instant. */
const openPositionCounts =
  (world: World) =>
  (instrument: number, direction: Direction, atMs: TapeMs): number =>
    countsOf(world).reduce((sum, count) => sum + count(instrument, direction, atMs), 0)

const countsOf = perPositions(({ count, instruments, isLong, openMs, closeMs }) => {
  const timesByKey = new Map<number, PositionTimes>()
  for (let at = 0; at < count; at++) {
    const key = 2 * (instruments[at] as number) + (isLong[at] as number)
    const times = timesByKey.get(key) ?? { opened: [], closed: [] }
    timesByKey.set(key, times)
    times.opened.push(openMs[at] as number)
    times.closed.push(closeMs[at] as number)
  }
  const lists = new Map([...timesByKey].map(([key, times]) => [key, sorted(times)]))
  return (instrument: number, direction: Direction, atMs: TapeMs): number => {
    const list = lists.get(2 * instrument + (direction === 'long' ? 1 : 0))
    // A position closed at this very instant is closed.
    return list ? lastUpTo(list.opened, atMs) - lastUpTo(list.closed, atMs) : 0
  }
})

interface PositionTimes {
  opened: number[]
  /** Ascending: Infinity for positions that never close. */
  closed: number[]
}

const sorted = ({ opened, closed }: PositionTimes) => ({
  opened: Float64Array.from(opened).sort(),
  closed: Float64Array.from(closed),
})

/** Counts, and values in micro-dollars. */
interface OpenInterestSides {
  longCount: number
  shortCount: number
  longValue: bigint
  shortValue: bigint
}

/**
 * Totals of all open positions. Long sizes and short sizes each sum to the open interest, valued at
 * the mark price.
 */
function openInterestSides(world: World, of: InstrumentRow, atMs: TapeMs): OpenInterestSides {
  const count = openPositionCounts(world)
  const crowd = crowdPositions(of, crowdLongAt(world, of, atMs) ?? ZERO)
  const sz = openInterestAt(world, of, atMs) ?? ZERO
  const value = openInterestValue(of, sz, markPx(world, of, atMs) ?? ZERO)
  return {
    longCount: count(of.id, 'long', atMs) + crowd,
    shortCount: count(of.id, 'short', atMs) + crowd,
    longValue: value,
    shortValue: value,
  }
}

/** Average value of a crowd position at the tape's first price. */
const CROWD_POSITION = 20_000 * 1e6

/** Number of positions of one side in the crowd's share of the open interest. */
const crowdPositions = (of: InstrumentRow, sz: Sz) =>
  of.firstPx === null
    ? 0
    : Math.ceil(Number(openInterestValue(of, sz, of.firstPx)) / CROWD_POSITION)

/**
 * Totals of open positions opened after fromMs. The crowd's share grows with the turnover since,
 * relative to its size. On each side the crowd has what the traders do not have.
 */
function openInterestSince(
  world: World,
  of: InstrumentRow,
  fromMs: TapeMs,
  atMs: TapeMs,
): OpenInterestSides {
  const px = markPx(world, of, atMs) ?? ZERO
  let tradersShort: Sz = ZERO
  const sides = { ...NO_OPEN_INTEREST }
  for (const { sz, openMs } of openPositions(world).all(of.id, atMs)) {
    if (sz < ZERO) tradersShort = subtract(tradersShort, sz)
    if (openMs <= fromMs) continue
    const value = BigInt(raw(positionValue(sz, px, of)))
    if (sz > ZERO) {
      sides.longCount++
      sides.longValue += value
    } else {
      sides.shortCount++
      sides.shortValue += value
    }
  }
  const crowdLong = crowdLongAt(world, of, atMs) ?? ZERO
  const crowdShort = subtract(openInterestAt(world, of, atMs) ?? ZERO, tradersShort)
  const opened = crowdShareSince(world, of, fromMs, atMs)
  const partOf = (all: Sz) => size(Math.round(Math.max(raw(all), 0) * opened))
  const count = crowdPositions(of, partOf(crowdLong))
  return addSides(sides, {
    longCount: count,
    shortCount: count,
    longValue: openInterestValue(of, partOf(crowdLong), px),
    shortValue: openInterestValue(of, partOf(crowdShort), px),
  })
}

/** Part of the crowd's positions opened after fromMs. */
function crowdShareSince(world: World, of: InstrumentRow, fromMs: TapeMs, atMs: TapeMs): number {
  const all = crowdLongAt(world, of, atMs) ?? ZERO
  if (fromMs <= world.meta.historyStartMs || all === ZERO) return 1
  const traded = tradeHoursOf(world).tally(of.id, later(fromMs, 1), later(atMs, 1)).size
  return 1 - Math.exp(-ratio(traded, all) / 2)
}

/** Sums two totals. */
function addSides(a: OpenInterestSides, b: OpenInterestSides): OpenInterestSides {
  return {
    longCount: a.longCount + b.longCount,
    shortCount: a.shortCount + b.shortCount,
    longValue: a.longValue + b.longValue,
    shortValue: a.shortValue + b.shortValue,
  }
}

const NO_OPEN_INTEREST: OpenInterestSides = {
  longCount: 0,
  shortCount: 0,
  longValue: 0n,
  shortValue: 0n,
}

/** Number of open positions in both directions. */
const positionCount = ({ longCount, shortCount }: OpenInterestSides) => longCount + shortCount
/** Their value, micro-dollars. */
const totalValue = ({ longValue, shortValue }: OpenInterestSides) => longValue + shortValue

/** In the service's form. */
function openInterestRecord(sides: OpenInterestSides) {
  const [count, total] = [BigInt(positionCount(sides)), totalValue(sides)]
  return {
    positionCount: positionCount(sides),
    longPv: usd(sides.longValue),
    shortPv: usd(sides.shortValue),
    totalPv: usd(total),
    avgPv: usd(count === 0n ? 0n : (2n * total + count) / (2n * count)),
  }
}

const usd = (micros: bigint) => bigintText(micros, MONEY_DECIMALS)

const f = alias(fill, 'f')
const OPEN = columns({
  openMs: sql<TapeMs>`p.openMs`,
  sz: sql<Sz>`(select ${f.positionAfter} from fill f where f.trader = p.trader
    and f.instrument = p.instrument and f.timeMs <= ?2 order by f.timeMs desc, f.id desc limit 1)`,
})

const openPositions = perWorld(({ db }) =>
  OPEN.prepare<[instrument: number, atMs: TapeMs]>(
    db,
    `from position p where p.instrument = ?1 and p.openMs <= ?2
       and (p.closeMs is null or p.closeMs > ?2)`,
  ),
)
