import {
  absolute,
  add,
  usd as money,
  negate,
  type Px,
  px as price,
  raw,
  type Sz,
  sz as size,
  subtract,
  type Usd,
  ZERO,
} from '../../decimal/quantity.ts'
import type { Dice } from '../../random/dice.ts'
import { fundingBetween } from '../accounting/funding.ts'
import { maintenanceMargin, positionValue } from '../accounting/margin.ts'
import { notionalOf } from '../accounting/position.ts'
import { feeOf } from './fees.ts'
import type { Print } from './floor.ts'
import type { Path } from './path.ts'
import type { Trader } from './people.ts'
import type { Stage } from './stage.ts'
import type { Doom } from './survey.ts'

/** The opening of a position that the tape will liquidate. */
export interface Opening {
  doom: Doom
  path: Path
  timeMs: number
  px: Px
}

/** The liquidation price lies this far before the mark price at which the tape liquidates. */
const BEFORE = 0.0003
const MINUTE_MS = 60_000
/**
 * An opening price is good when the position could have been opened at 1.1 times the least margin.
 */
const ROOM = 1.1

/**
 * Finds out when each of the doomed opened the position: as late as the market allowed, at a price
 * at which it could be opened, and after which nothing liquidated it before its time.
 */
export function openings(
  dooms: readonly Doom[],
  paths: readonly Path[],
  grid: readonly number[],
  startMs: number,
  dice: Dice,
): Opening[] {
  return dooms.flatMap((doom) => {
    const path = paths.find(({ market }) => market.row.coin === doom.coin)
    if (!path?.market.perp) return []
    const latestMs = startMs - dice.between(12, 300) * MINUTE_MS
    const at = placeOf(doom, path, grid, latestMs)
    const timeMs = (grid[at] ?? startMs) + dice.between(0, 8_000)
    return [{ doom, path, timeMs, px: price(path.px[at] ?? raw(path.market.px)) }]
  })
}

/**
 * Opens the position, with exactly the money that brings its liquidation price to the mark price.
 */
export function open(stage: Stage, { doom, path, timeMs, px }: Opening): Trader {
  const { market } = path
  const { row } = market
  const long = doom.direction === 'long'
  const trader = stage.people.add('liquidated')
  const held = stage.bank.holding(trader, market)
  const { purse } = held
  Object.assign(held, { leverage: row.maxLeverage, isolated: false })
  purse.doomed = true
  const prints = split(doom.sz, market.onTick(raw(px)))
  const [cost, fees] = expense(prints, trader, long, path)
  const endPx = price(Math.round(raw(doom.markPx) * (long ? 1 + BEFORE : 1 - BEFORE)))
  const value = positionValue(doom.sz, endPx, row)
  const signed = long ? doom.sz : negate(doom.sz)
  const now = market.fundingIndex
  const end = path.funding.at(-1)?.fundingIndex ?? now
  const funding = fundingBetween(signed, now, end, row)
  const pnl = subtract(long ? value : negate(value), cost)
  const margin = add(maintenanceMargin(value, row.maxLeverage), funding)
  const needed = raw(add(subtract(margin, pnl), fees))
  const initial = Math.ceil((raw(absolute(cost)) / row.maxLeverage) * 1.02) + raw(fees)
  const paid = cents(Math.max(needed, initial))
  stage.bank.fund(purse, paid, timeMs)
  const side = long ? 'B' : 'A'
  stage.floor.run({ market, timeMs, side, prints, taker: held })
  // Where no price left room enough, the rest of the margin is taken out again.
  const surplus = subtract(paid, cents(Math.max(needed, 1)))
  if (surplus > ZERO) stage.bank.withdraw(purse, surplus, timeMs)
  return trader
}

function expense(
  prints: Print[],
  trader: Trader,
  long: boolean,
  { market }: Path,
): [cost: Usd, fees: Usd] {
  let [cost, fees]: [Usd, Usd] = [ZERO, ZERO]
  for (const { px, sz } of prints) {
    const notional = notionalOf(px, sz, market.row)
    cost = add(cost, long ? notional : negate(notional))
    fees = add(fees, feeOf(notional, market, trader.takerRate))
  }
  return [cost, fees]
}

function placeOf(doom: Doom, path: Path, grid: readonly number[], latestMs: number): number {
  const long = doom.direction === 'long'
  const markPx = raw(doom.markPx)
  const least = (ROOM - 0.5) / path.market.row.maxLeverage
  const rooms = Array.from(path.px, (px) => (long ? 1 - markPx / px : markPx / px - 1))
  const late = grid.findLastIndex((timeMs) => timeMs <= latestMs)
  // Nothing may have liquidated it since: the price has to have stayed on the good side.
  const crossed = rooms.findLastIndex((room) => room <= 2 * BEFORE)
  const safe = best(rooms, crossed + 1, late, least)
  // A tape that begins beyond the mark price leaves only openings that were lucky to live so long.
  return safe ?? best(rooms, 0, late, least) ?? grid.length - 1
}

/** The latest place with room enough, or else the one with most; undefined when there is none. */
function best(rooms: number[], from: number, to: number, least: number): number | undefined {
  let [place, most]: [number | undefined, number] = [undefined, Number.NEGATIVE_INFINITY]
  for (let at = to; at >= from; at--) {
    const room = rooms[at] ?? 0
    if (room >= least) return at
    if (room > most) [place, most] = [at, room]
  }
  return place
}

/** In one to three parts, as one order would be filled. */
function split(sz: Sz, px: Px): Print[] {
  const third = size(Math.floor(raw(sz) / 3))
  return third === ZERO
    ? [{ px, sz }]
    : [
        { px, sz: third },
        { px, sz: subtract(sz, third) },
      ]
}

const cents = (usd: number) => money(Math.round(usd / 1e4) * 1e4)
