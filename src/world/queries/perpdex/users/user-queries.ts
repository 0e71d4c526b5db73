/** One account, as the venue itself describes it. */

import { sql } from 'drizzle-orm'
import { type TapeMs, tapeMs } from '../../../../clock/instant.ts'
import { oneSlice, type Slices } from '../../../../clock/turns.ts'
import type { TimeRange, UsersFacts } from '../../../../contract/facts/perpdex/users.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type { FundingPayment } from '../../../../contract/records/funding.ts'
import type { LedgerUpdate } from '../../../../contract/records/ledger.ts'
import type { HistoricalOrder, OrderStatus } from '../../../../contract/records/order-history.ts'
import type { SpotState } from '../../../../contract/records/spot-state.ts'
import { raw, type Usd, ZERO } from '../../../../decimal/quantity.ts'
import { format } from '../../../../decimal/scaled.ts'
import { bigintText, NATIVE_DECIMALS } from '../../../formatting/decimal-text.ts'
import { perWorld } from '../../../per-world.ts'
import { columns, present } from '../../../rows/columns.ts'
import { FILL_SELECT, FROM_FILLS, fillRecords } from '../../../rows/fill-rows.ts'
import { chargeDelayMs } from '../../../rows/funding-charges.ts'
import { LEDGER_ENTRIES, ledgerUpdate } from '../../../rows/ledger-rows.ts'
import { spotBalances } from '../../../rows/spot-balances.ts'
import { tradersOf } from '../../../rows/traders.ts'
import { fill, ledger, MONEY_DECIMALS, usdText } from '../../../schema.ts'
import type { World } from '../../../world.ts'
import { activeAsset } from './active-asset.ts'
import { fundingPayments } from './funding-payments.ts'
import { orderHistory, orderStatus } from './order-history.ts'
import { portfolioOf } from './portfolio.ts'
import { userFees } from './user-fees.ts'

export class UserQueries implements UsersFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  isKnown(address: string): boolean {
    const trader = this.find(address)
    if (trader === null) return false
    const { atMs } = this.moment
    return statements(this.world).activity.get(trader, atMs, trader, atMs)?.any === 1
  }

  spot(address: string): SpotState {
    const balances = spotBalances(this.world, address, this.moment.atMs)
    return {
      balances: balances.map(({ coin, token, decimals, total, hold, cost }) => ({
        coin,
        token,
        total: format(total, decimals, NATIVE_DECIMALS),
        hold: format(hold, decimals, NATIVE_DECIMALS),
        entryNtl: usdText(cost, NATIVE_DECIMALS),
      })),
    }
  }

  fees(address: string) {
    return userFees(this.world, this.moment, address)
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

  funding(address: string, span: TimeRange, limit: number): Slices<FundingPayment[]> {
    const trader = this.find(address)
    if (trader === null) return oneSlice(() => [])
    const delayMs = chargeDelayMs(this.moment)
    return fundingPayments(this.world, trader, this.spanOf(span), delayMs, limit)
  }

  ledger(address: string, span: TimeRange, limit: number): LedgerUpdate[] {
    const trader = this.find(address)
    if (trader === null) return []
    const rows = statements(this.world).entries.all(trader, ...this.spanOf(span), limit)
    return rows.map(ledgerUpdate)
  }

  netDeposits(address: string): string {
    const trader = this.find(address)
    const { deposits } = statements(this.world)
    const row = trader === null ? null : deposits.get(trader, this.moment.atMs)
    return usdText(row?.sum ?? ZERO, NATIVE_DECIMALS)
  }

  portfolio(address: string) {
    return portfolioOf(this.world, this.moment, address)
  }

  twapSlices(address: string, limit: number) {
    const trader = this.find(address)
    if (trader === null) return []
    const rows = statements(this.world).slices.all(trader, this.moment.atMs, limit)
    const { user } = fillRecords(this.world)
    return rows.map((row) => ({ fill: user(row), twapId: row.twap }))
  }

  activeAsset(address: string, coin: string) {
    const instrument = this.world.byCoin.get(coin)
    if (instrument?.kind !== 'perp') return null
    return activeAsset(this.world, address, instrument, this.moment)
  }

  rateLimit(address: string) {
    const trader = this.find(address)
    const { atMs } = this.moment
    const { volume: traded, orders } = statements(this.world)
    const row = trader === null ? null : traded.get(trader, atMs)
    const volume = BigInt(raw(row?.sum ?? ZERO))
    return {
      cumVlm: bigintText(volume, MONEY_DECIMALS, NATIVE_DECIMALS),
      nRequestsUsed: (trader === null ? null : orders.get(trader, atMs))?.count ?? 0,
      // A first allowance, and one more for each dollar.
      nRequestsCap: 10_000 + Number(volume / 1_000_000n),
      nRequestsSurplus: 0,
    }
  }

  private find(address: string): number | null {
    return tradersOf(this.world).find(address)?.id ?? null
  }

  private spanOf({ startTimeMs = 0, endTimeMs }: TimeRange): [TapeMs, TapeMs] {
    const { atMs } = this.moment
    return [tapeMs(startTimeMs), tapeMs(Math.min(endTimeMs ?? atMs, atMs))]
  }
}

const ACTIVITY = columns({
  any: sql<0 | 1>`exists (select 1 from fill where trader = ? and timeMs <= ?)
    or exists (select 1 from ledger where trader = ? and timeMs <= ?)`,
})
const DEPOSITS = columns({ sum: sql<Usd>`coalesce(sum(${ledger.usd}), 0)` })
const VOLUME = columns({ sum: sql<Usd>`coalesce(sum(${fill.notional}), 0)` })
const COUNT = columns({ count: sql<number>`count(*)` })
const SLICES = columns({ ...FILL_SELECT.names, twap: present(FILL_SELECT.names.twap) })

type OfTrader = [trader: number, atMs: TapeMs]

const statements = perWorld(({ db }) => ({
  activity: ACTIVITY.prepare<[...OfTrader, ...OfTrader]>(db, ''),
  entries: LEDGER_ENTRIES.prepare<[trader: number, fromMs: TapeMs, toMs: TapeMs, limit: number]>(
    db,
    `from ledger where trader = ? and timeMs between ? and ? and hidden = 0
     order by timeMs, id limit ?`,
  ),
  deposits: DEPOSITS.prepare<OfTrader>(db, 'from ledger where trader = ? and timeMs <= ?'),
  slices: SLICES.prepare<[...OfTrader, limit: number]>(
    db,
    `${FROM_FILLS} where f.trader = ? and f.timeMs <= ? and f.twap is not null
     order by f.timeMs desc, f.id desc limit ?`,
  ),
  volume: VOLUME.prepare<OfTrader>(db, 'from fill where trader = ? and timeMs <= ?'),
  orders: COUNT.prepare<OfTrader>(db, 'from orders where trader = ? and timeMs <= ?'),
}))
