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
  const latest = (columns: string, table: string) =>
    db.query<AccountRow, [number, number]>(
      `select timeMs, id, cashAfter, ${columns} from ${table}
       where account = ? and timeMs <= ? order by timeMs desc, id desc limit 1`,
    )
  const fills = latest('realisedAfter', 'fill')
  const entries = latest('0 as realisedAfter', 'ledger')
  for (const { id, trader, dex } of accounts.all(numbers.last.account)) {
    const agent = agents.get(trader)
    if (!agent) throw new Error(`account ${id} has no trader`)
    const [fill, entry] = [fills.get(id, atMs), entries.get(id, atMs)]
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

interface AccountRow {
  timeMs: number
  id: number
  cashAfter: Usd
  realisedAfter: Usd
}

const isLater = (a: AccountRow, b: AccountRow) =>
  a.timeMs > b.timeMs || (a.timeMs === b.timeMs && a.id > b.id)
