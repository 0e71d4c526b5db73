/** Who and what one can ask for, as of a moment: a sandbox's test card numbers (design, part 6). */
import type { Moment } from '../../contract/facts.ts'
import { INDICATOR_KEYS } from '../../contract/records/indicator.ts'
import type { Role } from '../schema.ts'
import type { World } from '../world.ts'
import { coinsOf } from './coins.ts'
import { newsIdsAt } from './content/content.ts'
import { indexKeys } from './indexes/indexes.ts'
import { dbKeys } from './pairs.ts'
import { perWorld } from './per-world.ts'
import { LISTINGS, tickerOf } from './stocks/listings.ts'
import { tradersOf } from './traders.ts'

/** Roles that a card names. */
const ROLES = ['whale', 'maker', 'scalper', 'twap', 'liquidated', 'builderUser', 'quiet'] as const

/** Everything here answers when asked for; times are those that clients are shown, ms. */
export interface Cast {
  coins: string[]
  /** dbKeys of the depth endpoints. */
  symbols: string[]
  coinKeys: string[]
  indexKeys: string[]
  stockTickers: string[]
  indicatorKeys: string[]
  newsIds: number[]
  /** The most active of each role; null while the role has not traded. */
  addresses: Record<(typeof ROLES)[number], string | null>
  /** The newest of each sort. */
  oids: { open: number[]; filled: number[]; cancelled: number[] }
  twapIds: number[]
  builders: string[]
  openPositions: { address: string; coin: string }[]
  completedPositions: { address: string; coin: string; openTime: number; closeTime: number }[]
}

/** The cast as of a moment. Lists are newest first and short. */
export function castOf(world: World, moment: Moment): Cast {
  const { atMs } = moment
  const ask = statements(world)
  const numbers = (rows: unknown[][]) => rows.map(([value]) => value as number)
  return {
    coins: world.instruments.map(({ coin }) => coin),
    symbols: dbKeys(world),
    coinKeys: [...coinsOf(world).keys()],
    indexKeys: indexKeys(world, moment),
    stockTickers: LISTINGS.map(tickerOf),
    indicatorKeys: [...INDICATOR_KEYS],
    newsIds: newsIdsAt(world, atMs, MANY),
    addresses: addressesAt(world, atMs),
    oids: {
      open: numbers(ask.openOids.values(atMs, atMs, MANY)),
      filled: numbers(ask.ended.values(atMs, 'filled', MANY)),
      cancelled: numbers(ask.ended.values(atMs, 'canceled', MANY)),
    },
    twapIds: numbers(ask.twaps.values(MANY, atMs)),
    builders: ask.builders.values(atMs).map(([address]) => address as string),
    ...positionsAt(world, moment),
  }
}

/** How long a list gets. */
const MANY = 10
/** Fills that are looked at to see who is active. */
const LATELY = 5_000

function addressesAt(world: World, atMs: number): Cast['addresses'] {
  const rows = statements(world).active.values(atMs, LATELY) as [string, Role][]
  const found = (role: Role) => rows.find(([, of]) => of === role)?.[0] ?? lastOf(world, role, atMs)
  return Object.fromEntries(ROLES.map((role) => [role, found(role)])) as Cast['addresses']
}

/** The trader of a role whose fill is the newest, for roles that have done nothing lately. */
function lastOf(world: World, role: Role, atMs: number): string | null {
  const row = statements(world).lastOfRole.values(role, atMs)[0] as [string] | undefined
  return row?.[0] ?? null
}

function positionsAt(world: World, { atMs, shiftMs }: Moment) {
  const { openPositions, completed } = statements(world)
  const { address } = tradersOf(world)
  const coin = (id: number) => world.instruments[id]?.coin ?? ''
  const open = openPositions.values(atMs, atMs, MANY) as [number, number][]
  const closed = completed.values(atMs, MANY) as [number, number, number, number][]
  return {
    openPositions: open.map(([trader, id]) => ({ address: address(trader), coin: coin(id) })),
    completedPositions: closed.map(([trader, id, openMs, closeMs]) => ({
      address: address(trader),
      coin: coin(id),
      openTime: openMs + shiftMs,
      closeTime: closeMs + shiftMs,
    })),
  }
}

const statements = perWorld(({ db }) => ({
  active: db.prepare(
    `select t.address, t.role from (select trader from fill where timeMs <= ?
     order by timeMs desc, id desc limit ?) f join trader t on t.id = f.trader
     group by t.id order by count(*) desc, t.id`,
  ),
  lastOfRole: db.prepare(
    `select t.address from trader t join fill f on f.trader = t.id
     where t.role = ? and f.timeMs <= ? order by f.timeMs desc, f.id desc limit 1`,
  ),
  openOids: db.prepare(
    `select oid from orders where timeMs <= ? and (endMs is null or endMs > ?)
     order by timeMs desc, oid desc limit ?`,
  ),
  ended: db.prepare(
    `select oid from orders where endMs <= ? and endStatus = ?
     order by endMs desc, oid desc limit ?`,
  ),
  twaps: db.prepare(
    `select w.id from twap w where w.timeMs <= ?2 and exists
     (select 1 from fill f where f.twap = w.id and f.timeMs <= ?2)
     order by w.timeMs desc, w.id desc limit ?1`,
  ),
  builders: db.prepare(
    `select b.address from builder b where exists
     (select 1 from fill f where f.builder = b.id and f.timeMs <= ?) order by b.id`,
  ),
  openPositions: db.prepare(
    `select trader, instrument from position where openMs <= ? and (closeMs is null or closeMs > ?)
     order by openMs desc, id desc limit ?`,
  ),
  completed: db.prepare(
    `select trader, instrument, openMs, closeMs from position where closeMs <= ?
     order by closeMs desc, id desc limit ?`,
  ),
}))
