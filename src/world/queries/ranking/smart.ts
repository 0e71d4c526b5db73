/** Smart money: who has much on the main dex, sorted (public documentation). */
import type { SmartQuery, SmartSort } from '../../../contract/facts/traders.ts'
import type { Moment } from '../../../contract/facts.ts'
import type { World } from '../../world.ts'
import { periodStart } from '../rounds/closed.ts'
import type { Trader } from '../traders.ts'
import { totalOf } from './account-row.ts'
import { NO_ROUNDS, type RoundSums, roundSums } from './rounds.ts'
import { begunTraders, type Snapshot, Snapshots } from './snapshot.ts'

/** Equity on the main dex from which an account counts, micro-dollars. */
const LEAST = 100_000_000_000

export interface Smart {
  trader: Trader
  snapshot: Snapshot
  sums: RoundSums
}

/** All of them, sorted as asked; addresses decide between equals. */
export function smartMoney(world: World, moment: Moment, query: SmartQuery): Smart[] {
  const { atMs } = moment
  const traders = begunTraders(world, atMs)
  const snapshots = new Snapshots(world, moment, traders.length)
  const sums = roundSums(world, periodStart(query.period, atMs), atMs)
  const key = KEYS[query.sort]
  return traders
    .map((trader) => ({
      trader,
      snapshot: snapshots.of(trader),
      sums: sums.get(trader.id) ?? NO_ROUNDS,
    }))
    .filter(({ snapshot }) => snapshot.main.all.accountValue > LEAST)
    .map((one) => ({ one, value: key(one) }))
    .sort((a, b) => b.value - a.value || compare(a.one.trader.address, b.one.trader.address))
    .map(({ one }) => one)
}

const KEYS: Record<SmartSort, (of: Smart) => number> = {
  'win-rate': ({ sums }) => (sums.count === 0 ? 0 : sums.wins / sums.count),
  'account-balance': ({ snapshot }) => totalOf(snapshot),
  ROI: ({ sums, snapshot }) => sums.pnl / totalOf(snapshot),
  pnl: ({ sums }) => sums.pnl,
  'position-count': ({ sums }) => sums.count,
  'profit-count': ({ sums }) => sums.wins,
  'last-operation': ({ snapshot }) => snapshot.operatedMs ?? 0,
  'avg-holding-period': ({ sums }) => (sums.count === 0 ? 0 : sums.heldMs / sums.count),
  'current-position': ({ snapshot }) => snapshot.main.positions.length,
}

/** The usual order of text. */
export const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
