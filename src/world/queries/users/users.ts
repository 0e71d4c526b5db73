/** One account, as the venue itself tells of it. */

import type { TimeSpan } from '../../../contract/facts/users.ts'
import type { Facts, Moment } from '../../../contract/facts.ts'
import type { FundingPayment } from '../../../contract/records/funding.ts'
import type { LedgerUpdate } from '../../../contract/records/ledger.ts'
import type { HistoricalOrder, OrderStatus } from '../../../contract/records/order-history.ts'
import type { SpotState } from '../../../contract/records/spot-state.ts'
import { format } from '../../../decimal/scaled.ts'
import { MONEY_DECIMALS, usdText } from '../../schema.ts'
import type { World } from '../../world.ts'
import { LEDGER_COLUMNS, type LedgerValues, ledgerUpdate } from '../accounts.ts'
import { chargeDelayMs } from '../charges.ts'
import { FILLS, type FillValues, fillWriter } from '../fill-rows.ts'
import { perWorld } from '../per-world.ts'
import { spotBalances } from '../spot.ts'
import { tradersOf } from '../traders.ts'
import { NATIVE, wideText } from '../wording.ts'
import { activeAsset } from './active-asset.ts'
import { feesOf } from './fees.ts'
import { fundingPayments } from './funding-payments.ts'
import { orderHistory, orderStatus } from './order-history.ts'
import { portfolioOf } from './portfolio.ts'

type Asked = Facts['users']

export class Users implements Asked {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  isKnown(address: string): boolean {
    const trader = this.find(address)
    if (trader === null) return false
    const { atMs } = this.moment
    return statements(this.world).known.values(trader, atMs, trader, atMs)[0]?.[0] === 1
  }

  spot(address: string): SpotState {
    const balances = spotBalances(this.world, address, this.moment.atMs)
    return {
      balances: balances.map(({ coin, token, decimals, total, hold, cost }) => ({
        coin,
        token,
        total: format(total, decimals, NATIVE),
        hold: format(hold, decimals, NATIVE),
        entryNtl: usdText(cost, NATIVE),
      })),
    }
  }

  fees(address: string) {
    return feesOf(this.world, this.moment, address)
  }

  orderHistory(address: string, limit: number): HistoricalOrder[] {
    const trader = this.find(address)
    return trader === null ? [] : orderHistory(this.world, trader, this.moment, limit)
  }

  orderStatus(address: string, oid: number | string): OrderStatus {
    const trader = this.find(address)
    if (trader === null) return { status: 'unknownOid' }
    return orderStatus(this.world, trader, this.moment, oid)
  }

  funding(address: string, span: TimeSpan, limit: number): FundingPayment[] {
    const trader = this.find(address)
    if (trader === null) return []
    const delayMs = chargeDelayMs(this.moment)
    return fundingPayments(this.world, trader, this.spanOf(span), delayMs, limit)
  }

  ledger(address: string, span: TimeSpan, limit: number): LedgerUpdate[] {
    const trader = this.find(address)
    if (trader === null) return []
    const rows = statements(this.world).entries.values(trader, ...this.spanOf(span), limit)
    return (rows as LedgerValues[]).map(ledgerUpdate)
  }

  netDeposits(address: string): string {
    const trader = this.find(address)
    const sum = trader === null ? 0 : this.sum('deposits', trader)
    return usdText(sum, NATIVE)
  }

  portfolio(address: string) {
    return portfolioOf(this.world, this.moment, address)
  }

  twapSlices(address: string, limit: number) {
    const trader = this.find(address)
    if (trader === null) return []
    const { atMs } = this.moment
    const rows = statements(this.world).slices.values(trader, atMs, atMs, limit) as FillValues[]
    const { user } = fillWriter(this.world)
    return rows.map((row) => ({ fill: user(row), twapId: row[14] as number }))
  }

  activeAsset(address: string, coin: string) {
    const instrument = this.world.byCoin.get(coin)
    if (instrument?.kind !== 'perp') return null
    return activeAsset(this.world, address, instrument, this.moment)
  }

  rateLimit(address: string) {
    const trader = this.find(address)
    const volume = BigInt(trader === null ? 0 : this.sum('volume', trader))
    return {
      cumVlm: wideText(volume, MONEY_DECIMALS, NATIVE),
      nRequestsUsed: trader === null ? 0 : this.sum('orders', trader),
      // A first allowance, and one more for each dollar.
      nRequestsCap: 10_000 + Number(volume / 1_000_000n),
      nRequestsSurplus: 0,
    }
  }

  private find(address: string): number | null {
    return tradersOf(this.world).find(address)?.id ?? null
  }

  private spanOf({ startTimeMs = 0, endTimeMs }: TimeSpan): [number, number] {
    return [startTimeMs, Math.min(endTimeMs ?? this.moment.atMs, this.moment.atMs)]
  }

  private sum(of: 'deposits' | 'volume' | 'orders', trader: number): number {
    const rows = statements(this.world)[of].values(trader, this.moment.atMs) as [number][]
    return rows[0]?.[0] ?? 0
  }
}

const statements = perWorld(({ db }) => ({
  known: db.prepare(
    `select exists (select 1 from fill where trader = ? and timeMs <= ?)
     or exists (select 1 from ledger where trader = ? and timeMs <= ?)`,
  ),
  entries: db.prepare(
    `select ${LEDGER_COLUMNS} from ledger where trader = ? and timeMs between ? and ? and echo = 0
     order by timeMs, id limit ?`,
  ),
  deposits: db.prepare('select coalesce(sum(usd), 0) from ledger where trader = ? and timeMs <= ?'),
  slices: db.prepare(
    `${FILLS} where f.twap in (select id from twap where trader = ? and timeMs <= ?)
     and f.timeMs <= ? order by f.timeMs desc, f.id desc limit ?`,
  ),
  volume: db.prepare(
    'select coalesce(sum(notional), 0) from fill where trader = ? and timeMs <= ?',
  ),
  orders: db.prepare('select count(*) from orders where trader = ? and timeMs <= ?'),
}))
