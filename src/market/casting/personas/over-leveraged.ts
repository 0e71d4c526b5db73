import { HOUR_MS, MINUTE_MS } from '../../../clock/durations.ts'
import { negate, raw, type Sz } from '../../../decimal/quantity.ts'
import type { CastingContext } from '../casting-context.ts'
import type { MarketPast } from '../history/past.ts'
import type { Holding, MarketState } from '../market/market-state.ts'
import type { PersonaDesk } from './persona-desk.ts'
import { moveLiquidationPx, openingMoney } from './thin-margin.ts'

const VALUE = { ofHour: 0.01, leastUsd: 5_000, mostUsd: 400_000 }
/** How far the liquidation price lies from the market, as part of it. */
const DISTANCE = 0.02
/** Money is moved each time the price has gone so far. */
const STEP = 0.004
/** The price has not been so near to being liquidated. */
const ALIVE = 0.004

/** A losing position on as little margin as keeps it alive, and never more. */
export function planOverLeveraged(desk: PersonaDesk): void {
  const past = desk.perps.toSorted((a, b) => leverageOf(b) - leverageOf(a))[0]
  if (!past) return
  const { startMs, context } = desk
  const openMs = openingOf(desk, past)
  const long = desk.move(past, openMs, startMs) < 0
  const sz = desk.size(past, VALUE)
  const liquidationPx = distantPx(raw(past.pxAt(startMs)), long)
  const money = openingMoney(past.market, { sz, long, px: raw(past.pxAt(openMs)), liquidationPx })
  const funding = desk.fundingPaid(past, long ? sz : negate(sz), openMs, startMs)
  const trader = desk.trader('overLeveraged', 'swing', 0, leverageOf(past))
  context.tasks.put(openMs, (_, timeMs) => {
    trader.deposit(money + funding, timeMs)
    // Nobody else looks after its margin.
    trader.holding(past).account.awaitsLiquidation = true
    trader.trade({ past, timeMs, side: long ? 'B' : 'A', sz })
  })
  context.tasks.put(startMs - 1, (_, timeMs) => {
    past.market.px = past.pxAt(timeMs)
    keepDistance(context, trader.holding(past), timeMs)
  })
}

/** What it goes on with after the tape. */
export const OVER_LEVERAGED = { value: VALUE }

/** The money to open such a position with at the present price, micro-dollars. */
export function startMoney(market: MarketState, sz: Sz, long: boolean): number {
  const px = raw(market.px)
  return openingMoney(market, { sz, long, px, liquidationPx: distantPx(px, long) })
}

const leverageOf = ({ market }: MarketPast) => market.row.maxLeverage

const distantPx = (px: number, long: boolean) => px * (long ? 1 - DISTANCE : 1 + DISTANCE)

/**
 * The latest instant at which the position could be opened at its leverage, to be so near to its
 * liquidation price now, and after which the price has not come near to that.
 */
function openingOf(desk: PersonaDesk, past: MarketPast): number {
  const { startMs, dayMs } = desk
  const least = Math.max(0.005, 0.5 / leverageOf(past) - DISTANCE + 0.002)
  const now = raw(past.pxAt(startMs))
  const latestMs = startMs - 3 * HOUR_MS
  let [below, above] = [now, now]
  for (let atMs = startMs; atMs > startMs - 25 * dayMs; atMs -= MINUTE_MS) {
    const { low, high } = past.barAt(atMs)
    ;[below, above] = [Math.min(below, low), Math.max(above, high)]
    const loss = raw(past.pxAt(atMs)) / now - 1
    const alive =
      loss > 0 ? below > now * (1 - DISTANCE + ALIVE) : above < now * (1 + DISTANCE - ALIVE)
    if (atMs <= latestMs && alive && Math.abs(loss) > least) return atMs
  }
  return latestMs
}

/** Brings the distance back each time that the price has gone a step. */
export function keepDistance(context: CastingContext, holding: Holding, fromMs: number): void {
  const { market } = holding
  if (holding.position === null) return
  const px = raw(market.px)
  moveLiquidationPx(context.ledger, holding, distantPx(px, raw(holding.sz) > 0), fromMs)
  let isOver = false
  const run = (timeMs: number): void => {
    if (!isOver) keepDistance(context, holding, timeMs)
    isOver = true
  }
  for (const above of [true, false])
    context.venue.arm(market, { px: px * (above ? 1 + STEP : 1 - STEP), above, run }, fromMs)
}
