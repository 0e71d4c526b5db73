/** Who is who: traders by address and by id, and their purses. Small tables, kept in memory. */
import type { World } from '../world.ts'
import { perWorld } from './per-world.ts'

export interface Trader {
  id: number
  /** Lower case. */
  address: string
  role: string
}

/** Traders of a world. */
export interface Traders {
  list: readonly Trader[]
  /** Any spelling of the address; undefined for one that never appears. */
  find(address: string): Trader | undefined
  /** Address of a trader's id. */
  address(id: number): string
  /** The purse of a trader on a dex: `''`, `'xyz'` or `'spot'`; undefined when there is none. */
  accountOf(trader: number, dex: string): number | undefined
  /** Address and fee rate (10^-6) of a builder's id. */
  builder(id: number): { address: string; rate: number } | undefined
}

export const tradersOf = perWorld<Traders>((world) => {
  const list = world.db.query<Trader, []>('select id, address, role from trader order by id').all()
  const byAddress = new Map(list.map((one) => [one.address, one]))
  const byId = new Map(list.map((one) => [one.id, one.address]))
  const accounts = accountsOf(world)
  const builders = buildersOf(world)
  return {
    list,
    find: (address) => byAddress.get(address) ?? byAddress.get(address.toLowerCase()),
    address: (id) => byId.get(id) ?? '',
    accountOf: (trader, dex) => accounts.get(`${trader}/${dex}`),
    builder: (id) => builders.get(id),
  }
})

function accountsOf(world: World): Map<string, number> {
  type Row = { id: number; trader: number; dex: string }
  const rows = world.db.query<Row, []>('select id, trader, dex from account').all()
  return new Map(rows.map(({ id, trader, dex }) => [`${trader}/${dex}`, id]))
}

function buildersOf(world: World) {
  type Row = { id: number; address: string; rate: number }
  const rows = world.db.query<Row, []>('select id, address, rate from builder').all()
  return new Map(rows.map((row) => [row.id, row]))
}
