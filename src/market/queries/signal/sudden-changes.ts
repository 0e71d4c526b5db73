/** Sudden changes of the last 24 hours, in trades, large orders and liquidations. */

import { DAY_MS, later, shownAt, type TapeMs } from '../../../clock/instant.ts'
import type { Slices } from '../../../clock/turns.ts'
import type { Facts, Moment } from '../../../contract/facts.ts'
import type { ChangeSignal, ChangeType } from '../../../contract/records/signal.ts'
import {
  mulDiv,
  type Px,
  pow10,
  raw,
  subtract,
  type Usd,
  usd,
  ZERO,
} from '../../../decimal/quantity.ts'
import { ownDbKeys } from '../../exchanges/exchanges.ts'
import { coinTotals } from '../../exchanges/pair-tallies.ts'
import { bigintText, CNY_TENTHS, roundOff } from '../../formatting/decimal-text.ts'
import { coinsOf } from '../../rows/coins.ts'
import { columns } from '../../rows/columns.ts'
import { tradeHoursOf } from '../../rows/trade-hours.ts'
import { type InstrumentRow, liquidation, MONEY_DECIMALS } from '../../schema/schema.ts'
import { Cache, perWorld } from '../../world/cache.ts'
import type { World } from '../../world/world.ts'
import { isLarge, ownLargeOrders } from '../indicator/large-orders.ts'
import { type PriceBar, priceBarsOf } from './price-bars.ts'

/** Types of change detected at closes of five-minute bars. */
const BAR_MS = 300_000
const HOUR = 12
const DAY = 24 * HOUR
/** Maximum lookback of a rule in bars. */
const LOOK_BACK = DAY + 2
/** Bars that define the usual level: four hours. */
const USUAL = 4 * HOUR

/** Bars of a pair, and the openings of their shown days. */
interface DayBars {
  bars: readonly PriceBar[]
  /** For each bar the price at the start of its shown day; null if unknown. */
  dayOpens: readonly (Px | null)[]
}

type PriceMovement = Exclude<ChangeType, '11' | '12' | '23' | '24'>

/** Indexes of the bars, from `first` on, at which a type of change occurs. */
function priceMovements(type: PriceMovement, dayBars: DayBars, first: number): number[] {
  const rule = RULES[type](dayBars)
  const found: number[] = []
  // A condition that stays true fires once.
  let was = first > 0 && rule(first - 1)
  for (let at = first; at < dayBars.bars.length; at++) {
    const is = rule(at)
    if (is && !was) found.push(at)
    was = is
  }
  return found
}

type MovementRule = (at: number) => boolean

const RULES: Record<PriceMovement, (dayBars: DayBars) => MovementRule> = {
  1: breakout(1),
  2: breakout(-1),
  3: ofDay(1),
  4: ofDay(-1),
  5: reversal(1),
  6: reversal(-1),
  7: extreme(1),
  8: extreme(-1),
  9: sudden(1),
  10: sudden(-1),
  17: takerFlow(1),
  18: takerFlow(-1),
}

type Sign = 1 | -1

/** Beyond the range of four hours, on twice the usual turnover. */
function breakout(sign: Sign) {
  return ({ bars }: DayBars): MovementRule =>
    (at) => {
      const amount = raw((bars[at] as PriceBar).amount)
      return isBeyond(bars, at, USUAL, sign) && amount > 0 && amount >= 2 * usualAmount(bars, at)
    }
}

/** Minimum distance from the opening of the shown day. */
const DAY_PART = 0.015

function ofDay(sign: Sign) {
  return ({ bars, dayOpens }: DayBars): MovementRule =>
    (at) => {
      const open = dayOpens[at] ?? null
      return open !== null && relativeMove(open, closeOf(bars, at), sign) >= DAY_PART
    }
}

/** A large move within an hour, then half of it back within a quarter of an hour. */
function reversal(sign: Sign) {
  return ({ bars }: DayBars): MovementRule =>
    (at) => {
      const far = 2 * unusualMove(bars, at)
      const turn = at - 3
      if (turn < HOUR) return false
      const back = relativeMove(closeOf(bars, turn), closeOf(bars, at), sign)
      return (
        back >= far / 2 &&
        relativeMove(closeOf(bars, turn - HOUR), closeOf(bars, turn), sign) <= -far
      )
    }
}

/** Beyond the range of a day. */
function extreme(sign: Sign) {
  return ({ bars }: DayBars): MovementRule =>
    (at) =>
      isBeyond(bars, at, DAY, sign)
}

/** Several times the usual movement within one bar. */
function sudden(sign: Sign) {
  return ({ bars }: DayBars): MovementRule =>
    (at) =>
      at > 0 &&
      relativeMove(closeOf(bars, at - 1), closeOf(bars, at), sign) >= unusualMove(bars, at)
}

/** Unusually large move within a bar, as a fraction of the price. */
function unusualMove(bars: readonly PriceBar[], at: number): number {
  const from = Math.max(1, at - USUAL)
  let sum = 0
  for (let one = from; one < at; one++)
    sum += Math.abs(relativeMove(closeOf(bars, one - 1), closeOf(bars, one), 1))
  return Math.max(4 * (sum / Math.max(at - from, 1)), LEAST_PART)
}

/** Smaller moves are never sudden. */
const LEAST_PART = 0.002

/** Net taker flow of several times the usual turnover. */
function takerFlow(sign: Sign) {
  return ({ bars }: DayBars): MovementRule =>
    (at) => {
      const { amount, bought } = bars[at] as PriceBar
      const usual = usualAmount(bars, at)
      return usual > 0 && sign * (2 * raw(bought) - raw(amount)) >= 2 * usual
    }
}

const closeOf = (bars: readonly PriceBar[], at: number) => (bars[at] as PriceBar).close

/** Move as a fraction of the price. */
const relativeMove = (from: Px, to: Px, sign: Sign) =>
  from === ZERO ? 0 : (sign * raw(subtract(to, from))) / raw(from)

/** Whether a close lies beyond the highest (lowest for -1) of so many bars before it. */
function isBeyond(bars: readonly PriceBar[], at: number, count: number, sign: Sign): boolean {
  if (at < count) return false
  const { close } = bars[at] as PriceBar
  for (let one = at - count; one < at; one++) {
    const { high, low } = bars[one] as PriceBar
    if (sign === 1 ? high >= close : low <= close) return false
  }
  return true
}

function usualAmount(bars: readonly PriceBar[], at: number): number {
  const from = Math.max(0, at - USUAL)
  let sum = 0
  for (let one = from; one < at; one++) sum += raw((bars[one] as PriceBar).amount)
  return sum / Math.max(at - from, 1)
}

const MOST = 100

/** A change of a coin. */
interface SuddenChange {
  of: InstrumentRow
  timeMs: TapeMs
}

/** Newest first, 100 at most. */
export function* suddenChangesOf(
  world: World,
  moment: Moment,
  { type, currency }: Parameters<Facts['signal']['changes']>[0],
): Slices<ChangeSignal[]> {
  const changes: SuddenChange[] = []
  for (const { instrument: of } of coinsOf(world).values()) {
    yield* tradeHoursOf(world).read(of.id, later(moment.atMs, -DAY_MS), later(moment.atMs, 1))
    yield
    for (const timeMs of changeTimes(world, moment, of, type)) changes.push({ of, timeMs })
  }
  changes.sort((a, b) => b.timeMs - a.timeMs || a.of.id - b.of.id)
  const records: ChangeSignal[] = []
  for (const change of changes.slice(0, MOST))
    records.push(changeRecord(world, moment, yield* dayOf(world, change), { type, currency }))
  return records
}

/** Times of a type of change, at most one per instant. */
function changeTimes(world: World, moment: Moment, of: InstrumentRow, type: ChangeType): TapeMs[] {
  const fromMs = later(moment.atMs, 1 - DAY_MS)
  switch (type) {
    case '11':
      return largeOrderTimes(world, of, 'B', fromMs, moment.atMs)
    case '12':
      return largeOrderTimes(world, of, 'A', fromMs, moment.atMs)
    case '23':
      return liquidationTimes(world, of, 'long', fromMs, moment.atMs)
    case '24':
      return liquidationTimes(world, of, 'short', fromMs, moment.atMs)
  }
  return barTimes(world, moment, of, type)
}

function barTimes(world: World, moment: Moment, of: InstrumentRow, type: PriceMovement): TapeMs[] {
  const { atMs, shiftMs } = moment
  const fromMs = later(atMs, -DAY_MS - LOOK_BACK * BAR_MS)
  const bars = priceBarsOf(world, moment, of, { lengthMs: BAR_MS, fromMs, untilMs: atMs })
  const dayOf = (timeMs: TapeMs) => Math.floor(shownAt(timeMs, shiftMs) / DAY_MS)
  const dayBars: DayBars = { bars, dayOpens: dayOpens(bars, dayOf) }
  const found = bars.findIndex(({ endMs }) => endMs > atMs - DAY_MS)
  if (found < 0) return []
  return priceMovements(type, dayBars, found).map((at) => (bars[at] as (typeof bars)[number]).endMs)
}

type PriceBars = ReturnType<typeof priceBarsOf>

/** For each bar the opening price of its day; null if not among them. */
function dayOpens(bars: PriceBars, dayOf: (timeMs: TapeMs) => number): (Px | null)[] {
  let open: Px | null = null
  return bars.map(({ endMs }, at) => {
    const before = bars[at - 1]
    // A bar belongs to the day of its start.
    if (before && dayOf(later(endMs, -1)) !== dayOf(later(before.endMs, -1))) open = before.close
    return open
  })
}

function largeOrderTimes(
  world: World,
  of: InstrumentRow,
  side: 'A' | 'B',
  fromMs: TapeMs,
  toMs: TapeMs,
) {
  const orders = [...ownLargeOrders(world, of, fromMs, later(toMs, 1))]
  const large = orders.filter((one) => one.side === side && isLarge(one))
  return [...new Set(large.map(({ timeMs }) => timeMs))]
}

/** Minimum value of a large liquidation. */
const LARGE = usd(10_000 * 10 ** MONEY_DECIMALS)

function liquidationTimes(
  world: World,
  of: InstrumentRow,
  direction: 'long' | 'short',
  fromMs: TapeMs,
  toMs: TapeMs,
): TapeMs[] {
  const rows = liquidationTimesBetween(world).all(of.id, fromMs, toMs, direction, LARGE)
  return rows.map(({ timeMs }) => timeMs)
}

type OfCoin = [instrument: number, fromMs: TapeMs, toMs: TapeMs, direction: 'long' | 'short']

const liquidationTimesBetween = perWorld(({ db }) =>
  columns({ timeMs: liquidation.timeMs }).prepare<[...OfCoin, least: Usd]>(
    db,
    `from liquidation where instrument = ? and timeMs between ? and ? and direction = ?
     and notional >= ? group by timeMs order by timeMs`,
  ),
)

/** A change, and the coin's day up to it. */
interface ChangeDay extends SuddenChange {
  px: Px
  /** Price a day before, and the turnover since. */
  before: Px
  cents: bigint
}

/** Cached days of changes. */
const DAYS_KEPT = 5_000

const changeDays = perWorld(() => new Cache<string, ChangeDay>(DAYS_KEPT))

function* dayOf(world: World, { of, timeMs }: SuddenChange): Slices<ChangeDay> {
  const known = changeDays(world).find(`${of.id}/${timeMs}`)
  if (known) return known
  const hours = tradeHoursOf(world)
  const [fromMs, toMs] = [later(timeMs, 1 - DAY_MS), later(timeMs, 1)]
  const px = hours.pxBefore(of.id, toMs) ?? ZERO
  const before = hours.pxBefore(of.id, fromMs) ?? px
  const { cents } = yield* coinTotals(world, of, fromMs, toMs)
  return changeDays(world).put(`${of.id}/${timeMs}`, { of, timeMs, px, before, cents })
}

/** Price, turnover and change at its time. */
function changeRecord(
  world: World,
  { shiftMs }: Moment,
  { of, timeMs, px, before, cents }: ChangeDay,
  { type, currency }: { type: ChangeType; currency: 'cny' | 'usd' },
): ChangeSignal {
  // Tenths of the currency to the dollar.
  const tenths = currency === 'cny' ? CNY_TENTHS : 10n
  const percent = before === ZERO ? 0 : mulDiv(raw(subtract(px, before)), pow10(4), raw(before))
  return {
    id: `${shownAt(timeMs, shiftMs)}${type.padStart(2, '0')}${String(of.id).padStart(3, '0')}`,
    key: ownDbKeys(world).get(of.id) ?? of.coin,
    created_at: String(Math.floor(timeMs / 1000)),
    show: of.base,
    currency_str: currency,
    type,
    price: bigintText(BigInt(raw(px)) * tenths, of.pxDecimals + 1),
    trade: bigintText(roundOff(cents * tenths, 1), 2, 2),
    degree_24h: bigintText(BigInt(percent), 2, 2),
  }
}
