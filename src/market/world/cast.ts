/**
 * The cast: accounts, coins and ids that can be queried at a moment, a sandbox's test card numbers.
 */

import { alias } from 'drizzle-orm/sqlite-core'
import { shownAt, type TapeMs } from '../../clock/instant.ts'
import type { Moment } from '../../contract/facts.ts'
import { INDICATOR_KEYS } from '../../contract/records/indicator.ts'
import { dbKeys } from '../exchanges/exchanges.ts'
import { newsIdsAt } from '../queries/content/content-queries.ts'
import { indexKeys } from '../queries/market-index/market-index-queries.ts'
import { STOCK_LISTINGS, tickerOf } from '../queries/stock/stock-listings.ts'
import { coinsOf } from '../rows/coins.ts'
import { columns, present } from '../rows/columns.ts'
import { tradersOf } from '../rows/traders.ts'
import {
  builder,
  orders,
  PERSONAS,
  type Persona,
  position,
  type Role,
  trader,
  twap,
} from '../schema/schema.ts'
import { perWorld } from './cache.ts'
import { worldAsOf } from './market-standing.ts'
import type { World } from './world.ts'

/** Roles named in the cast. */
const ROLES = ['whale', 'maker', 'scalper', 'twap', 'liquidated', 'builderUser', 'quiet'] as const

/** Values for queries; times are in shown time, ms. */
export interface Cast {
  coins: string[]
  /** dbKeys of the depth endpoints. */
  symbols: string[]
  coinKeys: string[]
  indexKeys: string[]
  stockTickers: string[]
  indicatorKeys: string[]
  newsIds: number[]
  /** The persona `whale`, and the most active of each other role; null while it has not traded. */
  addresses: Record<(typeof ROLES)[number], string | null>
  /** Traders that exist in every world; null where the tape has no perpetual of the main dex. */
  personas: Record<Persona, { address: string; about: string } | null>
  /** The newest of each sort. */
  oids: { open: number[]; filled: number[]; cancelled: number[] }
  twapIds: number[]
  builders: string[]
  openPositions: { address: string; coin: string }[]
  completedPositions: { address: string; coin: string; openTime: number; closeTime: number }[]
}

/** The cast as of a moment. Lists are newest first and short. */
export function castOf(whole: World, moment: Moment): Cast {
  const { atMs } = moment
  const world = worldAsOf(whole, atMs)
  const ask = statements(world)
  const personas = personasOf(world)
  // One name means one account.
  const { whale } = personas
  const oids = (rows: { oid: number }[]) => rows.map(({ oid }) => oid)
  return {
    coins: world.listed.map(({ coin }) => coin),
    symbols: dbKeys(world),
    coinKeys: [...coinsOf(world).keys()],
    indexKeys: indexKeys(world, moment),
    stockTickers: STOCK_LISTINGS.map(tickerOf),
    indicatorKeys: [...INDICATOR_KEYS],
    newsIds: newsIdsAt(world, atMs, LIST_MAX),
    addresses: { ...addressesAt(world, atMs), ...(whale ? { whale: whale.address } : {}) },
    personas,
    oids: {
      open: oids(ask.openOids.all(atMs, atMs, LIST_MAX)),
      filled: oids(ask.ended.all(atMs, 'filled', LIST_MAX)),
      cancelled: oids(ask.ended.all(atMs, 'canceled', LIST_MAX)),
    },
    twapIds: ask.twaps.all(LIST_MAX, atMs).map(({ id }) => id),
    builders: ask.builders.all(atMs).map(({ address }) => address),
    ...positionsAt(world, moment),
  }
}

/** Length of a list. */
const LIST_MAX = 10
/** Number of recent fills that determine activity. */
const RECENT_FILLS = 300

function addressesAt(world: World, atMs: TapeMs): Cast['addresses'] {
  const rows = statements(world).active.all(atMs, RECENT_FILLS)
  const found = (role: Role) =>
    rows.find((row) => row.role === role)?.address ?? lastOf(world, role, atMs)
  return Object.fromEntries(ROLES.map((role) => [role, found(role)])) as Cast['addresses']
}

/** Trader of a role with the newest fill, for roles without recent ones. */
function lastOf(world: World, role: Role, atMs: TapeMs): string | null {
  return statements(world).lastOfRole.get(role, atMs)?.address ?? null
}

function personasOf(world: World): Cast['personas'] {
  const addresses = new Map(
    statements(world)
      .personas.all()
      .map(({ persona, address }) => [persona, address]),
  )
  const entries = Object.entries(PERSONAS).map(([name, about]) => {
    const address = addresses.get(name as Persona)
    return [name, address === undefined ? null : { address, about }]
  })
  return Object.fromEntries(entries) as Cast['personas']
}

function positionsAt(world: World, { atMs, shiftMs }: Moment) {
  const { openPositions, completed } = statements(world)
  const { address } = tradersOf(world)
  const coin = (id: number) => world.instruments[id]?.coin ?? ''
  const open = openPositions.all(atMs, atMs, LIST_MAX)
  const closed = completed.all(atMs, LIST_MAX)
  return {
    openPositions: open.map((row) => ({
      address: address(row.trader),
      coin: coin(row.instrument),
    })),
    completedPositions: closed.map((row) => ({
      address: address(row.trader),
      coin: coin(row.instrument),
      openTime: shownAt(row.openMs, shiftMs),
      closeTime: shownAt(row.closeMs, shiftMs),
    })),
  }
}

const [t, b, w] = [alias(trader, 't'), alias(builder, 'b'), alias(twap, 'w')]
const OIDS = columns({ oid: orders.oid })
const OPEN = columns({ trader: position.trader, instrument: position.instrument })
const CLOSED = columns({
  ...OPEN.names,
  openMs: position.openMs,
  closeMs: present(position.closeMs),
})

const statements = perWorld(({ db }) => ({
  active: columns({ address: t.address, role: t.role }).prepare<[atMs: TapeMs, lately: number]>(
    db,
    `from (select trader from fill where timeMs <= ? order by timeMs desc, id desc limit ?) f
     join trader t on t.id = f.trader group by t.id order by count(*) desc, t.id`,
  ),
  personas: columns({ address: t.address, persona: present(t.persona) }).prepare<[]>(
    db,
    'from trader t where t.persona is not null',
  ),
  lastOfRole: columns({ address: t.address }).prepare<[role: Role, atMs: TapeMs]>(
    db,
    `from trader t join fill f on f.trader = t.id
     where t.role = ? and f.timeMs <= ? order by f.timeMs desc, f.id desc limit 1`,
  ),
  openOids: OIDS.prepare<[atMs: TapeMs, same: TapeMs, limit: number]>(
    db,
    `from orders where timeMs <= ? and (endMs is null or endMs > ?)
     order by timeMs desc, oid desc limit ?`,
  ),
  ended: OIDS.prepare<[atMs: TapeMs, endStatus: 'filled' | 'canceled', limit: number]>(
    db,
    `from orders where endMs <= ? and endStatus = ? order by endMs desc, oid desc limit ?`,
  ),
  twaps: columns({ id: w.id }).prepare<[limit: number, atMs: TapeMs]>(
    db,
    `from twap w where w.timeMs <= ?2 and exists
     (select 1 from fill f where f.twap = w.id and f.timeMs <= ?2)
     order by w.timeMs desc, w.id desc limit ?1`,
  ),
  builders: columns({ address: b.address }).prepare<[atMs: TapeMs]>(
    db,
    `from builder b where exists
     (select 1 from fill f where f.builder = b.id and f.timeMs <= ?) order by b.id`,
  ),
  openPositions: OPEN.prepare<[atMs: TapeMs, same: TapeMs, limit: number]>(
    db,
    `from position where openMs <= ? and (closeMs is null or closeMs > ?)
     order by openMs desc, id desc limit ?`,
  ),
  completed: CLOSED.prepare<[atMs: TapeMs, limit: number]>(
    db,
    'from position where closeMs <= ? order by closeMs desc, id desc limit ?',
  ),
}))
