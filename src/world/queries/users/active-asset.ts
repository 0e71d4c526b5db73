/** What an account may trade of a perpetual (shapes 2.12). */
import type { ActiveAsset } from '../../../contract/records/asset-context.ts'
import { power } from '../../../decimal/scaled.ts'
import { initialMargin } from '../../accounting/margin.ts'
import { type InstrumentRow, MONEY_DECIMALS, pxText, szText, usdText } from '../../schema.ts'
import type { World } from '../../world.ts'
import { type Account, accountOf, type Position } from '../account.ts'
import type { Place } from '../charges.ts'
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
  place: Place,
): ActiveAsset | null {
  const px = markPx(world, of, place.atMs)
  if (px === null) return null
  const purse = new PurseReader(world, place).read(address, of.dex) ?? { cash: 0, holdings: [] }
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
function sides({ cross }: Account, position: Position | undefined): [number, number] {
  const free = Math.max(0, cross.accountValue - cross.totalMarginUsed)
  if (!position) return [free, free]
  const turned = free + 2 * initialMargin(position.value, position.leverage)
  return position.sz > 0 ? [free, turned] : [turned, free]
}

/** Size units that a margin is enough for. */
function sizeFor(margin: number, leverage: number, px: number, of: InstrumentRow): number {
  const scale = of.pxDecimals + of.szDecimals - MONEY_DECIMALS
  const [up, down] = scale >= 0 ? [power(scale), 1] : [1, power(-scale)]
  const notional = BigInt(margin) * BigInt(leverage) * BigInt(up)
  return Number(notional / (BigInt(px) * BigInt(down)))
}
