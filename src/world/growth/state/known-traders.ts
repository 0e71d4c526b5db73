import type { Agent, Builder, KnownAgent } from '../../casting/agents/agent.ts'
import type { CastingContext } from '../../casting/casting-context.ts'
import type { Database } from '../../database.ts'

/** Takes in the traders and front ends that the rows know at an instant; by trader.id. */
export function restoreTraders(
  db: Database,
  { agents }: CastingContext,
  atMs: number,
): ReadonlyMap<number, Agent> {
  agents.restoreBuilders(
    db.query<Builder, []>('select id, address, rate from builder order by id').all(),
  )
  const brought = db.query<{ usd: number }, [number, number]>(
    `select usd from ledger l where trader = ? and timeMs <= ? and type = 'deposit'
     and (select dex from account where id = l.account) = '' order by timeMs, id limit 1`,
  )
  const known = db.query<Omit<KnownAgent, 'wealthUsd'>, []>(
    `select id, address, role, joinMs, takerRate, makerRate, builder, persona
     from trader order by id`,
  )
  const byId = new Map<number, Agent>()
  for (const row of known.all()) {
    const wealthUsd = brought.get(row.id, atMs)?.usd ?? null
    byId.set(row.id, agents.restore(Object.assign(row, { wealthUsd })))
  }
  return byId
}
