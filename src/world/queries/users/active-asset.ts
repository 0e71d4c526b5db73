/** What an account may trade of a perpetual (shapes 2.12). */

import type { TapeMs } from '../../../clock/instant.ts'
import type { ActiveAsset } from '../../../contract/records/asset-context.ts'
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
} from '../../../decimal/quantity.ts'
import { power } from '../../../decimal/scaled.ts'
import { initialMargin } from '../../accounting/margin.ts'
import { type InstrumentRow, MONEY_DECIMALS, pxText, szText, usdText } from '../../schema.ts'
import type { World } from '../../world.ts'
import { type Account, accountOf, type Position } from '../account.ts'
import { nativeLeverage } from '../position-text.ts'
import { type Holding, markPx, PurseReader } from '../purse.ts'
import { NATIVE } from '../wording.ts'

/** The venue's leverage where an account has set none; less where the coin allows less. */
const USUAL = 20

/** null without a price. */
export function activeAsset(
  world: World,
  address: string,
  of: InstrumentRow,
  atMs: TapeMs,
): ActiveAsset | null {
  const px = markPx(world, of, atMs)
  if (px === null) return null
  const purse = new PurseReader(world, atMs).read(address, of.dex) ?? { cash: ZERO, holdings: [] }
  const account = accountOf(purse)
  const position = account.positions.find(({ instrument }) => instrument === of)
  const holding = purse.holdings.find(({ instrument }) => instrument === of)
  const leverage = holding?.leverage ?? Math.min(USUAL, of.maxLeverage)
  const available = sides(account, position)
  return {
    user: address.toLowerCase(),
    coin: of.coin,
    leverage: leverageOf(position, holding, leverage),
    maxTradeSzs: [
      szText(of, sizeFor(available[0], leverage, px, of), NATIVE),
      szText(of, sizeFor(available[1], leverage, px, of), NATIVE),
    ],
    availableToTrade: [usdText(available[0], NATIVE), usdText(available[1], NATIVE)],
    markPx: pxText(of, px, NATIVE),
  }
}

function leverageOf(
  position: Position | undefined,
  holding: Holding | undefined,
  value: number,
): ActiveAsset['leverage'] {
  if (position) return nativeLeverage(position)
  return holding?.isolated ? { type: 'isolated', value, rawUsd: '0.0' } : { type: 'cross', value }
}

/** Margin behind a buy and a sell: what closes a position frees its margin, and may turn it. */
function sides({ cross }: Account, position: Position | undefined): [buy: Usd, sell: Usd] {
  const free = greater<Usd>(ZERO, subtract(cross.accountValue, cross.totalMarginUsed))
  if (!position) return [free, free]
  const turned = add(free, times(initialMargin(position.value, position.leverage), 2))
  return position.sz > ZERO ? [free, turned] : [turned, free]
}

/** The size that a margin is enough for. */
function sizeFor(margin: Usd, leverage: number, px: Px, of: InstrumentRow): Sz {
  const scale = of.pxDecimals + of.szDecimals - MONEY_DECIMALS
  const [up, down] = scale >= 0 ? [power(scale), 1] : [1, power(-scale)]
  const notional = BigInt(raw(margin)) * BigInt(leverage) * BigInt(up)
  return sz(Number(notional / (BigInt(raw(px)) * BigInt(down))))
}
