/** One account in the venue's own form. */

import { sql } from 'drizzle-orm'
import {
  DAY_MS,
  later,
  shownAt,
  shownMs,
  type TapeMs,
  tapeAt,
  tapeMs,
} from '../../../../clock/instant.ts'
import { oneSlice, type Slices } from '../../../../clock/turns.ts'
import type { TimeRange, UsersFacts } from '../../../../contract/facts/perpdex/traders.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type {
  FeeSchedule,
  LedgerUpdate,
  SpotState,
  UserFees,
} from '../../../../contract/records/account-state.ts'
import type { ActiveAsset } from '../../../../contract/records/asset-context.ts'
import type { FundingPayment } from '../../../../contract/records/funding.ts'
import type { HistoricalOrder, OrderStatus } from '../../../../contract/records/order-history.ts'
import { spelledStatus } from '../../../../contract/responses/order-status.ts'
import {
  add,
  type FeeRate,
  format,
  greater,
  type Px,
  pow10,
  raw,
  type Sz,
  subtract,
  sz,
  times,
  type Usd,
  ZERO,
} from '../../../../decimal/quantity.ts'
import {
  BASE_RATES,
  FEE_DAYS,
  type FeeRates,
  MAKER_TIERS,
  rateOn,
  ratesFor,
  STAKING_TIERS,
  stakedBps,
  stakingDiscount,
  VOLUME_TIERS,
} from '../../../accounting/funding.ts'
import { initialMargin } from '../../../accounting/position.ts'
import { bigintText, NATIVE_DECIMALS } from '../../../formatting/decimal-text.ts'
import {
  type AccountHolding,
  AccountStateReader,
  type AccountSummary,
  accountSummaryOf,
  nativeLeverage,
  type ValuedPosition,
} from '../../../rows/account-state.ts'
import { columns, present } from '../../../rows/columns.ts'
import { FILL_SELECT, FROM_FILLS, fillRecords } from '../../../rows/fill-rows.ts'
import { chargeDelayMs, type Place } from '../../../rows/funding-charges.ts'
import { markPx } from '../../../rows/mark-prices.ts'
import { frontendOrder } from '../../../rows/order-rows.ts'
import { savingsAt, vaultOfWorld } from '../../../rows/savings.ts'
import { isUnified, shownBalances } from '../../../rows/spot-balances.ts'
import { tradeHoursOf } from '../../../rows/trade-hours.ts'
import { LEDGER_ENTRIES, ledgerUpdate, tradersOf } from '../../../rows/traders.ts'
import {
  FEE_DECIMALS,
  fill,
  type InstrumentRow,
  ledger,
  MONEY_DECIMALS,
  pxText,
  szText,
  usdText,
} from '../../../schema/schema.ts'
import { Cache, perMarket, perWorld } from '../../../world/cache.ts'
import { crowdAddress } from '../../../world/crowd-address.ts'
import type { World } from '../../../world/world.ts'
import { crowdOrderBy, crowdOrdersOf } from '../orders/market-orders.ts'
import { fundingPayments } from './funding-payments.ts'
import { orderHistory, orderStatus } from './order-history.ts'
import { portfolioOf } from './portfolio.ts'

// An account's fee rates, and the volumes of the last days.

/** An unknown address pays the rates of the schedule. */
function* userFees(world: World, moment: Moment, address: string): Slices<UserFees> {
  const known = tradersOf(world).find(address)
  const days = yield* volumeDays(world, moment, known?.id ?? null)
  // Today's volume counts from tomorrow on.
  const before = days.slice(-1 - FEE_DAYS, -1)
  const total = (of: 'cross' | 'add' | 'market') =>
    Number(before.reduce((sum, day) => sum + day[of], 0n))
  const staked = known ? savingsAt(world, known.id, moment.atMs).stakedTokens : 0
  const volumes = { crossed: total('cross'), added: total('add'), market: total('market') }
  const { taker, maker } = ratesFor({ ...volumes, staked })
  const money = (amount: bigint) => bigintText(amount, MONEY_DECIMALS, NATIVE_DECIMALS)
  return {
    dailyUserVlm: days.map(({ date, cross, add, market }) => ({
      date,
      userCross: money(cross),
      userAdd: money(add),
      exchange: money(market),
    })),
    feeSchedule: SCHEDULE,
    userCrossRate: rateText(taker),
    userAddRate: rateText(maker),
    userSpotCrossRate: rateText(rateOn(SPOT, taker)),
    userSpotAddRate: rateText(rateOn(SPOT, maker)),
    activeReferralDiscount: '0.0',
    trial: null,
    feeTrialEscrow: '0.0',
    nextTrialAvailableTimestamp: null,
    stakingLink: null,
    activeStakingDiscount: {
      bpsOfMaxSupply: decimalText(stakedBps(staked)),
      discount: decimalText(stakingDiscount(staked)),
    },
  }
}

const SPOT = { kind: 'spot', dex: '' } as const

const rateText = (rate: FeeRate) => format(raw(rate), FEE_DECIMALS, NATIVE_DECIMALS)

/** A fraction with as many decimals as it needs. */
const decimalText = (value: number) => format(Math.round(value * 1e10), 10, NATIVE_DECIMALS)

/** Today, and the days that decide what is paid today. */
const DAYS = FEE_DAYS + 1

/** Volume of a day, micro-dollars. */
interface VolumeDay {
  date: string
  cross: bigint
  add: bigint
  market: bigint
}

/** Days of shown time, oldest first. */
function* volumeDays(
  world: World,
  { atMs, shiftMs }: Moment,
  trader: number | null,
): Slices<VolumeDay[]> {
  const today = Math.floor(shownAt(atMs, shiftMs) / DAY_MS)
  const first = today - DAYS + 1
  const startOf = (day: number) => tapeAt(shownMs(day * DAY_MS), shiftMs)
  const own = trader === null ? [] : volumes(world).all(shiftMs, trader, startOf(first), atMs)
  const ownOf = (day: number, crossed: boolean) =>
    BigInt(raw(own.find((one) => one.day === day && one.crossed === crossed)?.volume ?? ZERO))
  const days: VolumeDay[] = []
  for (let day = first; day <= today; day++) {
    const startMs = startOf(day)
    const toMs = tapeMs(Math.min(startMs + DAY_MS, atMs + 1))
    const market = yield* marketVolume(world)(startMs, toMs)
    const date = new Date(day * DAY_MS).toISOString().slice(0, 10)
    days.push({ date, cross: ownOf(day, true), add: ownOf(day, false), market })
  }
  return days
}

/** Cached days of volume. */
const CACHE_LIMIT = 500

/**
 * Turnover of all instruments between two instants, micro-dollars; whole days are cached, for all
 * accounts of the market.
 */
const marketVolume = perMarket((world) => {
  const cached = new Cache<number, bigint>(CACHE_LIMIT)
  const hours = tradeHoursOf(world)
  return function* (fromMs: TapeMs, toMs: TapeMs): Slices<bigint> {
    const isWhole = toMs - fromMs === DAY_MS
    const known = isWhole ? cached.find(fromMs) : undefined
    if (known !== undefined) return known
    let all = 0n
    for (const { id } of world.instruments) {
      yield* hours.read(id, fromMs, toMs)
      yield
      all += hours.tally(id, fromMs, toMs).amount
    }
    return isWhole ? cached.put(fromMs, all) : all
  }
})

/** The venue's schedule; spot is scaled like its charges. */
const SCHEDULE: FeeSchedule = {
  ...crossAndAdd(BASE_RATES),
  tiers: {
    vip: VOLUME_TIERS.map(({ leastUsd, ...rates }) => ({
      ntlCutoff: leastUsd.toFixed(1),
      ...crossAndAdd(rates),
    })),
    mm: MAKER_TIERS.map(({ leastShare, maker }) => ({
      makerFractionCutoff: decimalText(leastShare),
      add: rateText(maker),
    })),
  },
  referralDiscount: '0.04',
  stakingDiscountTiers: STAKING_TIERS.map(({ leastBps, discount }) => ({
    bpsOfMaxSupply: decimalText(leastBps),
    discount: decimalText(discount),
  })),
}

function crossAndAdd({ taker, maker }: FeeRates) {
  const ofSpot = (rate: FeeRate) => rateText(rateOn(SPOT, rate))
  return {
    cross: rateText(taker),
    add: rateText(maker),
    spotCross: ofSpot(taker),
    spotAdd: ofSpot(maker),
  }
}

const VOLUMES = columns({
  day: sql<number>`(${fill.timeMs} + ?) / ${sql.raw(String(DAY_MS))}`,
  crossed: fill.crossed,
  volume: sql<Usd>`sum(${fill.notional})`,
})

const volumes = perWorld(({ db }) =>
  VOLUMES.prepare<[shiftMs: number, trader: number, fromMs: TapeMs, toMs: TapeMs]>(
    db,
    'from fill where trader = ? and timeMs between ? and ? group by 1, 2',
  ),
)

// Available size of a perpetual for an account.

/** The venue's default leverage, less where the coin's maximum is lower. */
const DEFAULT_LEVERAGE = 20

/** null without a price. */
function activeAsset(
  world: World,
  address: string,
  of: InstrumentRow,
  place: Place,
): ActiveAsset | null {
  const px = markPx(world, of, place.atMs)
  if (px === null) return null
  const accountState = new AccountStateReader(world, place).read(address, of.dex) ?? {
    cash: ZERO,
    holdings: [],
  }
  const account = accountSummaryOf(accountState)
  const position = account.positions.find(({ instrument }) => instrument === of)
  const holding = accountState.holdings.find(({ instrument }) => instrument === of)
  const leverage = holding?.leverage ?? Math.min(DEFAULT_LEVERAGE, of.maxLeverage)
  const available = sideMargins(account, position)
  return {
    user: address.toLowerCase(),
    coin: of.coin,
    leverage: leverageOf(position, holding, leverage),
    maxTradeSzs: [
      szText(of, sizeFor(available[0], leverage, px, of), NATIVE_DECIMALS),
      szText(of, sizeFor(available[1], leverage, px, of), NATIVE_DECIMALS),
    ],
    availableToTrade: [
      usdText(available[0], NATIVE_DECIMALS),
      usdText(available[1], NATIVE_DECIMALS),
    ],
    markPx: pxText(of, px, NATIVE_DECIMALS),
  }
}

function leverageOf(
  position: ValuedPosition | undefined,
  holding: AccountHolding | undefined,
  value: number,
): ActiveAsset['leverage'] {
  if (position) return nativeLeverage(position)
  return holding?.isolated ? { type: 'isolated', value, rawUsd: '0.0' } : { type: 'cross', value }
}

/** Available margin of a buy and a sell: closing a position frees its margin, and may flip it. */
function sideMargins(
  { cross }: AccountSummary,
  position: ValuedPosition | undefined,
): [buy: Usd, sell: Usd] {
  const free = greater<Usd>(ZERO, subtract(cross.accountValue, cross.totalMarginUsed))
  if (!position) return [free, free]
  const turned = add(free, times(initialMargin(position.value, position.leverage), 2))
  return position.sz > ZERO ? [free, turned] : [turned, free]
}

/** Size that a margin allows. */
function sizeFor(margin: Usd, leverage: number, px: Px, of: InstrumentRow): Sz {
  const scale = of.pxDecimals + of.szDecimals - MONEY_DECIMALS
  const [up, down] = scale >= 0 ? [pow10(scale), 1] : [1, pow10(-scale)]
  const notional = BigInt(raw(margin)) * BigInt(leverage) * BigInt(up)
  return sz(Number(notional / (BigInt(raw(px)) * BigInt(down))))
}

/** Shares of a vault cannot be sold so long. */
const VAULT_LOCK_MS = 4 * DAY_MS

export class UserQueries implements UsersFacts {
  /** @param market the world of the books, where `world` has the rows of one account */
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
    private readonly market: World = world,
  ) {}

  isKnown(address: string): boolean {
    const trader = this.find(address)
    if (trader === null) return false
    const { atMs } = this.moment
    return statements(this.world).activity.get(trader, atMs, trader, atMs)?.any === 1
  }

  masterOf(address: string): string | null {
    const traders = tradersOf(this.world)
    const master = traders.find(address)?.master ?? null
    return master === null ? null : traders.address(master)
  }

  subAccountsOf(address: string): string[] {
    const traders = tradersOf(this.world)
    const own = traders.find(address)
    if (!own) return []
    const all = traders.list.filter(({ master }) => master === own.id)
    return all.map((one) => one.address).filter((one) => this.isKnown(one))
  }

  isUnified(address: string): boolean {
    const trader = tradersOf(this.world).find(address)
    return trader !== undefined && this.isKnown(address) && isUnified(trader, this.moment)
  }

  savings(address: string): ReturnType<UsersFacts['savings']> {
    const trader = this.find(address)
    if (trader === null) return { stakedTokens: '0.0', vault: null }
    const { stakedTokens, invested, investedMs } = savingsAt(this.world, trader, this.moment.atMs)
    const vault = investedMs !== null && {
      vaultAddress: vaultOfWorld(this.world).address,
      equity: usdText(invested, NATIVE_DECIMALS),
      lockedUntilTimestamp: later(investedMs, VAULT_LOCK_MS),
    }
    return { stakedTokens: decimalText(stakedTokens), vault: vault || null }
  }

  *totalStaked(): Slices<number> {
    let total = 0
    for (const { id, address } of tradersOf(this.world).list) {
      if (this.isKnown(address)) total += savingsAt(this.world, id, this.moment.atMs).stakedTokens
      yield
    }
    return total
  }

  spot(address: string): SpotState {
    const resting = () => crowdOrdersOf(this.market, address, this.moment.atMs)
    const balances = shownBalances(this.world, address, this.moment, resting)
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
    const found = trader === null ? null : orderStatus(this.world, trader, this.moment, oid)
    return found?.status === 'order' ? found : this.crowdOrderStatus(address, oid)
  }

  /** Status of an order of the crowd that rests in a book. */
  private crowdOrderStatus(address: string, oid: number | string): OrderStatus {
    const isOwn = typeof oid === 'number' && crowdAddress(oid) === address.toLowerCase()
    const row = isOwn ? crowdOrderBy(this.market, oid, this.moment.atMs) : null
    if (!row) return { status: 'unknownOid' }
    const order = frontendOrder(this.market, row, ZERO)
    const status = spelledStatus(row.endStatus ?? 'open', 'native', this.moment.answers)
    return { status: 'order', order: { order, status, statusTimestamp: row.endMs ?? row.timeMs } }
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
      // A base allowance, and one more for each dollar.
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
