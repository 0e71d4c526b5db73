import { HOUR_MS, MINUTE_MS } from '../../clock/instant.ts'
import { usd as money, negate, raw, type Sz } from '../../decimal/quantity.ts'
import type { CastingContext } from '../casting/casting-context.ts'
import type { MarketPast } from '../casting/history/past.ts'
import { crossMargin, type Ledger } from '../casting/ledger/ledger.ts'
import type { Holding, MarketState } from '../casting/market/market-state.ts'
import type { PersonaPlanner } from './persona-planner.ts'
import type { PersonaSchedule } from './personas.ts'

const VALUE = { ofHour: 0.01, leastUsd: 5_000, mostUsd: 400_000 }
/** Distance of the liquidation price from the market, as a fraction. */
const DISTANCE = 0.02
/** Money is moved each time the price has moved by this. */
const STEP = 0.004
/** Minimum distance from the liquidation price in the past. */
const LIQUIDATION_MARGIN = 0.004

/** Plans a losing position on the minimum margin that keeps it open. */
export function planOverLeveraged(planner: PersonaPlanner): void {
  const past = planner.perps.toSorted((a, b) => leverageOf(b) - leverageOf(a))[0]
  if (!past) return
  const { startMs, context } = planner
  const openMs = openingOf(planner, past)
  const long = planner.move(past, openMs, startMs) < 0
  const sz = planner.size(past, VALUE)
  const liquidationPx = distantPx(raw(past.pxAt(startMs)), long)
  const money = openingMoney(past.market, { sz, long, px: raw(past.pxAt(openMs)), liquidationPx })
  const funding = planner.fundingPaid(past, long ? sz : negate(sz), openMs, startMs)
  const trader = planner.trader('overLeveraged', 'swing', 0, leverageOf(past))
  context.tasks.put(openMs, (_, timeMs) => {
    trader.deposit(money + funding, timeMs)
    // Its margin is managed only here.
    trader.holding(past).account.awaitsLiquidation = true
    trader.trade({ past, timeMs, side: long ? 'B' : 'A', sz })
  })
  context.tasks.put(startMs - 1, (_, timeMs) => {
    past.market.px = past.pxAt(timeMs)
    keepDistance(context, trader.holding(past), timeMs)
  })
}

/** Money needed to open such a position at the present price, micro-dollars. */
function startMoney(market: MarketState, sz: Sz, long: boolean): number {
  const px = raw(market.px)
  return openingMoney(market, { sz, long, px, liquidationPx: distantPx(px, long) })
}

const leverageOf = ({ market }: MarketPast) => market.row.maxLeverage

const distantPx = (px: number, long: boolean) => px * (long ? 1 - DISTANCE : 1 + DISTANCE)

/**
 * The latest instant at which the position could be opened at its leverage, end at its present
 * distance from the liquidation price, and never come near to that in between.
 */
function openingOf(planner: PersonaPlanner, past: MarketPast): number {
  const { startMs, dayMs } = planner
  const least = Math.max(0.005, 0.5 / leverageOf(past) - DISTANCE + 0.002)
  const now = raw(past.pxAt(startMs))
  const latestMs = startMs - 3 * HOUR_MS
  let [below, above] = [now, now]
  for (let atMs = startMs; atMs > startMs - 25 * dayMs; atMs -= MINUTE_MS) {
    const { low, high } = past.barAt(atMs)
    ;[below, above] = [Math.min(below, low), Math.max(above, high)]
    const loss = raw(past.pxAt(atMs)) / now - 1
    const alive =
      loss > 0
        ? below > now * (1 - DISTANCE + LIQUIDATION_MARGIN)
        : above < now * (1 + DISTANCE - LIQUIDATION_MARGIN)
    if (atMs <= latestMs && alive && Math.abs(loss) > least) return atMs
  }
  return latestMs
}

/** Restores the distance each time the price has moved by a step. */
function keepDistance(context: CastingContext, holding: Holding, fromMs: number): void {
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

const CENT = 1e4
/** Opening fees relative to the value. */
const FEES = 0.0005

/** A position at a price, both prices in price units. */
interface ThinPosition {
  sz: Sz
  long: boolean
  px: number
  /** Target liquidation price. */
  liquidationPx: number
}

/** Equity that puts the liquidation price of a lone cross position at the target. */
function wantedEquity({ row }: MarketState, position: ThinPosition): number {
  const { sz, long, px, liquidationPx } = position
  const unit = Math.abs(raw(sz)) * 10 ** (6 - row.pxDecimals - row.szDecimals)
  const maintenance = liquidationPx * (0.5 / row.maxLeverage)
  return unit * (maintenance + (long ? 1 : -1) * (px - liquidationPx))
}

/** Money needed to open one. */
export function openingMoney(market: MarketState, position: ThinPosition): number {
  const { row } = market
  const unit = Math.abs(raw(position.sz)) * 10 ** (6 - row.pxDecimals - row.szDecimals)
  return wantedEquity(market, position) + FEES * unit * position.px
}

/** Moves money so that the liquidation price is at the target. Initial margin is not withdrawn. */
function moveLiquidationPx(
  ledger: Ledger,
  holding: Holding,
  liquidationPx: number,
  timeMs: number,
): void {
  const { account, market, sz } = holding
  const { equity, initial } = crossMargin(account)
  const long = raw(sz) > 0
  const wanted = wantedEquity(market, { sz, long, px: raw(market.px), liquidationPx })
  const missing = Math.ceil((wanted - equity) / CENT) * CENT
  const dueMs = Math.max(timeMs, account.lastMs)
  if (missing > 0) ledger.deposit(account, money(missing), dueMs)
  const free = Math.min(-missing, Math.floor((equity - initial) / CENT) * CENT)
  if (free > 0) ledger.withdraw(account, money(free), dueMs)
}

/** After a liquidation it opens a position again within hours. */
const RETURN = { periodMs: 3 * HOUR_MS, within: 1 }
/** Additional schedule of distance checks. */
const LOOK = { periodMs: HOUR_MS, within: 0.05 }
/** Time for an order to be filled. */
const FILLED_MS = MINUTE_MS

/** Keeps a position on minimal margin; opens another one after a liquidation. */
export function continueOverLeveraged(schedule: PersonaSchedule): void {
  const { context, agent } = schedule
  const [market] = schedule.perps.toSorted((a, b) => b.row.maxLeverage - a.row.maxLeverage)
  const held = context.markets
    .map(({ holdings }) => holdings.get(agent.id))
    .find((holding) => holding?.position)
  schedule.each('distance', LOOK, (timeMs) => {
    if (held?.position) keepDistance(context, held, timeMs)
  })
  if (!market) return
  schedule.each('return', RETURN, (timeMs, nth) => {
    const holding = schedule.holding(market)
    if (holding.position || held?.position) return
    const sz = schedule.size(market, VALUE)
    const long = schedule.draws('side', nth).chance(0.5)
    const { ledger, tasks } = context
    const { account } = holding
    holding.leverage = market.row.maxLeverage
    holding.isolated = false
    ledger.depositUsd(account, startMoney(market, sz, long), Math.max(timeMs, account.lastMs))
    schedule.take(holding, long ? 'B' : 'A', sz, timeMs)
    tasks.put(timeMs + FILLED_MS, (_, dueMs) => {
      if (raw(holding.sz) !== 0) keepDistance(context, holding, dueMs)
    })
  })
}
