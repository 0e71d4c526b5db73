/** Fills of an account as the venue lists them (shapes 2.8 and 2.9). */
import type { UserFill } from '../../contract/records/fill.ts'
import type { InstrumentRow } from '../schema.ts'
import type { World } from '../world.ts'
import { FILLS, type FillValues, fillWriter } from './fill-rows.ts'
import { perWorld } from './per-world.ts'
import { NATIVE, wideText } from './wording.ts'

export interface Listing {
  /** Both instants are in it. */
  fromMs: number
  toMs: number
  limit: number
  newestFirst: boolean
  /** Partial fills of one crossing order and instant as one. */
  aggregated: boolean
}

/** At most `limit` of the trader's 10,000 most recent fills. */
export function nativeFills(
  world: World,
  trader: number,
  atMs: number,
  { fromMs, toMs, limit, newestFirst, aggregated }: Listing,
): UserFill[] {
  const { newest, oldest } = statements(world)
  const leastMs = Math.max(fromMs, keptFromMs(world, trader, atMs))
  const mostMs = Math.min(toMs, atMs)
  const ask = newestFirst ? newest : oldest
  const rows = ask.values(trader, leastMs, mostMs, limit) as FillValues[]
  if (!aggregated) return rows.map(fillWriter(world).user)
  const groups = groupsOf(newestFirst ? rows.reverse() : rows)
  // What was cut off in its middle would tell of half an order.
  if (rows.length === limit && groups.length > 1) groups.splice(newestFirst ? 0 : -1, 1)
  const fills = groups.map((group) => whole(world, group))
  return newestFirst ? fills.reverse() : fills
}

/** The latest fills of a trader, of one instrument or of all for null, oldest first. */
export function nativeOfAddress(
  world: World,
  trader: number,
  instrument: number | null,
  atMs: number,
  limit: number,
): UserFill[] {
  const rows = statements(world).latest.values(trader, instrument, atMs, limit) as FillValues[]
  return rows.reverse().map(fillWriter(world).user)
}

/** The fills of an order, oldest first. */
export function nativeOfOrder(world: World, oid: number, atMs: number): UserFill[] {
  const rows = statements(world).ofOrder.values(oid, atMs) as FillValues[]
  return rows.map(fillWriter(world).user)
}

/** Fills of a trader that can be asked for. */
const KEPT = 10_000

/** Time of the oldest fill that can be asked for. */
function keptFromMs(world: World, trader: number, atMs: number): number {
  if (!busy(world).has(trader)) return 0
  const row = statements(world).oldestKept.values(trader, atMs, KEPT - 1)[0]
  return (row as [number] | undefined)?.[0] ?? 0
}

/** Those who ever have more fills than can be asked for. */
const busy = perWorld(({ db }) => {
  const rows = db.prepare('select trader from fill group by trader having count(*) > ?')
  return new Set((rows.values(KEPT) as [number][]).map(([trader]) => trader))
})

/** Oldest first: the fills of one crossing order and instant together, the others alone. */
function groupsOf(rows: readonly FillValues[]): FillValues[][] {
  const keyOf = (row: FillValues) => (row[11] === 1 ? `${row[1]}/${row[10]}` : row)
  return [...Map.groupBy(rows, keyOf).values()]
}

/** One fill out of several: sizes, fees and PnL summed, the price averaged. */
function whole(world: World, group: FillValues[]): UserFill {
  const { user } = fillWriter(world)
  const [first] = group as [FillValues]
  if (group.length === 1) return user(first)
  const sum = (at: 5 | 8 | 12 | 16) => group.reduce((all, row) => all + (row[at] ?? 0), 0)
  const row = [...first] as FillValues
  row[5] = sum(5)
  row[8] = sum(8)
  row[12] = sum(12)
  if (row[16] !== null) row[16] = sum(16)
  row[7] = (group.find(([, , , , , , , dir]) => dir.includes('>')) ?? first)[7]
  return { ...user(row), px: averagePx(world.instruments[first[0]] as InstrumentRow, group) }
}

/** Digits that an average has more than prices have. */
const FINER = 4

function averagePx({ pxDecimals }: InstrumentRow, group: readonly FillValues[]): string {
  let [value, size] = [0n, 0n]
  for (const [, , , , px, sz] of group) {
    value += BigInt(px) * BigInt(sz)
    size += BigInt(sz)
  }
  const unit = 10n ** BigInt(FINER)
  return wideText((2n * value * unit + size) / (2n * size), pxDecimals + FINER, NATIVE)
}

const statements = perWorld(({ db }) => {
  const fills = `${FILLS} where f.trader = ? and f.timeMs between ? and ?`
  return {
    latest: db.prepare(
      `${FILLS} where f.trader = ?1 and (?2 is null or f.instrument = ?2) and f.timeMs <= ?3
       order by f.timeMs desc, f.id desc limit ?4`,
    ),
    ofOrder: db.prepare(`${FILLS} where f.oid = ? and f.timeMs <= ? order by f.timeMs, f.id`),
    newest: db.prepare(`${fills} order by f.timeMs desc, f.id desc limit ?`),
    oldest: db.prepare(`${fills} order by f.timeMs, f.id limit ?`),
    oldestKept: db.prepare(
      `select timeMs from fill where trader = ? and timeMs <= ?
       order by timeMs desc, id desc limit 1 offset ?`,
    ),
  }
})
