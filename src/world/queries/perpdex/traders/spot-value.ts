/** What spot accounts are worth. */

import type { TapeMs } from '../../../../clock/instant.ts'
import { add, type Usd, ZERO } from '../../../../decimal/quantity.ts'
import { positionValue } from '../../../accounting/margin.ts'
import { lastUpTo } from '../../../binary-search.ts'
import { markPx } from '../../../rows/mark-prices.ts'
import { accountOn, moneyAt, sizeAt, traderHistories } from '../../../rows/trader-history.ts'
import type { World } from '../../../world.ts'

/** Cash, and tokens at the mark price or else the last one. */
export function spotValue(world: World, trader: number, atMs: TapeMs): Usd {
  const history = traderHistories(world).of(trader)
  const account = accountOn(history, 'spot')
  if (!account) return ZERO
  let worth = moneyAt(account.cash, atMs) ?? ZERO
  for (const holding of history.holdings) {
    const { instrument, timesMs } = holding
    if (instrument.kind !== 'spot') continue
    const balance = sizeAt(holding, lastUpTo(timesMs, atMs))
    const px = markPx(world, instrument, atMs) ?? ZERO
    worth = add(worth, positionValue(balance, px, instrument))
  }
  return worth
}
