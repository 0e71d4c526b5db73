/** Sudden changes of the last 24 hours, as trades, large orders and liquidations show them. */

import { DAY_MS } from '../../../clock/durations.ts'
import { later, shownAt, type TapeMs } from '../../../clock/instant.ts'
import type { Slices } from '../../../clock/turns.ts'
import type { Facts, Moment } from '../../../contract/facts.ts'
import type { ChangeSignal, ChangeType } from '../../../contract/records/signal.ts'
import { type Px, raw, subtract, type Usd, usd, ZERO } from '../../../decimal/quantity.ts'
import { mulDiv, pow10 } from '../../../decimal/scaled.ts'
import { Cache } from '../../cache.ts'
import { coinTotals } from '../../exchanges/coin-totals.ts'
import { ownDbKeys } from '../../exchanges/pairs.ts'
import { CNY_TENTHS } from '../../formatting/currency.ts'
import { bigintText, roundOff } from '../../formatting/decimal-text.ts'
import { perWorld } from '../../per-world.ts'
import { coinsOf } from '../../rows/coins.ts'
import { columns } from '../../rows/columns.ts'
import { tradeHoursOf } from '../../rows/trade-hours.ts'
import { type InstrumentRow, liquidation, MONEY_DECIMALS } from '../../schema.ts'
import type { World } from '../../world.ts'
import { isLarge, ownLargeOrders } from '../indicator/large-orders.ts'
import { priceBarsOf } from './price-bars.ts'
import {
  BAR_MS,
  type DayBars,
  LOOK_BACK,
  type PriceMovement,
  priceMovements,
} from './price-movements.ts'

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

/** When a type of change occurred, none of it twice in an instant. */
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

/** For each bar the price at which its day began; null where that is not among them. */
function dayOpens(bars: PriceBars, dayOf: (timeMs: TapeMs) => number): (Px | null)[] {
  let open: Px | null = null
  return bars.map(({ endMs }, at) => {
    const before = bars[at - 1]
    // A bar lies in the day in which it begins.
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

/** From which value on a liquidation is large. */
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

/** A change, and the coin's day up to it: what it is remembered with. */
interface ChangeDay extends SuddenChange {
  px: Px
  /** The price a day before, and the turnover since. */
  before: Px
  cents: bigint
}

/** Days of changes that are kept. */
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

/** Price, turnover and change as they were when it occurred. */
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
