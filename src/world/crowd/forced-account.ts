/**
 * An account of the crowd that was liquidated: it opened a position at the price that the
 * liquidation's loss implies, had just what was behind it, and closed what the liquidation left.
 */
import { MINUTE_MS } from '../../clock/durations.ts'
import { later, type TapeMs, tapeMs } from '../../clock/instant.ts'
import {
  absolute,
  type Px,
  raw,
  type Sz,
  sign,
  subtract,
  type Usd,
  usd,
} from '../../decimal/quantity.ts'
import { barAt } from '../../market/bar-columns.ts'
import { priceIn } from '../../market/minute-bar.ts'
import { fundingBetween } from '../accounting/funding.ts'
import { maintenanceMargin, positionValue } from '../accounting/margin.ts'
import { mixedWord } from '../hex-words.ts'
import { BAR_DAY_MS, barDaysOf } from '../rows/bar-days.ts'
import { indexAt } from '../rows/funding-charges.ts'
import { nearestPrice } from '../schema/price-step.ts'
import type { InstrumentRow, LiquidationRow, TradeRow } from '../schema.ts'
import type { World } from '../world.ts'
import type { AccountLedger } from './account-ledger.ts'
import type { AccountOrder } from './account-orders.ts'
import { type Forced, forcedTrade, tradeOfBar } from './forced-trades.ts'

/** The position was opened at most so long before, if the price was there by then. */
const LOOK_BACK_MS = 3 * 86_400_000
/** What is left after a part was liquidated is closed within so many minutes. */
const REST_MINUTES = 9
/** What it brings until then, of its value. */
const REST_BACKING = 0.1
/** What taking a position costs at most, of its value. */
const FEE_SHARE = 0.001

/** Casts all that it did. */
export function castForced(
  world: World,
  account: Forced,
  liquidation: LiquidationRow,
  trades: readonly TradeRow[],
  ledger: AccountLedger,
): void {
  const of = world.instruments[liquidation.instrument] as InstrumentRow
  const opening = openingOf(world, of, account, liquidation)
  const [first] = opening.trades as [TradeRow]
  const held = liquidation.startPosition as Sz
  ledger.advance(first.timeMs)
  const { account: own } = ledger.holding(of)
  ledger.ledger.topUpExactly(own, backingOf(world, of, first, liquidation), first.timeMs)
  ledger.execute(opening)
  ledger.execute({
    oid: account.oid,
    buys: raw(held) < 0,
    crossed: true,
    isForced: true,
    trades: trades.length > 0 ? trades : [tradeOfBar(account, of, liquidation)],
  })
  const left = liquidation.positionAfter as Sz
  if (raw(left) === 0) return
  const rest = restOf(world, of, account, liquidation)
  // Where it does not close what is left, it has enough to hold it.
  const share = rest ? REST_BACKING : 1.5
  const worth = raw(positionValue(left, liquidation.markPx, of))
  ledger.ledger.topUp(own, usd(Math.round(share * worth)), liquidation.timeMs)
  if (rest) ledger.execute(rest)
}

/** The price at which it was opened: what was closed had cost what was got and what was lost. */
function entryOf(of: InstrumentRow, liquidation: LiquidationRow): Px {
  const { startPosition, positionAfter, notional, closedPnl } = liquidation
  const held = startPosition as Sz
  const closed = absolute(subtract(held, positionAfter as Sz))
  const cost = raw(notional) - raw(closedPnl) * sign(held)
  return nearestPrice(of, cost / (raw(closed) * unitUsd(of)))
}

const unitUsd = ({ pxDecimals, szDecimals }: InstrumentRow) => 10 ** (6 - pxDecimals - szDecimals)

function openingOf(
  world: World,
  of: InstrumentRow,
  account: Forced,
  liquidation: LiquidationRow,
): AccountOrder {
  const entry = entryOf(of, liquidation)
  const held = liquidation.startPosition as Sz
  const timeMs = openedMs(world, of, raw(entry), account, liquidation.timeMs)
  const buys = raw(held) > 0
  const trade = forcedTrade(account, 'opening', of, { timeMs, px: entry, sz: absolute(held), buys })
  return { oid: ownOid(trade, buys), buys, crossed: true, isForced: true, trades: [trade] }
}

/** When the price was last there, before the liquidation. */
function openedMs(
  world: World,
  of: InstrumentRow,
  entry: number,
  { number }: Forced,
  beforeMs: TapeMs,
): TapeMs {
  const { historyStartMs, barsEndMs } = world.meta
  const endMs = Math.min(beforeMs, barsEndMs) - historyStartMs
  const last = Math.floor(endMs / MINUTE_MS) - 1
  const least = Math.max(0, last - LOOK_BACK_MS / MINUTE_MS)
  const days = barDaysOf(world)
  const within = mixedWord(number >>> 0) % MINUTE_MS
  for (let minute = last; minute >= least; minute--) {
    const bars = days.find(of, Math.floor((minute * MINUTE_MS) / BAR_DAY_MS))
    const at = minute % (BAR_DAY_MS / MINUTE_MS)
    if (bars && (bars.low[at] ?? 0) <= entry && entry <= (bars.high[at] ?? 0))
      return later(historyStartMs, minute * MINUTE_MS + within)
  }
  const spanMs = (last - least) * MINUTE_MS
  const back = Math.round(spanMs * (0.1 + (0.8 * within) / MINUTE_MS))
  return tapeMs(Math.min(beforeMs - 1, historyStartMs + Math.max(0, last * MINUTE_MS - back)))
}

/** Money with which the mark price of the liquidation is right behind the liquidation price. */
function backingOf(
  world: World,
  of: InstrumentRow,
  { px: entry, sz, timeMs }: TradeRow,
  { markPx, startPosition, timeMs: endMs }: LiquidationRow,
): Usd {
  const held = startPosition as Sz
  const [from, to] = [positionValue(sz, entry, of), positionValue(sz, markPx, of)]
  const lost = (raw(from) - raw(to)) * sign(held)
  const index = (atMs: TapeMs) => indexAt(world, of.id, atMs, 0)
  const funding = raw(fundingBetween(held, index(timeMs), index(endMs), of))
  const kept = raw(maintenanceMargin(to, of.maxLeverage))
  const spent = kept + lost + funding + Math.ceil(raw(from) * FEE_SHARE)
  return usd(Math.max(1e6, Math.ceil(spent / 1e4) * 1e4))
}

function restOf(
  world: World,
  of: InstrumentRow,
  account: Forced,
  { timeMs, positionAfter }: LiquidationRow,
): AccountOrder | null {
  const { historyStartMs, barsEndMs } = world.meta
  const atMs = later(timeMs, MINUTE_MS * (1 + (account.ms % REST_MINUTES)))
  if (atMs >= barsEndMs) return null
  const offset = atMs - historyStartMs
  const bars = barDaysOf(world).find(of, Math.floor(offset / BAR_DAY_MS))
  if (!bars) return null
  const bar = barAt(bars, Math.floor((offset % BAR_DAY_MS) / MINUTE_MS))
  const price = nearestPrice(of, priceIn(bar, offset % MINUTE_MS))
  const left = positionAfter as Sz
  const buys = raw(left) < 0
  const trade = forcedTrade(account, 'rest', of, {
    timeMs: atMs,
    px: price,
    sz: absolute(left),
    buys,
  })
  return { oid: ownOid(trade, buys), buys, crossed: true, isForced: true, trades: [trade] }
}

const ownOid = (trade: TradeRow, buys: boolean) => (buys ? trade.buyerOid : trade.sellerOid)
