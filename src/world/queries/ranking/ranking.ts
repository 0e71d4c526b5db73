/** Traders compared and searched, out of the same rows as their states and fills. */
import type { Page, SmartQuery } from '../../../contract/facts/traders.ts'
import type { Facts, Moment } from '../../../contract/facts.ts'
import type { DiscoverQuery } from '../../../contract/records/discovered.ts'
import type { Account, Statistics } from '../../../contract/records/trader.ts'
import { isRefusal } from '../../../contract/refusal.ts'
import type { World } from '../../world.ts'
import { pnlCurveOf } from '../curves/pnl-points.ts'
import { periodStart } from '../rounds/closed.ts'
import { tradersOf } from '../traders.ts'
import { searched } from '../warming.ts'
import { accountRow, statisticsRow } from './account-row.ts'
import { discover } from './discover.ts'
import { NO_ROUNDS, roundSums } from './rounds.ts'
import { type Smart, smartMoney } from './smart.ts'
import { Snapshots } from './snapshot.ts'

type Asked = Facts['traders']

export class Ranking implements Asked {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  accounts(addresses: string[]): Account[] {
    const { find } = tradersOf(this.world)
    const snapshots = new Snapshots(this.world, this.moment, addresses.length)
    return addresses.map((address) =>
      accountRow(this.moment, address.toLowerCase(), snapshots.of(find(address))),
    )
  }

  statistics(addresses: string[], days: number, hasPnlList: boolean): Statistics[] {
    const { find } = tradersOf(this.world)
    const { atMs } = this.moment
    const sums = roundSums(this.world, periodStart(days, atMs), atMs)
    return this.accounts(addresses).map((account) => {
      const id = find(account.address)?.id ?? -1
      const pnlList = hasPnlList ? this.pnlList(id, days) : null
      return statisticsRow(account, sums.get(id) ?? NO_ROUNDS, pnlList)
    })
  }

  smart(query: SmartQuery): Statistics[] | Page<Statistics> {
    searched(this.world)
    const found = smartMoney(this.world, this.moment, query)
    const { pageNum, pageSize } = query
    const list = found
      .slice((pageNum - 1) * pageSize, pageNum * pageSize)
      .map((one) => this.smartRow(one, query))
    if (this.moment.answers['smart-find-form'] === 'list') return list
    return { list, total: found.length, pageNum, pageSize }
  }

  discover(query: DiscoverQuery) {
    searched(this.world)
    return discover(this.world, this.moment, query)
  }

  discoverAt(timeMs: number | undefined, query: DiscoverQuery) {
    const atMs = Math.min(timeMs ?? this.moment.atMs, this.moment.atMs)
    const found = discover(this.world, { ...this.moment, atMs }, query)
    if (isRefusal(found)) return found
    return { ...found, list: found.list.map((one) => ({ ...one, time: atMs })) }
  }

  private smartRow({ trader, snapshot, sums }: Smart, query: SmartQuery): Statistics {
    const pnlList = query.pnlList ? this.pnlList(trader.id, query.period) : null
    return statisticsRow(accountRow(this.moment, trader.address, snapshot), sums, pnlList)
  }

  private pnlList(trader: number, days: number) {
    const { world, moment } = this
    return pnlCurveOf(world, moment, trader, { days, scope: 'all', form: 'list' })
  }
}
