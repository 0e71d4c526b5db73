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
  const closing = forcedClosing(account, isolated)
  if (!closing) return
  closeForced(context, closing, timeMs, take)
  watchRest(context, closing, timeMs)
}

/** A position, or a part of it, that is to be closed whatever its owner wants. */
export interface ForcedClosing {
  holding: Holding
  sz: Sz
  /** The rest is closed only if this has not helped. */
  isPartial: boolean
}

/** What is to be closed of an account on cross margin, or of one isolated position. */
export function forcedClosing(
  account: SubAccount,
  isolated: Holding | null,
): ForcedClosing | undefined {
  const holding = isolated ?? largestOf(account)
  if (!holding || holding.sz === ZERO) return undefined
  const { market } = holding
  const value = Math.abs(market.marginValue(holding.sz))
  const lot = raw(market.survey.lot)
  const part = size(Math.floor((raw(absolute(holding.sz)) * PART) / lot) * lot)
  const isPartial = value > PARTIAL_FROM_USD && part > ZERO && !holding.partlyLiquidated
  return { holding, sz: isPartial ? part : absolute(holding.sz), isPartial }
}

/** How long to wait after a closing before the account is looked at again. */
export const pauseAfter = (isPartial: boolean) => (isPartial ? PAUSE_MS : 1_000)

/** After a closing: looks again soon whether the account has enough now. */
function watchRest(
  context: CastingContext,
  { holding: { account, isolated }, holding, isPartial }: ForcedClosing,
  timeMs: number,
): void {
  holding.partlyLiquidated = isPartial
  const own = isolated ? holding : null
  if (own && own.sz === ZERO) return
  const again = () => {
    const next = own ?? largestOf(account)
    if (!next || next.sz === ZERO) return
    for (const held of account.holdings)
      if (held.sz !== ZERO) context.venue.updatePrice(held.market, context.nowMs)
    if (context.margins.isShort(next)) context.venue.enforceMargin(account, own, context.nowMs)
    else context.margins.watchHolding(next, context.nowMs)
  }
  context.tasks.put(timeMs + pauseAfter(isPartial), again)
}

/** Closes it by trades of one instant, and writes the liquidation. */
export function closeForced(
  context: CastingContext,
  { holding, sz }: ForcedClosing,
  timeMs: number,
  take: Take,
): void {
  const { market } = holding
  const long = holding.sz > ZERO
  const run = new LiquidationRun(context, market, {
    timeMs,
    direction: long ? 'long' : 'short',
    sz: lesser(sz, absolute(holding.sz)),
    markPx: market.marginPx,
    tids: [],
  })
  run.beforeExecution(holding)
  const side = long ? 'A' : 'B'
  const order = { market, timeMs, side, taker: holding, liquidation: run.id } as const
  run.afterExecution(holding, take({ ...order, reduceOnly: true, prints: [] }, sz))
  run.finish()
}

function largestOf(account: SubAccount): Holding | undefined {
  let [largest, most]: [Holding | undefined, number] = [undefined, 0]
  for (const holding of account.holdings) {
    const value = holding.isolated ? 0 : Math.abs(holding.market.marginValue(holding.sz))
    if (value > most) [largest, most] = [holding, value]
  }
  return largest
}
