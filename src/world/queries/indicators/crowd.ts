/** What all accounts hold of a perpetual at some instants. */
import { raw, ZERO } from '../../../decimal/quantity.ts'
import { share } from '../../../decimal/scaled.ts'
import { columns } from '../../rows/columns.ts'
import { fill, type InstrumentRow } from '../../schema.ts'
import type { World } from '../../world.ts'
import { perWorld } from '../per-world.ts'
import { tradersOf } from '../traders.ts'
import { chunksOf } from './chunks.ts'

/** Counts of accounts, and sums of their positions in size units. */
export interface Crowd {
  longs: Side
  shorts: Side
  /** Of the largest fifth of the positions. */
  topLongs: Side
  topShorts: Side
}

export interface Side {
  accounts: number
  sz: number
  /** What lies beyond their margin: size x (1 - 1 / leverage). */
  borrowed: number
}

/** Positions as of each instant: all trades before it. The instants rise. */
export function crowdsAt(world: World, of: InstrumentRow, instantsMs: readonly number[]): Crowd[] {
  const firstMs = instantsMs[0]
  if (firstMs === undefined) return []
  const chunks = chunksOf(world)
  let chunk = chunks.at(of.id, firstMs - 1)
  const held = new Map(heldBefore(world)(of.id, chunk.startMs))
  let at = 0
  return instantsMs.map((instantMs) => {
    for (;;) {
      const { timesMs, buyers, sellers, sizes, endMs } = chunk
      for (; at < timesMs.length && (timesMs[at] as number) < instantMs; at++) {
        move(held, buyers[at] as number, sizes[at] as number)
        move(held, sellers[at] as number, -(sizes[at] as number))
      }
      if (instantMs <= endMs) break
      chunk = chunks.at(of.id, endMs)
      at = 0
    }
    return crowdOf(world, of, held)
  })
}

/** Positions by trader.id; flat ones are left out. */
type Held = ReadonlyMap<number, number>

function move(held: Map<number, number>, trader: number, sz: number): void {
  const after = (held.get(trader) ?? 0) + sz
  if (after === 0) held.delete(trader)
  else held.set(trader, after)
}

function crowdOf(world: World, of: InstrumentRow, held: Held): Crowd {
  const leverage = leveragesOf(world)
  const sizes = Float64Array.from(held.values(), Math.abs).sort()
  const top = sizes[sizes.length - Math.ceil(sizes.length / 5)] ?? 0
  const crowd = { longs: side(), shorts: side(), topLongs: side(), topShorts: side() }
  for (const [trader, position] of held) {
    const sz = Math.abs(position)
    const borrowed = lent(sz, leverage(of.id, trader))
    add(position > 0 ? crowd.longs : crowd.shorts, sz, borrowed)
    if (sz >= top) add(position > 0 ? crowd.topLongs : crowd.topShorts, sz, borrowed)
  }
  return crowd
}

const side = (): Side => ({ accounts: 0, sz: 0, borrowed: 0 })

const lent = (sz: number, leverage: number) => share(sz, leverage - 1, leverage)

function add(to: Side, sz: number, borrowed: number): void {
  to.accounts++
  to.sz += sz
  to.borrowed += borrowed
}

/** Instants of which positions are kept. */
const KEPT = 200

/** Positions of an instrument before an instant. */
const heldBefore = perWorld((world) => {
  const known = new Map<string, Held>()
  const last = columns({ sz: fill.positionAfter }).prepare<
    [trader: number, instrument: number, beforeMs: number]
  >(
    world.db,
    `from fill where trader = ? and instrument = ? and timeMs < ?
     order by timeMs desc, id desc limit 1`,
  )
  return (instrument: number, timeMs: number): Held => {
    const key = `${instrument}/${timeMs}`
    const before = known.get(key)
    if (before) return before
    const held = new Map<number, number>()
    for (const { id } of tradersOf(world).list) {
      const sz = last.get(id, instrument, timeMs)?.sz ?? ZERO
      if (sz !== ZERO) held.set(id, raw(sz))
    }
    if (known.size >= KEPT) known.clear()
    known.set(key, held)
    return held
  }
})

/** Leverage that a trader has set on an instrument; it never changes. */
const leveragesOf = perWorld(({ db }) => {
  const known = new Map<number, number>()
  const first = columns({ leverage: fill.leverage }).prepare<[trader: number, instrument: number]>(
    db,
    'from fill where trader = ? and instrument = ? order by timeMs limit 1',
  )
  return (instrument: number, trader: number): number => {
    const key = instrument * 2 ** 32 + trader
    const before = known.get(key)
    if (before !== undefined) return before
    const leverage = first.get(trader, instrument)?.leverage ?? 1
    known.set(key, leverage)
    return leverage
  }
})
