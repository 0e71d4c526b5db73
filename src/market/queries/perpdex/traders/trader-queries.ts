/** Traders compared and searched, from the same rows as their states and fills. */

import { tapeMs } from '../../../../clock/instant.ts'
import type { Slices } from '../../../../clock/turns.ts'
import type {
  FoundTraders,
  Page,
  SmartMoneyQuery,
  TradersFacts,
} from '../../../../contract/facts/perpdex/traders.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type {
  TraderAccount,
  TraderSearchQuery,
  TraderStatistics,
} from '../../../../contract/records/trader-search.ts'
import { isRefusal } from '../../../../contract/refusal.ts'
import { tradersOf } from '../../../rows/traders.ts'
import { periodStart } from '../../../shown-time/time-grid.ts'
import type { World } from '../../../world/world.ts'
import { pnlCurveRecord } from '../pnl-curves/pnl-curve.ts'
import { closedPositionSums } from './closed-position-sums.ts'
import { type SmartTrader, smartMoney } from './smart-money.ts'
import { requestWarming, searchTraders } from './trader-search.ts'
import { accountRecord, statisticsRecord, TraderSnapshots } from './trader-snapshot.ts'

export class TraderQueries implements TradersFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  accounts(addresses: string[]): TraderAccount[] {
    const { find } = tradersOf(this.world)
    const snapshots = new TraderSnapshots(this.world, this.moment)
    return addresses.map((address) =>
      accountRecord(this.moment, address.toLowerCase(), snapshots.of(find(address))),
    )
  }

  statistics(addresses: string[], days: number, hasPnlList: boolean): TraderStatistics[] {
    const { find } = tradersOf(this.world)
    const { atMs } = this.moment
    const sumsOf = closedPositionSums(this.world, periodStart(days, atMs), atMs)
    return this.accounts(addresses).map((account) => {
      const id = find(account.address)?.id ?? -1
      const pnlList = hasPnlList ? this.pnlList(id, days) : null
      return statisticsRecord(account, sumsOf(id), pnlList)
    })
  }

  *smartMoney(query: SmartMoneyQuery): Slices<TraderStatistics[] | Page<TraderStatistics>> {
    requestWarming(this.world, this.moment)
    const found = yield* smartMoney(this.world, this.moment, query)
    const { pageNum, pageSize } = query
    const list: TraderStatistics[] = []
    for (const one of found.slice((pageNum - 1) * pageSize, pageNum * pageSize)) {
      yield
      list.push(this.smartRow(one, query))
    }
    if (this.moment.answers['smart-find-form'] === 'list') return list
    return { list, total: found.length, pageNum, pageSize }
  }

  discover(query: TraderSearchQuery) {
    const search = searchTraders(this.world, this.moment, query)
    return isRefusal(search) ? search : this.warmedAfter(search)
  }

  discoverAt(timeMs: number | undefined, query: TraderSearchQuery) {
    const atMs = Math.min(timeMs ?? this.moment.atMs, this.moment.atMs)
    const search = searchTraders(this.world, { ...this.moment, atMs: tapeMs(atMs) }, query)
    return isRefusal(search) ? search : timedTraders(search, atMs)
  }

  /** Not earlier, or the first search would wait for data that only later ones need. */
  private *warmedAfter(search: Slices<FoundTraders>): Slices<FoundTraders> {
    const found = yield* search
    requestWarming(this.world, this.moment)
    return found
  }

  private smartRow(
    { trader, snapshot, sums }: SmartTrader,
    query: SmartMoneyQuery,
  ): TraderStatistics {
    const pnlList = query.pnlList ? this.pnlList(trader.id, query.period) : null
    return statisticsRecord(accountRecord(this.moment, trader.address, snapshot), sums, pnlList)
  }

  private pnlList(trader: number, days: number) {
    const { world, moment } = this
    return pnlCurveRecord(world, moment, trader, { days, scope: 'all', form: 'list' })
  }
}

function* timedTraders(search: Slices<FoundTraders>, time: number) {
  const { list, total } = yield* search
  return { list: list.map((one) => ({ ...one, time })), total }
}

// Smart money: accounts with large equity on the main dex, sorted.
