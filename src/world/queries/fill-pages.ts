/**
 * The latest fills of a trader, in the simple form. What is past never changes, so a page is
 * written once and given again until another fill has come: clients ask the same thing often.
 */
import type { Fill } from '../../contract/records/fill.ts'
import { Cache } from '../cache.ts'
import type { World } from '../world.ts'
import { fillWriter, SIMPLE_FILLS, type SimpleValues } from './fill-rows.ts'
import { perWorld } from './per-world.ts'

/** Fills that are kept ready, over all pages. */
const KEPT = 100_000

/** Oldest first, frozen; of one instrument, or of all for null. */
export function latestFills(
  world: World,
  trader: number,
  instrument: number | null,
  atMs: number,
  limit: number,
): readonly Fill[] {
  const { newest, newestOf } = statements(world)
  const [last] =
    instrument === null ? newest.values(trader, atMs) : newestOf.values(trader, instrument, atMs)
  if (!last) return []
  const id = last[0] as number
  const pages = pagesOf(world)
  const key = `${trader}/${instrument ?? ''}/${limit}`
  const known = pages.find(key)
  if (known?.newest === id) return known.fills
  const fills = Object.freeze(read(world, trader, instrument, atMs, limit))
  pages.put(key, { newest: id, fills })
  return fills
}

interface Page {
  /** fill.id of the last one. */
  newest: number
  fills: readonly Fill[]
}

const pagesOf = perWorld(() => new Cache<string, Page>(KEPT, ({ fills }) => fills.length))

function read(
  world: World,
  trader: number,
  instrument: number | null,
  atMs: number,
  limit: number,
): Fill[] {
  const { page, pageOf } = statements(world)
  const rows =
    instrument === null
      ? page.values(trader, atMs, limit)
      : pageOf.values(trader, instrument, atMs, limit)
  return (rows as SimpleValues[]).reverse().map(fillWriter(world).simple)
}

const statements = perWorld(({ db }) => {
  const of = 'f.trader = ? and f.instrument = ? and f.timeMs <= ?'
  const any = 'f.trader = ? and f.timeMs <= ?'
  const newestFirst = 'order by f.timeMs desc, f.id desc'
  return {
    newest: db.prepare(`select f.id from fill f where ${any} ${newestFirst} limit 1`),
    newestOf: db.prepare(`select f.id from fill f where ${of} ${newestFirst} limit 1`),
    page: db.prepare(`${SIMPLE_FILLS} where ${any} ${newestFirst} limit ?`),
    pageOf: db.prepare(`${SIMPLE_FILLS} where ${of} ${newestFirst} limit ?`),
  }
})
