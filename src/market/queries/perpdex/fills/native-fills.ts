/** Fills of an account as the venue lists them. */

import { type TapeMs, tapeMs } from '../../../../clock/instant.ts'
import type { Slices } from '../../../../clock/turns.ts'
import type { UserFill } from '../../../../contract/records/fill.ts'
import { raw, sum, ZERO } from '../../../../decimal/quantity.ts'
import { bigintText, NATIVE_DECIMALS } from '../../../formatting/decimal-text.ts'
import { columns } from '../../../rows/columns.ts'
import {
  FILL_SELECT,
  FROM_FILLS,
  fillRecords,
  inPages,
  LAST_ID,
  type PageEnd,
  type WholeFill,
} from '../../../rows/fill-rows.ts'
import { fill, type InstrumentRow } from '../../../schema/schema.ts'
import { perWorld } from '../../../world/cache.ts'
import type { World } from '../../../world/world.ts'

export interface NativeFillQuery {
  /** Both ends are inclusive. */
  fromMs: TapeMs
  toMs: TapeMs
  limit: number
  newestFirst: boolean
  /** Merges partial fills of one crossing order and instant. */
  aggregated: boolean
}

/** At most `limit` of the trader's 10,000 most recent fills. */
export function* nativeFills(
  world: World,
  trader: number,
  atMs: TapeMs,
  { fromMs, toMs, limit, newestFirst, aggregated }: NativeFillQuery,
): Slices<UserFill[]> {
  const { newest, oldest } = statements(world)
  const leastMs = tapeMs(Math.max(fromMs, queryableFromMs(world, trader, atMs)))
  const mostMs = tapeMs(Math.min(toMs, atMs))
  const ask = newestFirst ? newest : oldest
  const page = ({ timeMs, id }: PageEnd, count: number) =>
    ask.all(trader, newestFirst ? leastMs : mostMs, timeMs, id, count)
  const start = newestFirst ? { timeMs: mostMs, id: LAST_ID } : { timeMs: leastMs, id: FIRST_ID }
  const rows: WholeFill[] = []
  const fills: UserFill[] = []
  const { user } = fillRecords(world)
  for (const some of inPages(start, limit, page)) {
    for (const row of some) {
      if (aggregated) rows.push(row)
      else fills.push(user(row))
    }
    yield
  }
  return aggregated ? aggregatedFills(world, rows, newestFirst, limit) : fills
}

function aggregatedFills(
  world: World,
  rows: WholeFill[],
  newestFirst: boolean,
  limit: number,
): UserFill[] {
  const groups = fillGroups(newestFirst ? rows.reverse() : rows)
  // A truncated group would show half an order.
  if (rows.length === limit && groups.length > 1) groups.splice(newestFirst ? 0 : -1, 1)
  const fills = groups.map((group) => aggregatedFill(world, group))
  return newestFirst ? fills.reverse() : fills
}

/** The latest fills of a trader, of one instrument or of all for null, oldest first. */
export function nativeFillsOfAddress(
  world: World,
  trader: number,
  instrument: number | null,
  atMs: TapeMs,
  limit: number,
): UserFill[] {
  const rows = statements(world).latest.all(trader, instrument, atMs, limit)
  return rows.reverse().map(fillRecords(world).user)
}

/** The fills of an order, oldest first. */
export function nativeFillsOfOrder(world: World, oid: number, atMs: TapeMs): UserFill[] {
  const rows = statements(world).ofOrder.all(oid, atMs)
  return rows.map(fillRecords(world).user)
}

/** Number of recent fills of a trader that can be queried. */
const QUERYABLE_FILLS = 10_000

/** Time of the oldest fill that can be queried. */
function queryableFromMs(world: World, trader: number, atMs: TapeMs): number {
  return statements(world).oldestKept.get(trader, atMs, QUERYABLE_FILLS - 1)?.timeMs ?? 0
}

/** Oldest first: the fills of one crossing order and instant together, the others alone. */
function fillGroups(rows: readonly WholeFill[]): WholeFill[][] {
  const keyOf = (row: WholeFill) => (row.crossed ? `${row.timeMs}/${row.oid}` : row)
  return [...Map.groupBy(rows, keyOf).values()]
}

/** Merges several fills: sizes, fees and PnL summed, the price averaged. */
function aggregatedFill(world: World, group: WholeFill[]): UserFill {
  const { user } = fillRecords(world)
  const [first] = group as [WholeFill]
  if (group.length === 1) return user(first)
  const row: WholeFill = {
    ...first,
    sz: sum(group.map(({ sz }) => sz)),
    closedPnl: sum(group.map(({ closedPnl }) => closedPnl)),
    fee: sum(group.map(({ fee }) => fee)),
    dir: (group.find(({ dir }) => dir.includes('>')) ?? first).dir,
  }
  if (first.builderFee !== null)
    row.builderFee = sum(group.map(({ builderFee }) => builderFee ?? ZERO))
  return {
    ...user(row),
    px: averagePx(world.instruments[first.instrument] as InstrumentRow, group),
  }
}

/** Extra digits of an average price. */
const AVERAGE_EXTRA_DECIMALS = 4

function averagePx({ pxDecimals }: InstrumentRow, group: readonly WholeFill[]): string {
  let [value, size] = [0n, 0n]
  for (const { px, sz } of group) {
    value += BigInt(raw(px)) * BigInt(raw(sz))
    size += BigInt(raw(sz))
  }
  const unit = 10n ** BigInt(AVERAGE_EXTRA_DECIMALS)
  return bigintText(
    (2n * value * unit + size) / (2n * size),
    pxDecimals + AVERAGE_EXTRA_DECIMALS,
    NATIVE_DECIMALS,
  )
}

/** Sorts before all rows of an instant. */
const FIRST_ID = -1

type Span = [trader: number, untilMs: TapeMs, afterMs: TapeMs, afterId: number, limit: number]

const statements = perWorld(({ db }) => {
  const fills = `${FROM_FILLS} where f.trader = ?1 and f.timeMs between`
  return {
    latest: FILL_SELECT.prepare<
      [trader: number, instrument: number | null, atMs: TapeMs, limit: number]
    >(
      db,
      `${FROM_FILLS} where f.trader = ?1 and (?2 is null or f.instrument = ?2) and f.timeMs <= ?3
       order by f.timeMs desc, f.id desc limit ?4`,
    ),
    ofOrder: FILL_SELECT.prepare<[oid: number, atMs: TapeMs]>(
      db,
      `${FROM_FILLS} where f.oid = ? and f.timeMs <= ? order by f.timeMs, f.id`,
    ),
    newest: FILL_SELECT.prepare<Span>(
      db,
      `${fills} ?2 and ?3 and (f.timeMs < ?3 or f.id < ?4)
       order by f.timeMs desc, f.id desc limit ?5`,
    ),
    oldest: FILL_SELECT.prepare<Span>(
      db,
      `${fills} ?3 and ?2 and (f.timeMs > ?3 or f.id > ?4)
       order by f.timeMs, f.id limit ?5`,
    ),
    oldestKept: columns({ timeMs: fill.timeMs }).prepare<
      [trader: number, atMs: TapeMs, newer: number]
    >(
      db,
      `from fill where trader = ? and timeMs <= ? order by timeMs desc, id desc limit 1 offset ?`,
    ),
  }
})
