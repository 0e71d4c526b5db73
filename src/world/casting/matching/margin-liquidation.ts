import { absolute, lesser, raw, type Sz, sz as size, ZERO } from '../../../decimal/quantity.ts'
import type { CastingContext } from '../casting-context.ts'
import type { Holding, SubAccount } from '../market/market-state.ts'
import { LiquidationRun } from './liquidation-run.ts'
import type { Executed } from './matching-engine.ts'
import type { TakerOrder } from './taker-order.ts'

/** Larger positions are closed by a fifth first, and as a whole only if that has not helped. */
const PARTIAL_FROM_USD = 100_000e6
const PART = 0.2
const PAUSE_MS = 30_000

/** Carries an order out; answers what was traded and realised. */
type Take = (order: TakerOrder, sz: Sz) => Executed

/**
 * Liquidates an account on cross margin, its largest position first, or one isolated position; what
 * is left is watched again.
 */
export function liquidate(
  context: CastingContext,
  account: SubAccount,
  isolated: Holding | null,
  timeMs: number,
  take: Take,
): void {
  const holding = isolated ?? largestOf(account)
  if (!holding || holding.sz === ZERO) return
  const { market } = holding
  const value = Math.abs(market.value(holding.sz))
  const lot = raw(market.survey.lot)
  const part = size(Math.floor((raw(absolute(holding.sz)) * PART) / lot) * lot)
  const isPartial = value > PARTIAL_FROM_USD && part > ZERO && !holding.partlyLiquidated
  const sz = isPartial ? part : absolute(holding.sz)
  closeForced(context, holding, sz, timeMs, take)
  holding.partlyLiquidated = isPartial
  if (holding.sz === ZERO && isolated) return
  const again = () => {
    const next = isolated ?? largestOf(account)
    if (!next || next.sz === ZERO) return
    for (const held of account.holdings)
      if (held.sz !== ZERO) context.venue.updatePrice(held.market, context.nowMs)
    if (context.margins.isShort(next)) liquidate(context, account, isolated, context.nowMs, take)
    else context.margins.watchHolding(next, context.nowMs)
  }
  context.tasks.put(timeMs + (isPartial ? PAUSE_MS : 1_000), again)
}

function largestOf(account: SubAccount): Holding | undefined {
  let [largest, most]: [Holding | undefined, number] = [undefined, 0]
  for (const holding of account.holdings) {
    const value = holding.isolated ? 0 : Math.abs(holding.market.value(holding.sz))
    if (value > most) [largest, most] = [holding, value]
  }
  return largest
}

function closeForced(
  context: CastingContext,
  holding: Holding,
  sz: Sz,
  timeMs: number,
  take: Take,
): void {
  const { market } = holding
  const long = holding.sz > ZERO
  const run = new LiquidationRun(context, market, {
    timeMs,
    direction: long ? 'long' : 'short',
    sz: lesser(sz, absolute(holding.sz)),
    markPx: market.px,
    tids: [],
  })
  run.beforeExecution(holding)
  const side = long ? 'A' : 'B'
  const order = { market, timeMs, side, taker: holding, liquidation: run.id, prints: [] } as const
  run.afterExecution(holding, take({ ...order, reduceOnly: true, prints: [] }, sz))
  run.finish()
}
