/** Equity of traders at a moment, for one or for all. */

import { sql } from 'drizzle-orm'
import { DAY_MS, type TapeMs, tapeMs } from '../../../../clock/instant.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type { PnlCurve } from '../../../../contract/records/completed-trade.ts'
import type { TraderAccount, TraderStatistics } from '../../../../contract/records/trader-search.ts'
import {
  add,
  greater,
  raw,
  subtract,
  sum,
  type Usd,
  usd,
  ZERO,
} from '../../../../decimal/quantity.ts'
import { positionValue } from '../../../accounting/position.ts'
import { fractionText } from '../../../formatting/decimal-text.ts'
import {
  AccountStateReader,
  type AccountSummary,
  accountSummaryOf,
} from '../../../rows/account-state.ts'
import { columns } from '../../../rows/columns.ts'
import type { Place } from '../../../rows/funding-charges.ts'
import { markPx } from '../../../rows/mark-prices.ts'
import { savingsSum } from '../../../rows/savings.ts'
import { isUnified } from '../../../rows/spot-balances.ts'
import { packedRows } from '../../../rows/step-series.ts'
import { accountOn, traderHistories } from '../../../rows/trader-histories.ts'
import { type Trader, tradersOf } from '../../../rows/traders.ts'
import { type AccountMode, fill, orders, usdText } from '../../../schema/schema.ts'
import { periodStart, wholeStep } from '../../../shown-time/time-grid.ts'
import { Cache, perWorld } from '../../../world/cache.ts'
import type { World } from '../../../world/world.ts'
import { type EquityCurve, equityCurve } from '../pnl-curves/equity-curve.ts'
import type { ClosedPositionSums } from './closed-position-sums.ts'

// Position rows in groups, each in row order.

/** Row indexes, group by group. */
interface PositionGroups {
  /** Start of each group; the next start is the end. One more than there are groups. */
  firsts: Uint32Array
  places: Uint32Array
}

/** Groups rows by whole numbers from 0 on. */
export function positionGroups(groups: Float64Array): PositionGroups {
  const largest = groups.reduce((most, group) => Math.max(most, group), -1)
  const firsts = new Uint32Array(largest + 2)
  for (const group of groups) firsts[group + 1] = (firsts[group + 1] as number) + 1
  for (let at = 1; at < firsts.length; at++)
    firsts[at] = (firsts[at] as number) + (firsts[at - 1] as number)
  const next = firsts.slice()
  const places = new Uint32Array(groups.length)
  groups.forEach((group, place) => {
    const at = next[group] as number
    places[at] = place
    next[group] = at + 1
  })
  return { firsts, places }
}

/** First index from `low` on whose value is at least `least`; `high` when there is none. */
export function firstFrom(values: Float64Array, least: number, low: number, high: number): number {
  let [from, end] = [low, high]
  while (from < end) {
    const middle = (from + end) >>> 1
    if ((values[middle] as number) < least) from = middle + 1
    else end = middle
  }
  return from
}

/** Sharpe ratio of a trader, with a risk-free rate of zero. */
const DAYS_A_YEAR = 365
/** Minimum number of returns; a week or two hardly have more. */
const RETURNS_MIN = { ofWeeks: 5, otherwise: 15 }
const WEEKS_DAYS = 15

/**
 * Mean over standard deviation of daily returns up to the last shown midnight, over so many days or
 * all, times the root of the days of a year; null with fewer than 15 (five where at most 15 days
 * are requested), or while they are all the same.
 */
export function sharpeRatio(
  world: World,
  moment: Moment,
  trader: number,
  days: number,
): number | null {
  const midnightMs = wholeStep(moment.atMs, moment.shiftMs, DAY_MS)
  const curve = equityCurve(world, moment, trader, DAY_MS, periodStart(days, midnightMs))
  const isShort = days > 0 && days <= WEEKS_DAYS
  const least = isShort ? RETURNS_MIN.ofWeeks : RETURNS_MIN.otherwise
  // A young account has the same curve in a week and in a month.
  return ratiosOf(world).get(`${curve.key} ${least}`, () => ratioOf(dailyReturns(curve), least))
}

/** Of finished days, which are cached. */
const CACHE_LIMIT = 10_000
const ratiosOf = perWorld(() => new Cache<string, number | null>(CACHE_LIMIT))

function ratioOf(returns: readonly number[], least: number): number | null {
  const count = returns.length
  if (count < least) return null
  const mean = returns.reduce((sum, one) => sum + one, 0) / count
  const variance = returns.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (count - 1)
  if (variance === 0) return null
  return roundRatio((mean / Math.sqrt(variance)) * Math.sqrt(DAYS_A_YEAR))
}

const roundRatio = (value: number) => Math.round(value * 10_000) / 10_000

/**
 * PnL of each day over the equity before it plus its deposits; days without equity are left out.
 */
function dailyReturns(curve: EquityCurve): number[] {
  const { values, paidIn } = curve.totals()
  const returns: number[] = []
  for (let at = 1; at < curve.count; at++) {
    const [before, after] = [values[at - 1] as number, values[at] as number]
    const added = (paidIn[at] as number) - (paidIn[at - 1] as number)
    const base = before + Math.max(added, 0)
    if (base > 0) returns.push((after - before - added) / base)
  }
  return returns
}

// Written accounts and statistics (the service's documentation, Account and Statistics).

/** Net value of an account: spot less debts, what is saved, and the equity on the main dex. */
export const netValueOf = ({ main, spot, savings }: TraderSnapshot) =>
  sum([main.all.accountValue, spot.dollars, spot.tokens, savings])

/**
 * Spot value as it is shown, without debts: the balances of the spot account, which on unified
 * margin hold the equity of the main dex.
 */
export function shownSpotOf({ main, spot, mode }: TraderSnapshot, moment: Moment): Usd {
  const { dollars, tokens } = spot
  const all = isUnified({ mode }, moment) ? add(dollars, main.all.accountValue) : dollars
  return add(greater(all, ZERO), tokens)
}

/** Position value over equity on the main dex; "0" without equity. */
export function leverageText({ main: { all } }: TraderSnapshot): string {
  return ratioText(raw(all.totalNtlPos), raw(all.accountValue))
}

/** Margin used over equity on the main dex; "0" without equity. */
export function usageText({ main: { all } }: TraderSnapshot): string {
  return ratioText(raw(greater(all.totalMarginUsed, ZERO)), raw(all.accountValue))
}

/** Row of an account. */
export function accountRecord(
  moment: Moment,
  address: string,
  snapshot: TraderSnapshot,
): TraderAccount {
  const { main, builder, lastActivityMs } = snapshot
  return {
    address,
    builderPerpValue: usdText(builder),
    currentPosition: main.positions.length,
    effLeverage: leverageText(snapshot),
    // Before the first operation, 0 is shown.
    lastOperationAt: lastActivityMs ?? -moment.shiftMs,
    leverage: null,
    marginUsage: usdText(main.all.totalMarginUsed),
    marginUsageRate: usageText(snapshot),
    perpValue: usdText(main.all.accountValue),
    spotValue: usdText(shownSpotOf(snapshot, moment)),
    totalValue: usdText(netValueOf(snapshot)),
  }
}

/** Row of an account with sums of positions closed in a period. */
export function statisticsRecord(
  account: TraderAccount,
  sums: ClosedPositionSums,
  pnlList: PnlCurve | null,
): TraderStatistics {
  const { count, wins, longCount, longWins, pnl, longPnl, heldMs } = sums
  return {
    ...account,
    avgHoldingSec: count === 0 ? 0 : Math.floor(heldMs / count / 1000),
    longPnl: usdText(longPnl),
    longWr: ratioText(longWins, longCount),
    pnlList,
    positions: count,
    profitPositions: wins,
    realizedPnl: usdText(pnl),
    shortPnl: usdText(subtract(pnl, longPnl)),
    shortWr: ratioText(wins - longWins, count - longCount),
    winRate: ratioText(wins, count),
  }
}

function ratioText(part: number, whole: number): string {
  return whole <= 0 ? '0' : fractionText(BigInt(part), BigInt(whole))
}

// Value of spot accounts.

/** Micro-dollars; dollars are negative where they are owed. */
interface SpotValue {
  dollars: Usd
  tokens: Usd
}

/** Cash, and tokens at the mark price or else the last one. */
function spotValue(world: World, trader: number, atMs: TapeMs): SpotValue {
  const history = traderHistories(world).of(trader)
  const account = accountOn(history, 'spot')
  if (!account) return NO_SPOT
  const dollars = usd(account.cash.at(atMs) ?? 0)
  let worth: Usd = ZERO
  for (const holding of history.holdings) {
    const { instrument } = holding
    if (instrument.kind !== 'spot') continue
    const balance = holding.sz(holding.lastUpTo(atMs))
    const px = markPx(world, instrument, atMs) ?? ZERO
    worth = add(worth, positionValue(balance, px, instrument))
  }
  return { dollars, tokens: worth }
}

const NO_SPOT: SpotValue = { dollars: ZERO, tokens: ZERO }

/** A trader's equity, read lazily. */
export interface TraderSnapshot {
  /** The account on the main dex. */
  readonly main: AccountSummary
  /** Equity on all builder dexes. */
  readonly builder: Usd
  readonly spot: SpotValue
  /** Staked tokens and vault shares. */
  readonly savings: Usd
  readonly mode: AccountMode
  /** When the newest order was placed; null before the first. */
  readonly lastOrderMs: TapeMs | null
  /** Newest order placed or fill; null before the first. */
  readonly lastActivityMs: TapeMs | null
}

/** Reads snapshots as of one moment, each trader once. Valid for that moment only. */
export class TraderSnapshots {
  private readonly atMs: TapeMs
  private readonly accountStates: AccountStateReader
  private readonly known = new Map<number, TraderSnapshot>()

  constructor(
    private readonly world: World,
    place: Place,
  ) {
    this.atMs = place.atMs
    this.accountStates = new AccountStateReader(world, place)
  }

  /** An account of zeros for an unknown trader. */
  of(trader: Trader | undefined): TraderSnapshot {
    if (!trader) return EMPTY_SNAPSHOT
    const known = this.known.get(trader.id)
    if (known) return known
    const snapshot = new LazySnapshot(this, trader)
    this.known.set(trader.id, snapshot)
    return snapshot
  }

  account(trader: number, dex: string): AccountSummary {
    return accountSummaryOf(this.accountStates.readTrader(trader, dex) ?? EMPTY_STATE)
  }

  builder(trader: number): Usd {
    const equity = (dex: string) => this.account(trader, dex).all.accountValue
    return sum(builderDexesOf(this.world).map(equity))
  }

  spot(trader: number): SpotValue {
    return spotValue(this.world, trader, this.atMs)
  }

  savings(trader: number): Usd {
    return savingsSum(this.world, trader, this.atMs)
  }

  newest(of: 'order' | 'fill', trader: number): TapeMs | null {
    return statements(this.world)[of].get(trader, this.atMs)?.timeMs ?? null
  }
}

class LazySnapshot implements TraderSnapshot {
  private values: { -readonly [Name in keyof TraderSnapshot]?: TraderSnapshot[Name] } = {}

  constructor(
    private readonly from: TraderSnapshots,
    private readonly trader: Trader,
  ) {}

  get main(): AccountSummary {
    this.values.main ??= this.from.account(this.trader.id, '')
    return this.values.main
  }

  get builder(): Usd {
    this.values.builder ??= this.from.builder(this.trader.id)
    return this.values.builder
  }

  get spot(): SpotValue {
    this.values.spot ??= this.from.spot(this.trader.id)
    return this.values.spot
  }

  get savings(): Usd {
    this.values.savings ??= this.from.savings(this.trader.id)
    return this.values.savings
  }

  get mode(): AccountMode {
    return this.trader.mode
  }

  get lastOrderMs(): TapeMs | null {
    if (this.values.lastOrderMs === undefined)
      this.values.lastOrderMs = this.from.newest('order', this.trader.id)
    return this.values.lastOrderMs
  }

  get lastActivityMs(): TapeMs | null {
    if (this.values.lastActivityMs === undefined)
      this.values.lastActivityMs = latest(
        this.lastOrderMs,
        this.from.newest('fill', this.trader.id),
      )
    return this.values.lastActivityMs
  }
}

/** Traders with any activity so far. */
export function activeTraders(world: World, atMs: TapeMs): Trader[] {
  const firstMs = firstActivity(world)
  return tradersOf(world).list.filter(
    ({ id }) => (firstMs.get(id) ?? Number.POSITIVE_INFINITY) <= atMs,
  )
}

const EMPTY_STATE = { cash: ZERO, holdings: [] }
const EMPTY_SNAPSHOT: TraderSnapshot = {
  main: accountSummaryOf(EMPTY_STATE),
  builder: ZERO,
  spot: NO_SPOT,
  savings: ZERO,
  mode: 'separated',
  lastOrderMs: null,
  lastActivityMs: null,
}

function latest(a: TapeMs | null, b: TapeMs | null): TapeMs | null {
  return a === null || b === null ? (a ?? b) : tapeMs(Math.max(a, b))
}

const builderDexesOf = perWorld(({ instruments }) => [
  ...new Set(instruments.map(({ dex }) => dex).filter((dex) => dex !== '')),
])

type At = [trader: number, atMs: TapeMs]
type Span = [afterMs: TapeMs, toMs: TapeMs]
const FIRSTS = columns({ trader: sql<number>`r.trader`, timeMs: sql<TapeMs>`min(r.timeMs)` })

const statements = perWorld(({ db }) => {
  const newest = 'where trader = ? and timeMs <= ? order by timeMs desc limit 1'
  const span = 'timeMs > ? and timeMs <= ?'
  return {
    order: columns({ timeMs: orders.timeMs }).prepare<At>(db, `from orders ${newest}`),
    fill: columns({ timeMs: fill.timeMs }).prepare<At>(db, `from fill ${newest}`),
    firsts: FIRSTS.prepare<[...Span, ...Span]>(
      db,
      `from (select trader, timeMs from fill where ${span}
       union all select trader, timeMs from ledger where ${span}) r group by r.trader`,
    ),
  }
})

/** Time of each trader's first row. */
const firstActivity = (world: World) => firstRows(world).firsts

const firstRows = perWorld(
  (world) => {
    const firsts = new Map<number, number>()
    for (const { data, first, length } of packedRows(world).sections('firsts', 0))
      for (let at = first; at < first + length; at += 2)
        if ((data[at + 1] as number) <= world.packedEndMs)
          firsts.set(data[at] as number, data[at + 1] as number)
    return withLater(world, firsts, world.packedEndMs)
  },
  ({ firsts, endMs }, world) => withLater(world, firsts, endMs),
)

/** Adds the traders without activity up to an instant. */
function withLater(world: World, firsts: Map<number, number>, afterMs: TapeMs) {
  const { endMs } = world
  if (afterMs < endMs)
    for (const { trader, timeMs } of statements(world).firsts.all(afterMs, endMs, afterMs, endMs))
      if (!firsts.has(trader)) firsts.set(trader, timeMs)
  return { firsts, endMs }
}
