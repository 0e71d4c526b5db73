/** Smart money: accounts with large equity on the main dex, sorted. */

import type { Slices } from '../../../../clock/turns.ts'
import type { SmartMoneyQuery, SmartMoneySort } from '../../../../contract/facts/perpdex/traders.ts'
import type { Moment } from '../../../../contract/facts.ts'
import { ratio, raw, usd } from '../../../../decimal/quantity.ts'
import type { Trader } from '../../../rows/traders.ts'
import { periodStart } from '../../../shown-time/time-grid.ts'
import type { World } from '../../../world/world.ts'
import { type ClosedPositionSums, closedPositionSums } from './closed-position-sums.ts'
import {
  activeTraders,
  netValueOf,
  type TraderSnapshot,
  TraderSnapshots,
} from './trader-snapshot.ts'

/** Minimum equity on the main dex. */
const EQUITY_MIN = usd(100_000_000_000)

export interface SmartTrader {
  trader: Trader
  snapshot: TraderSnapshot
  sums: ClosedPositionSums
}

/** All of them in the requested order; ties are broken by address. */
export function* smartMoney(
  world: World,
  moment: Moment,
  query: SmartMoneyQuery,
): Slices<SmartTrader[]> {
  const { atMs } = moment
  const traders = activeTraders(world, atMs)
  const snapshots = new TraderSnapshots(world, moment)
  const sumsOf = closedPositionSums(world, periodStart(query.period, atMs), atMs)
  const key = SORT_KEYS[query.sort]
  const found: SmartTrader[] = []
  for (const trader of traders) {
    yield
    const snapshot = snapshots.of(trader)
    if (snapshot.main.all.accountValue <= EQUITY_MIN) continue
    found.push({ trader, snapshot, sums: sumsOf(trader.id) })
  }
  return found
    .map((one) => ({ one, value: key(one) }))
    .sort((a, b) => b.value - a.value || compare(a.one.trader.address, b.one.trader.address))
    .map(({ one }) => one)
}

const SORT_KEYS: Record<SmartMoneySort, (of: SmartTrader) => number> = {
  'win-rate': ({ sums }) => (sums.count === 0 ? 0 : sums.wins / sums.count),
  'account-balance': ({ snapshot }) => raw(netValueOf(snapshot)),
  ROI: ({ sums, snapshot }) => ratio(sums.pnl, netValueOf(snapshot)),
  pnl: ({ sums }) => raw(sums.pnl),
  'position-count': ({ sums }) => sums.count,
  'profit-count': ({ sums }) => sums.wins,
  'last-operation': ({ snapshot }) => snapshot.lastActivityMs ?? 0,
  'avg-holding-period': ({ sums }) => (sums.count === 0 ? 0 : sums.heldMs / sums.count),
  'current-position': ({ snapshot }) => snapshot.main.positions.length,
}

/** Compares text by code units. */
export const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
