/** The state of a perpetual account at a moment: cash, positions, funding, prices. */

import type { TapeMs } from '../../clock/instant.ts'
import type { Slices } from '../../clock/turns.ts'
import {
  absolute,
  add,
  type FundingIndex,
  format,
  greater,
  mulDiv,
  type Px,
  portion,
  raw,
  type Sz,
  sign,
  subtract,
  sum,
  times,
  type Usd,
  usd,
  ZERO,
} from '../../decimal/quantity.ts'
import { fundingBetween } from '../accounting/funding.ts'
import {
  entryPx,
  initialMargin,
  isolatedMargin,
  liquidationPx,
  maintenanceMargin,
  positionValue,
  unrealisedPnl,
} from '../accounting/position.ts'
import { NATIVE_DECIMALS } from '../formatting/decimal-text.ts'
import { type InstrumentRow, MONEY_DECIMALS, pxText, szText, usdText } from '../schema/schema.ts'
import { perMarket } from '../world/cache.ts'
import type { World } from '../world/world.ts'
import { chargeDelayMs, indexAt, lateCharges, type Place } from './funding-charges.ts'
import { markPx } from './mark-prices.ts'
import { accountOn, type HoldingHistory, traderHistories } from './trader-histories.ts'
import { tradersOf } from './traders.ts'

// Sums of a perpetual account. All money in micro-dollars.

/** A position that is not flat. */
export interface ValuedPosition extends AccountHolding {
  /** At the mark, never negative. */
  value: Usd
  unrealised: Usd
  /** Cross: initial margin at its leverage. Isolated: the equity behind the position. */
  marginUsed: Usd
  /** Price units; null when no price above zero liquidates. */
  liquidationPx: Px | null
}

interface MarginSums {
  accountValue: Usd
  totalNtlPos: Usd
  /** Account value less signed position value. */
  totalRawUsd: Usd
  totalMarginUsed: Usd
}

export interface AccountSummary {
  positions: ValuedPosition[]
  /** Cross and isolated together, and cross alone. */
  all: MarginSums
  cross: MarginSums
  crossMaintenance: Usd
  withdrawable: Usd
}

/** The sums of an account: value = cash - funding paid + unrealised PnL. */
export function accountSummaryOf({ cash, holdings }: AccountState): AccountSummary {
  const open = holdings.filter(({ sz }) => sz !== ZERO).map(pricedHolding)
  const isolated = open.filter((one) => one.isolated)
  const crossed = open.filter((one) => !one.isolated)
  const fundingPaid = sum(holdings.map((one) => one.funding.allTime))
  const unrealised = sum(open.map((one) => one.unrealised))
  const accountValue = add(subtract(cash, fundingPaid), unrealised)
  const crossValue = subtract(accountValue, sum(isolated.map((one) => one.marginUsed)))
  const all = sumsOf(accountValue, open)
  const cross = sumsOf(crossValue, crossed)
  const crossMaintenance = sum(crossed.map(maintenance))
  // The venue reserves the larger of the initial margin and a tenth of the notional.
  const reserved = greater(cross.totalMarginUsed, portion(cross.totalNtlPos, 1, 10))
  const withdrawable = greater(ZERO, subtract(crossValue, reserved))
  const positions = open.map((one) => ({
    ...one,
    liquidationPx: liquidation(one, crossValue, crossMaintenance),
  }))
  return { positions, all, cross, crossMaintenance, withdrawable }
}

type PricedHolding = Omit<ValuedPosition, 'liquidationPx'>

function pricedHolding(holding: AccountHolding): PricedHolding {
  const { instrument, sz, cost, px, leverage, isolated, funding } = holding
  const value = positionValue(sz, px, instrument)
  const unrealised = unrealisedPnl({ sz, cost }, px, instrument)
  const marginUsed = isolated
    ? subtract(add(isolatedMargin(cost, leverage), unrealised), funding.sinceChange)
    : initialMargin(value, leverage)
  return { ...holding, value, unrealised, marginUsed }
}

function liquidation(one: PricedHolding, crossValue: Usd, crossMaintenance: Usd): Px | null {
  const { instrument, sz, px, isolated, marginUsed } = one
  if (isolated) return liquidationPx(sz, px, marginUsed, ZERO, instrument)
  const others = subtract(crossMaintenance, maintenance(one))
  return liquidationPx(sz, px, crossValue, others, instrument)
}

const maintenance = ({ value, instrument }: PricedHolding) =>
  maintenanceMargin(value, instrument.maxLeverage)

function sumsOf(accountValue: Usd, positions: readonly PricedHolding[]): MarginSums {
  const signed = sum(positions.map((one) => times(one.value, sign(one.sz))))
  return {
    accountValue,
    totalNtlPos: sum(positions.map((one) => one.value)),
    totalRawUsd: subtract(accountValue, signed),
    totalMarginUsed: sum(positions.map((one) => one.marginUsed)),
  }
}

// Accounts and positions in the venue's form.

/** Decimals of a return on equity. */
const RETURN_DECIMALS = 10

const moneyText = (money: Usd) => usdText(money, NATIVE_DECIMALS)

/** All of a state but the positions and the time. */
export function accountSummaryTexts({
  all,
  cross,
  crossMaintenance,
  withdrawable,
}: AccountSummary) {
  return {
    marginSummary: marginSummaryText(all),
    crossMarginSummary: marginSummaryText(cross),
    crossMaintenanceMarginUsed: moneyText(crossMaintenance),
    withdrawable: moneyText(withdrawable),
  }
}

function marginSummaryText({
  accountValue,
  totalNtlPos,
  totalRawUsd,
  totalMarginUsed,
}: MarginSums) {
  return {
    accountValue: moneyText(accountValue),
    totalNtlPos: moneyText(totalNtlPos),
    totalRawUsd: moneyText(totalRawUsd),
    totalMarginUsed: moneyText(totalMarginUsed),
  }
}

/** A position, with its leverage in the form of `nativeLeverage` or `perpLeverage`. */
export function writePosition<L>(one: ValuedPosition, leverage: L) {
  const { instrument: of, sz, cost, funding } = one
  // An average lies between ticks, so it is shown with one more decimal than prices have.
  const entry = entryPx(one, of.szDecimals, MONEY_DECIMALS, of.pxDecimals + 1)
  return {
    coin: of.coin,
    szi: szText(of, sz, NATIVE_DECIMALS),
    leverage,
    entryPx: format(entry, of.pxDecimals + 1, NATIVE_DECIMALS),
    positionValue: moneyText(one.value),
    unrealizedPnl: moneyText(one.unrealised),
    returnOnEquity: format(
      returnOnEquity(one.unrealised, cost, one.leverage),
      RETURN_DECIMALS,
      NATIVE_DECIMALS,
    ),
    liquidationPx:
      one.liquidationPx === null ? null : pxText(of, one.liquidationPx, NATIVE_DECIMALS),
    marginUsed: moneyText(one.marginUsed),
    maxLeverage: of.maxLeverage,
    cumFunding: {
      allTime: moneyText(funding.allTime),
      sinceOpen: moneyText(funding.sinceOpen),
      sinceChange: moneyText(funding.sinceChange),
    },
  }
}

/** The venue's form: raw dollars for isolated margin only. */
export function nativeLeverage(one: ValuedPosition): NativeLeverage {
  const value = one.leverage
  return one.isolated ? { type: 'isolated', value, rawUsd: rawUsd(one) } : { type: 'cross', value }
}

/** The service's form: null for the raw dollars of cross margin. */
export function perpLeverage(one: ValuedPosition): PerpLeverage {
  const type = one.isolated ? 'isolated' : 'cross'
  return { type, value: one.leverage, rawUsd: one.isolated ? rawUsd(one) : null }
}

type NativeLeverage = { type: 'cross' | 'isolated'; value: number; rawUsd?: string }
type PerpLeverage = { type: 'cross' | 'isolated'; value: number; rawUsd: string | null }

const rawUsd = ({ marginUsed, sz, value }: ValuedPosition) =>
  moneyText(subtract(marginUsed, times(value, sign(sz))))

/** PnL over the margin at entry, a fraction. */
function returnOnEquity(unrealised: Usd, cost: Usd, leverage: number): number {
  if (cost === ZERO) return 0
  return mulDiv(raw(unrealised), leverage * 10 ** RETURN_DECIMALS, raw(absolute(cost)))
}

/** One instrument that the trader has ever held, flat or not. Money in micro-dollars. */
export interface AccountHolding {
  instrument: InstrumentRow
  /** Signed size and cost. */
  sz: Sz
  cost: Usd
  leverage: number
  isolated: boolean
  /** Mark price, price units. */
  px: Px
  /** Funding paid up to the moment: ever, since opening, since the last change. */
  funding: { allTime: Usd; sinceOpen: Usd; sinceChange: Usd }
}

export interface AccountState {
  /** Net deposits, plus realised PnL, less fees; funding left out. */
  cash: Usd
  /** In the order of the instruments. */
  holdings: AccountHolding[]
}

/** Reads accounts as of one moment; prices and funding indexes are read once for all of them. */
export class AccountStateReader {
  private readonly quotes: PlaceQuotes
  private readonly atMs: TapeMs
  private readonly delayMs: number

  constructor(
    private readonly world: World,
    place: Place,
  ) {
    this.atMs = place.atMs
    this.delayMs = chargeDelayMs(place)
    this.quotes = placeQuotes(world)(place)
  }

  /** The perpetual account of an address on a dex; null without one. */
  read(address: string, dex: string): AccountState | null {
    const trader = tradersOf(this.world).find(address)
    return trader ? this.readTrader(trader.id, dex) : null
  }

  /** The same by trader id. */
  readTrader(trader: number, dex: string): AccountState | null {
    const history = traderHistories(this.world).of(trader)
    const account = accountOn(history, dex)
    if (!account) return null
    const holdings: AccountHolding[] = []
    for (const one of history.holdings) {
      if (one.instrument.kind !== 'perp' || one.instrument.dex !== dex) continue
      const holding = this.holding(one)
      if (holding) holdings.push(holding)
    }
    return { cash: usd(account.cash.at(this.atMs) ?? 0), holdings }
  }

  private holding(history: HoldingHistory): AccountHolding | null {
    const row = history.lastUpTo(this.atMs)
    if (row < 0) return null
    const { instrument, leverage, isolated } = history
    const sz = history.sz(row)
    const { px, fundingIndex } = this.quotes.of(instrument)
    const since = fundingBetween(sz, history.fundingIndex(row), fundingIndex, instrument)
    const late = lateCharges(this.world, history, row, this.delayMs)
    const paid = add(history.funding(row), since)
    const sinceOpen: Usd =
      sz === ZERO ? ZERO : add(subtract(paid, history.fundingAtOpen(row)), late.sinceOpen)
    const funding = {
      allTime: add(paid, late.allTime),
      sinceOpen,
      sinceChange: add(since, late.sinceChange),
    }
    return { instrument, sz, cost: history.cost(row), leverage, px, isolated, funding }
  }
}

/** Mark prices and funding indexes at one moment, read once and shared. */
interface PlaceQuote {
  /** Zero before there is any. */
  px: Px
  /** After all charges so far. */
  fundingIndex: FundingIndex
}

export class PlaceQuotes {
  private readonly quotes: (PlaceQuote | undefined)[] = []

  constructor(
    private readonly world: World,
    readonly atMs: TapeMs,
    readonly delayMs: number,
  ) {}

  of(instrument: InstrumentRow): PlaceQuote {
    const known = this.quotes[instrument.id]
    if (known) return known
    const quote: PlaceQuote = {
      px: markPx(this.world, instrument, this.atMs) ?? ZERO,
      fundingIndex:
        instrument.kind === 'spot'
          ? ZERO
          : indexAt(this.world, instrument.id, this.atMs, this.delayMs),
    }
    this.quotes[instrument.id] = quote
    return quote
  }
}

/** Those of the most recent moment are cached: many traders are read at one. */
export const placeQuotes = perMarket((world) => {
  let last: PlaceQuotes | null = null
  return (place: Place): PlaceQuotes => {
    const delayMs = chargeDelayMs(place)
    if (last === null || last.atMs !== place.atMs || last.delayMs !== delayMs)
      last = new PlaceQuotes(world, place.atMs, delayMs)
    return last
  }
})

/** Reads the values that every account needs in advance, so that the first one does not wait. */
export function* warmQuotes(world: World): Slices<void> {
  tradersOf(world)
  const quotes = new PlaceQuotes(world, world.startMs, 0)
  for (const instrument of world.instruments) {
    yield
    quotes.of(instrument)
  }
}
