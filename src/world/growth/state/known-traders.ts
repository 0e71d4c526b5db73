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
  const known = db.query<KnownAgent, [number]>(
    `select id, address, role, joinMs, takerRate, makerRate, builder, persona,
       (select usd from ledger l where trader = trader.id and timeMs <= ? and type = 'deposit'
         and (select dex from account where id = l.account) = '' order by timeMs, id limit 1)
       as wealthUsd
     from trader order by id`,
  )
  const byId = new Map<number, Agent>()
  for (const row of known.all(atMs)) byId.set(row.id, agents.restore(row))
  return byId
}
