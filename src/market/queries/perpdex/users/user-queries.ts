/** One account, as the venue itself describes it. */

import { sql } from 'drizzle-orm'
import { DAY_MS } from '../../../../clock/durations.ts'
import { shownAt, shownMs, type TapeMs, tapeAt, tapeMs } from '../../../../clock/instant.ts'
import { oneSlice, type Slices } from '../../../../clock/turns.ts'
import type { TimeRange, UsersFacts } from '../../../../contract/facts/perpdex/users.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type { ActiveAsset } from '../../../../contract/records/asset-context.ts'
import type { FeeSchedule, UserFees } from '../../../../contract/records/fees.ts'
import type { FundingPayment } from '../../../../contract/records/funding.ts'
import type { LedgerUpdate } from '../../../../contract/records/ledger.ts'
import type { HistoricalOrder, OrderStatus } from '../../../../contract/records/order-history.ts'
import type { SpotState } from '../../../../contract/records/spot-state.ts'
import {
  add,
  type FeeRate,
  feeRate,
  greater,
  type Px,
  raw,
  type Sz,
  subtract,
  sz,
  times,
  type Usd,
  ZERO,
} from '../../../../decimal/quantity.ts'
import { format, parse, pow10 } from '../../../../decimal/scaled.ts'
import { rateOn } from '../../../accounting/fees.ts'
import { initialMargin } from '../../../accounting/margin.ts'
import { bigintText, NATIVE_DECIMALS } from '../../../formatting/decimal-text.ts'
import { type AccountHolding, AccountStateReader } from '../../../rows/account-state.ts'
import {
  type AccountSummary,
  accountSummaryOf,
  type ValuedPosition,
} from '../../../rows/account-summary.ts'
import { nativeLeverage } from '../../../rows/account-text.ts'
import { columns, present } from '../../../rows/columns.ts'
import { FILL_SELECT, FROM_FILLS, fillRecords } from '../../../rows/fill-rows.ts'
import { chargeDelayMs, type Place } from '../../../rows/funding-charges.ts'
import { LEDGER_ENTRIES, ledgerUpdate } from '../../../rows/ledger-rows.ts'
import { markPx } from '../../../rows/mark-prices.ts'
import { spotBalances } from '../../../rows/spot-balances.ts'
import { tradeHoursOf } from '../../../rows/trade-hours.ts'
import { tradersOf } from '../../../rows/traders.ts'
import {
  FEE_DECIMALS,
  fill,
  type InstrumentRow,
  ledger,
  MONEY_DECIMALS,
  pxText,
  szText,
  trader,
  usdText,
} from '../../../schema/schema.ts'
import { Cache } from '../../../world/cache.ts'
import { perWorld } from '../../../world/per-world.ts'
import type { World } from '../../../world/world.ts'
import { fundingPayments } from './funding-payments.ts'
import { orderHistory, orderStatus } from './order-history.ts'
import { portfolioOf } from './portfolio.ts'

// What an account pays, and the volumes of the last days beside it.

/** The rates of an unknown address are those of the schedule. */
function* userFees(world: World, moment: Moment, address: string): Slices<UserFees> {
  const known = tradersOf(world).find(address)
  const { taker, maker } = (known && rates(world).get(known.id, moment.atMs)) ?? USUAL
  return {
    dailyUserVlm: yield* volumeDays(world, moment, known?.id ?? null),
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
    activeStakingDiscount: { bpsOfMaxSupply: '0.0', discount: '0.0' },
  }
}

const USUAL = { taker: feeRate(450), maker: feeRate(150) }
const SPOT = { kind: 'spot', dex: '' } as const

const rateText = (rate: FeeRate) => format(raw(rate), FEE_DECIMALS, NATIVE_DECIMALS)

const DAYS = 15

/** Days of the clock that clients are shown, oldest first. */
function* volumeDays(
  world: World,
  { atMs, shiftMs }: Moment,
  trader: number | null,
): Slices<UserFees['dailyUserVlm']> {
  const today = Math.floor(shownAt(atMs, shiftMs) / DAY_MS)
  const first = today - DAYS + 1
  const startOf = (day: number) => tapeAt(shownMs(day * DAY_MS), shiftMs)
  const own = trader === null ? [] : volumes(world).all(shiftMs, trader, startOf(first), atMs)
  const ownText = (day: number, crossed: boolean) => {
    const row = own.find((one) => one.day === day && one.crossed === crossed)
    return bigintText(BigInt(raw(row?.volume ?? ZERO)), MONEY_DECIMALS, NATIVE_DECIMALS)
  }
  const days: UserFees['dailyUserVlm'] = []
  for (let day = first; day <= today; day++) {
    const startMs = startOf(day)
    const toMs = tapeMs(Math.min(startMs + DAY_MS, atMs + 1))
    const total = yield* marketVolume(world)(startMs, toMs)
    days.push({
      date: new Date(day * DAY_MS).toISOString().slice(0, 10),
      userCross: ownText(day, true),
      userAdd: ownText(day, false),
      exchange: bigintText(total, MONEY_DECIMALS, NATIVE_DECIMALS),
    })
  }
  return days
}

/** Days whose volume is cached. */
const CACHE_LIMIT = 500

/** Turnover of all instruments between two instants, micro-dollars; whole days are cached. */
const marketVolume = perWorld((world) => {
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

/** The venue's schedule; spot costs as much more as it is charged. */
const SCHEDULE: FeeSchedule = {
  ...crossAndAdd('0.00045', '0.00015'),
  tiers: {
    vip: [
      { ntlCutoff: '5000000.0', ...crossAndAdd('0.0004', '0.00012') },
      { ntlCutoff: '25000000.0', ...crossAndAdd('0.00035', '0.00008') },
      { ntlCutoff: '100000000.0', ...crossAndAdd('0.0003', '0.00004') },
      { ntlCutoff: '500000000.0', ...crossAndAdd('0.00028', '0.0') },
      { ntlCutoff: '2000000000.0', ...crossAndAdd('0.00026', '0.0') },
      { ntlCutoff: '7000000000.0', ...crossAndAdd('0.00024', '0.0') },
    ],
    mm: [
      { makerFractionCutoff: '0.005', add: '-0.00001' },
      { makerFractionCutoff: '0.015', add: '-0.00002' },
      { makerFractionCutoff: '0.03', add: '-0.00003' },
    ],
  },
  referralDiscount: '0.04',
  stakingDiscountTiers: [
    ...[
      ['0.0', '0.0'],
      ['0.0001', '0.05'],
      ['0.001', '0.1'],
      ['0.01', '0.15'],
      ['0.1', '0.2'],
      ['1.0', '0.3'],
      ['5.0', '0.4'],
    ].map(([bpsOfMaxSupply = '', discount = '']) => ({ bpsOfMaxSupply, discount })),
  ],
}

function crossAndAdd(cross: string, add: string) {
  const ofSpot = (text: string) => rateText(rateOn(SPOT, feeRate(parse(text, FEE_DECIMALS))))
  return { cross, add, spotCross: ofSpot(cross), spotAdd: ofSpot(add) }
}

const RATES = columns({ taker: trader.takerRate, maker: trader.makerRate })

const rates = perWorld(({ db }) =>
  RATES.prepare<[trader: number, atMs: TapeMs]>(db, 'from trader where id = ? and joinMs <= ?'),
)

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

// What an account may trade of a perpetual.

/** The venue's leverage where an account has set none; less where the coin allows less. */
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

/** Margin behind a buy and a sell: what closes a position frees its margin, and may turn it. */
function sideMargins(
  { cross }: AccountSummary,
  position: ValuedPosition | undefined,
): [buy: Usd, sell: Usd] {
  const free = greater<Usd>(ZERO, subtract(cross.accountValue, cross.totalMarginUsed))
  if (!position) return [free, free]
  const turned = add(free, times(initialMargin(position.value, position.leverage), 2))
  return position.sz > ZERO ? [free, turned] : [turned, free]
}

/** The size that a margin is enough for. */
function sizeFor(margin: Usd, leverage: number, px: Px, of: InstrumentRow): Sz {
  const scale = of.pxDecimals + of.szDecimals - MONEY_DECIMALS
  const [up, down] = scale >= 0 ? [pow10(scale), 1] : [1, pow10(-scale)]
  const notional = BigInt(raw(margin)) * BigInt(leverage) * BigInt(up)
  return sz(Number(notional / (BigInt(raw(px)) * BigInt(down))))
}

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
