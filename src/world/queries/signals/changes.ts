/** Sudden changes of the last 24 hours, as trades, large orders and forced closings tell them. */

import { later, shownAt, type TapeMs } from '../../../clock/instant.ts'
import type { Facts, Moment } from '../../../contract/facts.ts'
import type { ChangeSignal, ChangeType } from '../../../contract/records/signal.ts'
import { type Px, raw, subtract, type Usd, usd, ZERO } from '../../../decimal/quantity.ts'
import { power, share } from '../../../decimal/scaled.ts'
import { columns } from '../../rows/columns.ts'
import { type InstrumentRow, liquidation, MONEY_DECIMALS } from '../../schema.ts'
import type { World } from '../../world.ts'
import { CNY_TENTHS } from '../currency.ts'
import { WHOLE_SHARE } from '../derivatives/shares.ts'
import { isLarge, largeOrders } from '../indicators/large-orders.ts'
import { ownKeys } from '../pairs.ts'
import { perWorld } from '../per-world.ts'
import { tradeHoursOf } from '../trade-hours.ts'
import { shorten, wideText } from '../wording.ts'
import { barsOf } from './bars.ts'
import { BAR_MS, type Course, LOOK_BACK, type Movement, movements } from './movements.ts'

const DAY_MS = 86_400_000
const MOST = 100

/** Something that came true of a coin. */
interface Change {
  of: InstrumentRow
  timeMs: TapeMs
}

/** Newest first, 100 at most. */
export function changesOf(
  world: World,
  moment: Moment,
  { type, currency }: Parameters<Facts['signals']['changes']>[0],
): ChangeSignal[] {
  return world.instruments
    .flatMap((of) => timesOf(world, moment, of, type).map((timeMs) => ({ of, timeMs })))
    .sort((a, b) => b.timeMs - a.timeMs || a.of.id - b.of.id)
    .slice(0, MOST)
    .map((change) => record(world, moment, change, { type, currency }))
}

/** When a type of change came true, none of it twice in an instant. */
function timesOf(world: World, moment: Moment, of: InstrumentRow, type: ChangeType): TapeMs[] {
  const fromMs = later(moment.atMs, 1 - DAY_MS)
  switch (type) {
    case '11':
      return ordersOf(world, of, 'B', fromMs, moment.atMs)
    case '12':
      return ordersOf(world, of, 'A', fromMs, moment.atMs)
    case '23':
      return closingsOf(world, of, 'long', fromMs, moment.atMs)
    case '24':
      return closingsOf(world, of, 'short', fromMs, moment.atMs)
  }
  return barTimes(world, moment, of, type)
}

function barTimes(world: World, moment: Moment, of: InstrumentRow, type: Movement): TapeMs[] {
  const { atMs, shiftMs } = moment
  const fromMs = later(atMs, -DAY_MS - LOOK_BACK * BAR_MS)
  const bars = barsOf(world, moment, of, { lengthMs: BAR_MS, fromMs, untilMs: atMs })
  const dayOf = (timeMs: TapeMs) => Math.floor(shownAt(timeMs, shiftMs) / DAY_MS)
  const course: Course = { bars, dayOpens: opensOf(bars, dayOf) }
  const found = bars.findIndex(({ endMs }) => endMs > atMs - DAY_MS)
  if (found < 0) return []
  return movements(type, course, found).map((at) => (bars[at] as (typeof bars)[number]).endMs)
}

type Bars = ReturnType<typeof barsOf>

/** For each bar the price at which its day began; null where that is not among them. */
function opensOf(bars: Bars, dayOf: (timeMs: TapeMs) => number): (Px | null)[] {
  let open: Px | null = null
  return bars.map(({ endMs }, at) => {
    const before = bars[at - 1]
    // A bar lies in the day in which it begins.
    if (before && dayOf(later(endMs, -1)) !== dayOf(later(before.endMs, -1))) open = before.close
    return open
  })
}

function ordersOf(world: World, of: InstrumentRow, side: 'A' | 'B', fromMs: TapeMs, toMs: TapeMs) {
  const orders = [...largeOrders(world, of, fromMs, later(toMs, 1))]
  const large = orders.filter((one) => one.side === side && isLarge(one, WHOLE_SHARE))
  return [...new Set(large.map(({ timeMs }) => timeMs))]
}

/** From which value on a forced closing is large. */
const LARGE = usd(10_000 * 10 ** MONEY_DECIMALS)

function closingsOf(
  world: World,
  of: InstrumentRow,
  direction: 'long' | 'short',
  fromMs: TapeMs,
  toMs: TapeMs,
): TapeMs[] {
  const rows = closings(world).all(of.id, fromMs, toMs, direction, LARGE)
  return rows.map(({ timeMs }) => timeMs)
}

type OfCoin = [instrument: number, fromMs: TapeMs, toMs: TapeMs, direction: 'long' | 'short']

const closings = perWorld(({ db }) =>
  columns({ timeMs: liquidation.timeMs }).prepare<[...OfCoin, least: Usd]>(
    db,
    `from liquidation where instrument = ? and timeMs between ? and ? and direction = ?
     and notional >= ? group by timeMs order by timeMs`,
  ),
)

/** Price, turnover and change as they were when it came true. */
function record(
  world: World,
  { shiftMs }: Moment,
  { of, timeMs }: Change,
  { type, currency }: { type: ChangeType; currency: 'cny' | 'usd' },
): ChangeSignal {
  const hours = tradeHoursOf(world)
  const px: Px = hours.lastBefore(of.id, later(timeMs, 1))?.px ?? ZERO
  const before = hours.lastBefore(of.id, later(timeMs, 1 - DAY_MS))?.px ?? px
  const { amount } = hours.tally(of.id, later(timeMs, 1 - DAY_MS), later(timeMs, 1))
  // Tenths of the currency to the dollar.
  const tenths = currency === 'cny' ? CNY_TENTHS : 10n
  const percent = before === ZERO ? 0 : share(raw(subtract(px, before)), power(4), raw(before))
  return {
    id: `${shownAt(timeMs, shiftMs)}${type.padStart(2, '0')}${String(of.id).padStart(3, '0')}`,
    key: ownKeys(world).get(of.id) ?? of.coin,
    created_at: String(Math.floor(timeMs / 1000)),
    show: of.base,
    currency_str: currency,
    type,
    price: wideText(BigInt(raw(px)) * tenths, of.pxDecimals + 1),
    trade: wideText(shorten(amount * tenths, MONEY_DECIMALS + 1 - 2), 2, 2),
    degree_24h: wideText(BigInt(percent), 2, 2),
  }
}
