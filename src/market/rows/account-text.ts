/** Accounts and positions as the venue writes them. */
import { absolute, raw, sign, subtract, times, type Usd, ZERO } from '../../decimal/quantity.ts'
import { format, mulDiv } from '../../decimal/scaled.ts'
import { entryPx } from '../accounting/position.ts'
import { NATIVE_DECIMALS } from '../formatting/decimal-text.ts'
import { MONEY_DECIMALS, pxText, szText, usdText } from '../schema/schema.ts'
import type { AccountSummary, MarginSums, ValuedPosition } from './account-summary.ts'

/** Decimals of a return on equity. */
const RETURN_DECIMALS = 10

const usd = (money: Usd) => usdText(money, NATIVE_DECIMALS)

/** Everything of a state but the positions and the time. */
export function accountSummaryTexts({
  all,
  cross,
  crossMaintenance,
  withdrawable,
}: AccountSummary) {
  return {
    marginSummary: marginSummaryText(all),
    crossMarginSummary: marginSummaryText(cross),
    crossMaintenanceMarginUsed: usd(crossMaintenance),
    withdrawable: usd(withdrawable),
  }
}

function marginSummaryText({
  accountValue,
  totalNtlPos,
  totalRawUsd,
  totalMarginUsed,
}: MarginSums) {
  return {
    accountValue: usd(accountValue),
    totalNtlPos: usd(totalNtlPos),
    totalRawUsd: usd(totalRawUsd),
    totalMarginUsed: usd(totalMarginUsed),
  }
}

/** A position, with its leverage as `nativeLeverage` or `perpLeverage` words it. */
export function writePosition<L>(one: ValuedPosition, leverage: L) {
  const { instrument: of, sz, cost, funding } = one
  // An average lies between ticks, so it is shown with one more decimal than prices have.
  const entry = entryPx(one, of.szDecimals, MONEY_DECIMALS, of.pxDecimals + 1)
  return {
    coin: of.coin,
    szi: szText(of, sz, NATIVE_DECIMALS),
    leverage,
    entryPx: format(entry, of.pxDecimals + 1, NATIVE_DECIMALS),
    positionValue: usd(one.value),
    unrealizedPnl: usd(one.unrealised),
    returnOnEquity: format(
      returnOnEquity(one.unrealised, cost, one.leverage),
      RETURN_DECIMALS,
      NATIVE_DECIMALS,
    ),
    liquidationPx:
      one.liquidationPx === null ? null : pxText(of, one.liquidationPx, NATIVE_DECIMALS),
    marginUsed: usd(one.marginUsed),
    maxLeverage: of.maxLeverage,
    cumFunding: {
      allTime: usd(funding.allTime),
      sinceOpen: usd(funding.sinceOpen),
      sinceChange: usd(funding.sinceChange),
    },
  }
}

/** As the venue writes it: raw dollars for isolated margin only. */
export function nativeLeverage(one: ValuedPosition): NativeLeverage {
  const value = one.leverage
  return one.isolated ? { type: 'isolated', value, rawUsd: rawUsd(one) } : { type: 'cross', value }
}

/** As the service writes it: null for the raw dollars of cross margin. */
export function perpLeverage(one: ValuedPosition): PerpLeverage {
  const type = one.isolated ? 'isolated' : 'cross'
  return { type, value: one.leverage, rawUsd: one.isolated ? rawUsd(one) : null }
}

type NativeLeverage = { type: 'cross' | 'isolated'; value: number; rawUsd?: string }
type PerpLeverage = { type: 'cross' | 'isolated'; value: number; rawUsd: string | null }

const rawUsd = ({ marginUsed, sz, value }: ValuedPosition) =>
  usd(subtract(marginUsed, times(value, sign(sz))))

/** PnL over the margin at entry, a fraction. */
function returnOnEquity(unrealised: Usd, cost: Usd, leverage: number): number {
  if (cost === ZERO) return 0
  return mulDiv(raw(unrealised), leverage * 10 ** RETURN_DECIMALS, raw(absolute(cost)))
}
