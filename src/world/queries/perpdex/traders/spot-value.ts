/** What spot accounts are worth. */

import type { TapeMs } from '../../../../clock/instant.ts'
import { add, type Usd, usd, ZERO } from '../../../../decimal/quantity.ts'
import { positionValue } from '../../../accounting/margin.ts'
import { markPx } from '../../../rows/mark-prices.ts'
import { traderHistories } from '../../../rows/trader-histories.ts'
import { accountOn } from '../../../rows/trader-history.ts'
import type { World } from '../../../world.ts'

/** Cash, and tokens at the mark price or else the last one. */
export function spotValue(world: World, trader: number, atMs: TapeMs): Usd {
  const history = traderHistories(world).of(trader)
  const account = accountOn(history, 'spot')
  if (!account) return ZERO
  let worth = usd(account.cash.at(atMs) ?? 0)
  for (const holding of history.holdings) {
    const { instrument } = holding
    if (instrument.kind !== 'spot') continue
    const balance = holding.sz(holding.lastUpTo(atMs))
    const px = markPx(world, instrument, atMs) ?? ZERO
    worth = add(worth, positionValue(balance, px, instrument))
  }
  return worth
}
