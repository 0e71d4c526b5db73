/**
 * What the market of a coin looked like each quarter of an hour: its price, what takers did, and
 * the orders that stood open. Each step only knows what happened by its instant.
 */

import { sql } from 'drizzle-orm'
import type { Moment } from '../../../contract/facts.ts'
import { type Px, raw, type Sz, subtract, type Usd } from '../../../decimal/quantity.ts'
import { notionalOf } from '../../accounting/position.ts'
import { columns } from '../../rows/columns.ts'
import { type InstrumentRow, orders, trade } from '../../schema.ts'
import type { World } from '../../world.ts'
import { perWorld } from '../per-world.ts'
import { type Bar, barsOf } from './bars.ts'

export const STEP_MS = 900_000

/** A bar, and the open limit orders as it closes: how many, and their value in micro-dollars. */
export interface Step extends Bar {
  bids: Side
  asks: Side
}

interface Side {
  count: number
  value: number
}

/** All steps of the story, oldest first, those of the future included. */
export function stepsOf(world: World, moment: Moment, of: InstrumentRow): Step[] {
  const known = kept(world)
  const name = `${of.id}/${phaseOf(moment)}`
  const before = known.get(name)
  if (before) return before
  if (known.size >= KEPT) known.clear()
  const made = allSteps(world, moment, of)
  known.set(name, made)
  return made
}

/** Where the quarters lie on the shown clock, ms. */
export const phaseOf = ({ shiftMs }: Moment) => ((shiftMs % STEP_MS) + STEP_MS) % STEP_MS

const KEPT = 50

const kept = perWorld(() => new Map<string, Step[]>())

function allSteps(world: World, moment: Moment, of: InstrumentRow): Step[] {
  const whole = { ...moment, atMs: world.endMs }
  const span = { lengthMs: STEP_MS, fromMs: world.meta.storyStartMs, untilMs: world.endMs }
  const changes = changesOf(world, of)
  const sides = { B: { count: 0, value: 0 }, A: { count: 0, value: 0 } }
  let at = 0
  return barsOf(world, whole, of, span).map((bar) => {
    for (; at < changes.length && (changes[at] as Change).timeMs <= bar.endMs; at++) {
      const { side, count, value } = changes[at] as Change
      sides[side].count += count
      sides[side].value += value
    }
    return { ...bar, bids: { ...sides.B }, asks: { ...sides.A } }
  })
}

/** What an instant adds to a side of the open orders. */
interface Change {
  timeMs: number
  side: 'A' | 'B'
  count: number
  value: number
}

/** By time. Orders that end where they begin never stand open; triggers wait unseen. */
function changesOf(world: World, of: InstrumentRow): Change[] {
  const { orders, fills } = statements(world)
  const changes: Change[] = []
  const open = new Map<number, Left>()
  for (const { oid, timeMs, endMs, side, px, sz } of orders.all(of.id)) {
    const value = notionalOf(px, sz, of)
    open.set(oid, { side, px, sz, value, endMs })
    changes.push({ timeMs, side, count: 1, value: raw(value) })
  }
  for (const { oid, timeMs, sz } of fills.all(of.id)) {
    const order = open.get(oid)
    if (!order || (order.endMs !== null && timeMs >= order.endMs)) continue
    order.sz = subtract(order.sz, sz)
    const value = notionalOf(order.px, order.sz, of)
    const change = raw(subtract(value, order.value))
    changes.push({ timeMs, side: order.side, count: 0, value: change })
    order.value = value
  }
  for (const { side, value, endMs } of open.values())
    if (endMs !== null) changes.push({ timeMs: endMs, side, count: -1, value: -raw(value) })
  return changes.sort((a, b) => a.timeMs - b.timeMs)
}

/** What is left of an order. */
interface Left {
  side: 'A' | 'B'
  px: Px
  sz: Sz
  value: Usd
  endMs: number | null
}

const ORDERS = columns({
  oid: orders.oid,
  timeMs: orders.timeMs,
  endMs: orders.endMs,
  side: orders.side,
  px: orders.limitPx,
  sz: orders.origSz,
})
const FILLS = columns({
  // Of a trade, the order that rested is that of the side that did not take.
  oid: sql<number>`iif(${trade.side} = 'B', ${trade.sellerOid}, ${trade.buyerOid})`,
  timeMs: trade.timeMs,
  sz: trade.sz,
})

const statements = perWorld(({ db }) => ({
  orders: ORDERS.prepare<[instrument: number]>(
    db,
    `from orders where instrument = ? and triggerPx is null
     and (endMs is null or endMs > timeMs) order by timeMs, oid`,
  ),
  fills: FILLS.prepare<[instrument: number]>(
    db,
    'from trade where instrument = ? order by timeMs, id',
  ),
}))
