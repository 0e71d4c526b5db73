import { absolute, usd as money, type Px, raw, type Sz } from '../../../decimal/quantity.ts'
import { notionalOf } from '../../accounting/position.ts'
import type { MarketPast } from '../history/past.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { crossMargin } from '../ledger/sub-account.ts'
import type { Holding, MarketState } from '../market/market-state.ts'
import { HOUR_MS, MINUTE_MS, type PersonaDesk } from './persona-desk.ts'

const VALUE = { ofHour: 0.01, leastUsd: 5_000, mostUsd: 400_000 }
/** How far the liquidation price lies from the market, as part of it, and how near that is kept. */
const DISTANCE = { wanted: 0.02, least: 0.016, most: 0.024 }
/** Before the tape, money is moved only where the position would be lost otherwise. */
const RESCUE = 0.004
const CENT = 1e4

/** A losing position on as little margin as keeps it alive. */
export function planOverLeveraged(desk: PersonaDesk): void {
  const past = desk.perps.toSorted((a, b) => leverageOf(b) - leverageOf(a))[0]
  if (!past) return
  const { startMs, context } = desk
  const openMs = openingOf(desk, past)
  const long = desk.move(past, openMs, startMs) < 0
  const sz = desk.size(past, VALUE)
  const value = worth(past, sz, past.pxAt(startMs))
  const opened = worth(past, sz, past.pxAt(openMs))
  // With the fees of opening, and some funding.
  const equity = wantedEquity(value, past.market, long) + Math.abs(opened - value) + 0.0006 * opened
  const trader = desk.trader('overLeveraged', 'swing', equity / 1e6, leverageOf(past))
  context.tasks.put(openMs, (_, timeMs) => {
    const holding = trader.holding(past)
    holding.account.tendMargin = (nowMs) => {
      const { least, most } = nowMs < startMs ? { least: RESCUE, most: 1 } : DISTANCE
      tendMargin(context.ledger, holding, nowMs, least, most)
    }
    trader.trade({ past, timeMs, side: long ? 'B' : 'A', sz })
  })
  context.tasks.put(startMs - 1, (_, timeMs) => {
    past.market.px = past.pxAt(timeMs)
    const { wanted } = DISTANCE
    tendMargin(context.ledger, trader.holding(past), timeMs, wanted, wanted)
  })
}

const leverageOf = ({ market }: MarketPast) => market.row.maxLeverage

const worth = ({ market }: MarketPast, sz: Sz, px: Px) =>
  raw(notionalOf(px, absolute(sz), market.row))

/**
 * The latest hour at which the position could be opened at its leverage, to be so near to its
 * liquidation price now, and after which the price has not come near to that.
 */
function openingOf(desk: PersonaDesk, past: MarketPast): number {
  const { startMs } = desk
  const least = 0.5 / leverageOf(past) - DISTANCE.wanted + 0.002
  const now = raw(past.pxAt(startMs))
  const latestMs = startMs - 3 * HOUR_MS
  let [below, above] = [Number.POSITIVE_INFINITY, 0]
  for (let atMs = startMs; atMs > startMs - 200 * HOUR_MS; atMs -= 10 * MINUTE_MS) {
    const px = raw(past.pxAt(atMs))
    ;[below, above] = [Math.min(below, px), Math.max(above, px)]
    const loss = px / now - 1
    const alive =
      loss > 0
        ? below > now * (1 - DISTANCE.wanted + RESCUE)
        : above < now * (1 + DISTANCE.wanted - RESCUE)
    if (atMs <= latestMs && alive && Math.abs(loss) > Math.max(0, least)) return atMs
  }
  return latestMs
}

/** Equity that puts the liquidation price as far from the market as is wanted, micro-dollars. */
function wantedEquity(value: number, { row }: MarketState, long: boolean): number {
  const { wanted } = DISTANCE
  const maintenance = 0.5 / row.maxLeverage
  return value * (wanted + maintenance + (long ? -1 : 1) * wanted * maintenance)
}

/** Brings the distance back to what is wanted once it has left a range. */
function tendMargin(
  ledger: Ledger,
  holding: Holding,
  timeMs: number,
  least: number,
  most: number,
): void {
  const { account, market } = holding
  const value = Math.abs(market.value(holding.sz))
  if (value === 0) return
  const long = raw(holding.sz) > 0
  const maintenance = 0.5 / market.row.maxLeverage
  const { equity } = crossMargin(account)
  const distance = (equity / value - maintenance) / (1 - (long ? 1 : -1) * maintenance)
  if (distance > least && distance < most) return
  const target = wantedEquity(value, market, long)
  const dueMs = Math.max(timeMs, account.lastMs)
  const missing = Math.ceil((target - equity) / CENT) * CENT
  if (missing > 0) ledger.deposit(account, money(missing), dueMs)
  // What the leverage ties up cannot be taken out.
  const free = Math.min(-missing, Math.floor((equity - value / holding.leverage) / CENT) * CENT)
  if (free > 0) ledger.withdraw(account, money(free), dueMs)
}
