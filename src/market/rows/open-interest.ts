/**
 * Open interest of the venue: the crowd's long interest plus the traders'. Before the tape the bars
 * have the former at the end of each minute, later the tape's reports do.
 */
import { later, type TapeMs, tapeMs } from '../../clock/instant.ts'
import {
  add,
  type Px,
  pow10,
  type Quantity,
  raw,
  type Sz,
  type Usd,
  usd,
  ZERO,
} from '../../decimal/quantity.ts'
import { BAR_MS } from '../bars/past-bars.ts'
import { roundOff } from '../formatting/decimal-text.ts'
import {
  type InstrumentRow,
  interest,
  MONEY_DECIMALS,
  trade,
  type UnpackedSection,
} from '../schema/schema.ts'
import { perMarket } from '../world/cache.ts'
import type { World } from '../world/world.ts'
import { columns } from './columns.ts'
import { type CrowdLong, type MinuteBars, minuteBarsOf } from './minute-bars.ts'
import { PackedRows, StepSeries } from './step-series.ts'
import { tradeHoursOf } from './trade-hours.ts'

// Step functions: a value holds until the next.

/** Rows of an instant and a value. */
export class ValueSteps extends PackedRows {
  constructor(section: UnpackedSection) {
    super(section, 2)
  }

  /** The value at an instant; null before the first. */
  at(atMs: number): number | null {
    const row = this.lastUpTo(atMs)
    return row < 0 ? null : this.value(row)
  }

  /** Over all times; null without any. */
  highest(): number | null {
    let highest: number | null = null
    for (let row = 0; row < this.count; row++)
      if (highest === null || this.value(row) > highest) highest = this.value(row)
    return highest
  }

  value(row: number): number {
    return this.get(row, 1)
  }
}

/** An empty history that may grow. */
export const noSteps = () =>
  new ValueSteps({ key: 0, fact: 0, data: new Float64Array(), first: 0, length: 0 })

/** An empty history that never grows. */
export const NO_STEPS = noSteps()

/** Value of open interest in micro-dollars: a coin's total exceeds safe integers. */
export function openInterestValue(
  { pxDecimals, szDecimals }: InstrumentRow,
  sz: Sz,
  px: Px,
): bigint {
  const product = BigInt(raw(sz)) * BigInt(raw(px))
  const surplus = pxDecimals + szDecimals - MONEY_DECIMALS
  return surplus < 0 ? product * BigInt(pow10(-surplus)) : roundOff(product, surplus)
}

/** Open interest of the venue; null before there is any. */
export function openInterestAt(world: World, of: InstrumentRow, atMs: TapeMs): Sz | null {
  return openInterestSizes(world).at(of, atMs)
}

/** The crowd's long interest; null before there is any. */
export function crowdLongAt(world: World, of: InstrumentRow, atMs: TapeMs): Sz | null {
  return openInterestSteps(world).crowdAt(of, atMs)?.sz ?? null
}

/** Open interest at each change. */
export const openInterestSizes = perMarket(
  (world) =>
    new StepSeries(
      world,
      stepSource<Sz>(world, (_, { sz }) => sz),
    ),
)

/** The same valued at the last price; beyond 9 billion dollars to the cent. */
export const openInterestValues = perMarket(
  (world) =>
    new StepSeries(
      world,
      stepSource<Usd>(world, (of, { sz, px }) => usd(Number(openInterestValue(of, sz, px)))),
    ),
)

/** Total long interest from an instant on, and the last price then. */
interface Step extends CrowdLong {}

function stepSource<Q extends Quantity>(world: World, value: (of: InstrumentRow, row: Step) => Q) {
  const steps = openInterestSteps(world)
  const row = (id: number) => world.instruments[id] as InstrumentRow
  return {
    between: {
      all: (id: number, fromMs: TapeMs, toMs: TapeMs) => steps.between(row(id), fromMs, toMs),
    },
    before: { get: (id: number, atMs: TapeMs) => steps.at(row(id), atMs) },
    value,
  }
}

const HELD = columns({ timeMs: trade.timeMs, sz: trade.interestAfter, px: trade.px })
const REPORTED = columns({ timeMs: interest.timeMs, sz: interest.crowd })

const openInterestSteps = perMarket((world) => new OpenInterestSteps(world))

/** Joins the crowd's long interest with the traders'. */
class OpenInterestSteps {
  private readonly held
  private readonly reports
  private readonly bars: MinuteBars

  constructor(private readonly world: World) {
    this.bars = minuteBarsOf(world)
    const [between, before] = [
      'where instrument = ? and timeMs >= ? and timeMs < ? order by timeMs, id',
      'where instrument = ? and timeMs <= ? order by timeMs desc, id desc limit 1',
    ]
    type Between = [instrument: number, fromMs: TapeMs, toMs: TapeMs]
    type Before = [instrument: number, atMs: TapeMs]
    this.held = {
      between: HELD.prepare<Between>(world.db, `from trade ${between}`),
      before: HELD.prepare<Before>(world.db, `from trade ${before}`),
    }
    this.reports = {
      between: REPORTED.prepare<Between>(world.db, `from interest ${between}`),
      before: REPORTED.prepare<Before>(world.db, `from interest ${before}`),
    }
  }

  /** The latest one up to an instant. */
  at(of: InstrumentRow, atMs: TapeMs): Step | null {
    const [crowd, held] = [this.crowdAt(of, atMs), this.held.before.get(of.id, atMs)]
    if (crowd === null && held === null) return null
    const timeMs = tapeMs(Math.max(crowd?.timeMs ?? 0, held?.timeMs ?? 0))
    return { timeMs, sz: add(crowd?.sz ?? ZERO, held?.sz ?? ZERO), px: this.pxAt(of, timeMs) }
  }

  /** The crowd's long interest, and the time of its report. */
  crowdAt(of: InstrumentRow, atMs: TapeMs): { timeMs: TapeMs; sz: Sz } | null {
    const reported = this.reports.before.get(of.id, atMs)
    if (reported) return reported
    // The end of the bars holds until the tape's first report.
    const { barsEndMs } = this.world.meta
    const lastMs = atMs < barsEndMs ? atMs : barsEndMs
    return this.bars.crowdLongs(of, later(lastMs, 1 - BAR_MS), lastMs)[0] ?? null
  }

  /** Those of a span, in order. */
  between(of: InstrumentRow, fromMs: TapeMs, toMs: TapeMs): Step[] {
    const untilMs = later(toMs, -1)
    const crowd: { timeMs: TapeMs; sz: Sz; px?: Px }[] = [
      ...this.bars.crowdLongs(of, fromMs, untilMs),
      ...this.reports.between.all(of.id, fromMs, toMs),
    ]
    const held = this.held.between.all(of.id, fromMs, toMs)
    const beforeMs = later(fromMs, -1)
    let crowdSz = this.crowdAt(of, beforeMs)?.sz ?? ZERO
    let heldSz = this.held.before.get(of.id, beforeMs)?.sz ?? ZERO
    const steps: Step[] = []
    let at = 0
    const step = (timeMs: TapeMs, px: Px) => steps.push({ timeMs, sz: add(crowdSz, heldSz), px })
    const addHeld = (untilMs: number) => {
      for (let row = held[at]; row && row.timeMs < untilMs; row = held[++at]) {
        heldSz = row.sz
        const isOwn = row.timeMs >= this.world.meta.barsEndMs
        step(row.timeMs, isOwn ? row.px : this.pxAt(of, row.timeMs))
      }
    }
    for (const one of crowd) {
      addHeld(one.timeMs)
      crowdSz = one.sz
      step(one.timeMs, one.px ?? this.pxAt(of, one.timeMs))
    }
    addHeld(Number.POSITIVE_INFINITY)
    return steps
  }

  private pxAt(of: InstrumentRow, atMs: TapeMs): Px {
    return tradeHoursOf(this.world).pxBefore(of.id, later(atMs, 1)) ?? ZERO
  }
}
