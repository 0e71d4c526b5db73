/** What an account may trade of a perpetual. */

import type { ActiveAsset } from '../../../../contract/records/asset-context.ts'
import {
  add,
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
import { pow10 } from '../../../../decimal/scaled.ts'
import { initialMargin } from '../../../accounting/margin.ts'
import { NATIVE_DECIMALS } from '../../../formatting/decimal-text.ts'
import { type AccountHolding, AccountStateReader } from '../../../rows/account-state.ts'
import {
  type AccountSummary,
  accountSummaryOf,
  type ValuedPosition,
} from '../../../rows/account-summary.ts'
import { nativeLeverage } from '../../../rows/account-text.ts'
import type { Place } from '../../../rows/funding-charges.ts'
import { markPx } from '../../../rows/mark-prices.ts'
import { type InstrumentRow, MONEY_DECIMALS, pxText, szText, usdText } from '../../../schema.ts'
import type { World } from '../../../world.ts'

/** The venue's leverage where an account has set none; less where the coin allows less. */
const DEFAULT_LEVERAGE = 20

/** null without a price. */
export function activeAsset(
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
