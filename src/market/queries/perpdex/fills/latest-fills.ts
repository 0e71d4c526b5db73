/**
 * The latest fills of a trader, in the simple form. What is past never changes, so a page is
 * written once and given again until another fill has come: clients ask the same thing often.
 */

import { alias } from 'drizzle-orm/sqlite-core'
import type { TapeMs } from '../../../../clock/instant.ts'
import type { Fill } from '../../../../contract/records/fill.ts'
import { columns } from '../../../rows/columns.ts'
import { fillRecords, SIMPLE_FILL_SELECT } from '../../../rows/fill-rows.ts'
import { fill } from '../../../schema/schema.ts'
import { Cache } from '../../../world/cache.ts'
import { perWorld } from '../../../world/per-world.ts'
import type { World } from '../../../world/world.ts'

/** Fills that are kept ready, over all pages. */
const CACHE_LIMIT = 100_000

/** Oldest first, frozen; of one instrument, or of all for null. */
export function latestFills(
  world: World,
  trader: number,
  instrument: number | null,
  atMs: TapeMs,
  limit: number,
): readonly Fill[] {
  const { newest, newestOf } = statements(world)
  const last =
    instrument === null ? newest.get(trader, atMs) : newestOf.get(trader, instrument, atMs)
  if (!last) return []
  const { id } = last
  const pages = pagesOf(world)
  const key = `${trader}/${instrument ?? ''}/${limit}`
  const known = pages.find(key)
  if (known?.newest === id) return known.fills
  const fills = Object.freeze(readFills(world, trader, instrument, atMs, limit))
  pages.put(key, { newest: id, fills })
  return fills
}

interface FillPage {
  /** fill.id of the last one. */
  newest: number
  fills: readonly Fill[]
}

const pagesOf = perWorld(
  () => new Cache<string, FillPage>(CACHE_LIMIT, ({ fills }) => fills.length),
)

function readFills(
  world: World,
  trader: number,
  instrument: number | null,
  atMs: TapeMs,
  limit: number,
): Fill[] {
  const { page, pageOf } = statements(world)
  const rows =
    instrument === null
      ? page.all(trader, atMs, limit)
      : pageOf.all(trader, instrument, atMs, limit)
  return rows.reverse().map(fillRecords(world).simple)
}

const ID = columns({ id: alias(fill, 'f').id })
type Of = [trader: number, atMs: TapeMs]
type OfCoin = [trader: number, instrument: number, atMs: TapeMs]

const statements = perWorld(({ db }) => {
  const of = 'f.trader = ? and f.instrument = ? and f.timeMs <= ?'
  const any = 'f.trader = ? and f.timeMs <= ?'
  const newestFirst = 'order by f.timeMs desc, f.id desc'
  return {
    newest: ID.prepare<Of>(db, `from fill f where ${any} ${newestFirst} limit 1`),
    newestOf: ID.prepare<OfCoin>(db, `from fill f where ${of} ${newestFirst} limit 1`),
    page: SIMPLE_FILL_SELECT.prepare<[...Of, limit: number]>(
      db,
      `from fill f where ${any} ${newestFirst} limit ?`,
    ),
    pageOf: SIMPLE_FILL_SELECT.prepare<[...OfCoin, limit: number]>(
      db,
      `from fill f where ${of} ${newestFirst} limit ?`,
    ),
  }
})
