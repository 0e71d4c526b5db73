/** Traders by address and by id, and their accounts. Small tables, kept in memory. */
import { sql } from 'drizzle-orm'
import type { LedgerUpdate } from '../../contract/records/account-state.ts'
import type { FeeRate } from '../../decimal/quantity.ts'
import { account, builder, CROWD, ledger, trader } from '../schema/schema.ts'
import { perWorld } from '../world/cache.ts'
import { crowdAddress } from '../world/crowd-address.ts'
import type { World } from '../world/world.ts'
import { columns, type RowOf } from './columns.ts'

// Rows of the ledger table.

/** Columns of a written ledger entry. */
export const LEDGER_ENTRIES = columns({
  timeMs: ledger.timeMs,
  hash: ledger.hash,
  delta: ledger.delta,
})

/** A ledger row in the venue's form. */
export function ledgerUpdate({ timeMs, hash, delta }: RowOf<typeof LEDGER_ENTRIES>): LedgerUpdate {
  return { time: timeMs, hash, delta: JSON.parse(delta) }
}

const TRADERS = columns({
  id: trader.id,
  address: trader.address,
  role: trader.role,
  mode: trader.mode,
  master: trader.master,
})

/** The address is in lower case. */
export type Trader = RowOf<typeof TRADERS>

/** Traders of a world. */
export interface Traders {
  list: readonly Trader[]
  /** Any spelling of the address; undefined for an unknown one. */
  find(address: string): Trader | undefined
  /** Address of a trader's id. */
  address(id: number): string
  /** The same; for the crowd, whose addresses derive from order numbers. */
  addressOf(id: number, oid: number): string
  /** The account of a trader on a dex: `''`, `'xyz'` or `'spot'`; undefined for none. */
  accountOf(trader: number, dex: string): number | undefined
  /** The dex of an account's id. */
  dexOf(account: number): string
  /** Address and fee rate (10^-6) of a builder's id. */
  builder(id: number): { address: string; rate: FeeRate } | undefined
  /** Whether the list of traders and accounts is up to date. */
  isComplete(): boolean
}

export const tradersOf = perWorld<Traders>(
  (world) => readTraders(world),
  (known, world) => (known.isComplete() ? known : readTraders(world)),
)

function readTraders(world: World): Traders {
  const list = TRADERS.prepare<[]>(world.db, 'from trader order by id').all()
  const byAddress = new Map(list.map((one) => [one.address, one]))
  const byId = new Map(list.map((one) => [one.id, one.address]))
  const accounts = accountsOf(world)
  const builders = buildersOf(world)
  const newest = list.at(-1)?.id ?? 0
  return {
    list,
    find: (address) => byAddress.get(address) ?? byAddress.get(address.toLowerCase()),
    address: (id) => byId.get(id) ?? '',
    addressOf: (id, oid) => (id === CROWD ? crowdAddress(oid) : (byId.get(id) ?? '')),
    accountOf: (trader, dex) => accounts.ids.get(`${trader}/${dex}`),
    dexOf: (account) => accounts.dexes.get(account) ?? '',
    builder: (id) => builders.get(id),
    isComplete: () => {
      const now = newestIds(world).get()
      return (now?.trader ?? 0) === newest && (now?.account ?? 0) === accounts.newest
    },
  }
}

/** Ids ascend, so the greatest one shows growth: cheaper than a count. */
const newestIds = perWorld(({ db }) =>
  columns({
    trader: sql<number | null>`(select max(id) from trader)`,
    account: sql<number | null>`(select max(id) from account)`,
  }).prepare<[]>(db, ''),
)

function accountsOf(world: World) {
  const { id, trader, dex } = account
  const rows = columns({ id, trader, dex }).prepare<[]>(world.db, 'from account').all()
  return {
    newest: rows.reduce((most, { id }) => Math.max(most, id), 0),
    ids: new Map(rows.map(({ id, trader, dex }) => [`${trader}/${dex}`, id])),
    dexes: new Map(rows.map(({ id, dex }) => [id, dex])),
  }
}

function buildersOf(world: World) {
  const { id, address, rate } = builder
  const rows = columns({ id, address, rate }).prepare<[]>(world.db, 'from builder').all()
  return new Map(rows.map((row) => [row.id, row]))
}
