import { type Usd, ZERO } from '../../../decimal/quantity.ts'
import type { Agent } from '../../casting/agents/agent.ts'
import type { CastingContext } from '../../casting/casting-context.ts'
import type { SubAccount } from '../../casting/market/market-state.ts'
import type { Database } from '../../database.ts'

/** Takes in the accounts up to a number with what they own at an instant, but for holdings. */
export function restoreAccounts(
  db: Database,
  { ledger, numbers }: CastingContext,
  agents: ReadonlyMap<number, Agent>,
  atMs: number,
): void {
  const accounts = db.query<{ id: number; trader: number; dex: string }, [number]>(
    'select id, trader, dex from account where id <= ? order by id',
  )
  const fills = latestRows(db, 'realisedAfter', 'fill', atMs)
  const entries = latestRows(db, '0 as realisedAfter', 'ledger', atMs)
  for (const { id, trader, dex } of accounts.all(numbers.last.account)) {
    const agent = agents.get(trader)
    if (!agent) throw new Error(`account ${id} has no trader`)
    const [fill, entry] = [fills.get(id), entries.get(id)]
    const last = !fill || (entry && isLater(entry, fill)) ? entry : fill
    const account: SubAccount = {
      id,
      agent,
      dex,
      cash: last?.cashAfter ?? ZERO,
      realised: fill?.realisedAfter ?? ZERO,
      lastMs: last?.timeMs ?? agent.joinMs,
      holdings: [],
      awaitsLiquidation: false,
    }
    ledger.restore(account)
  }
}

/** The latest row of each account in a table. */
function latestRows(
  db: Database,
  columns: string,
  table: string,
  atMs: number,
): ReadonlyMap<number, AccountRow> {
  const rows = db.query<AccountRow, [number]>(
    `select last.account, timeMs, last.id, cashAfter, ${columns}
     from account a cross join ${table} last where last.id = (
       select id from ${table} where trader = a.trader and account = a.id and timeMs <= ?
       order by timeMs desc, id desc limit 1)`,
  )
  return new Map(rows.all(atMs).map((row) => [row.account, row]))
}

interface AccountRow {
  account: number
  timeMs: number
  id: number
  cashAfter: Usd
  realisedAfter: Usd
}

const isLater = (a: AccountRow, b: AccountRow) =>
  a.timeMs > b.timeMs || (a.timeMs === b.timeMs && a.id > b.id)
