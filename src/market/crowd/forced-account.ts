/**
 * A liquidated crowd account: it opened a position at the price that the liquidation's loss
 * implies, had exactly the margin for it, and closed the rest.
 */
import { later, MINUTE_MS, type TapeMs, tapeMs } from '../../clock/instant.ts'
import {
  absolute,
  add,
  type Px,
  raw,
  type Sz,
  sign,
  subtract,
  type Usd,
  usd,
  ZERO,
} from '../../decimal/quantity.ts'
import { fundingBetween } from '../accounting/funding.ts'
import {
  initialMargin,
  maintenanceMargin,
  notionalOf,
  positionValue,
} from '../accounting/position.ts'
import { FORCED_MINUTES } from '../casting/matching/forced-entry.ts'
import { indexAtTrade } from '../rows/funding-charges.ts'
import { EarlierPrices } from '../rows/mark-prices.ts'
import { nearestPrice } from '../schema/price-step.ts'
import { CROWD, type InstrumentRow, type LiquidationRow, type TradeRow } from '../schema/schema.ts'
import type { CrowdAccount } from '../world/crowd-address.ts'
import { type ForcedOrder, forcedOid, mixedWord } from '../world/crowd-address.ts'
import type { World } from '../world/world.ts'
import type { AccountLedger, AccountOrder } from './account-ledger.ts'

/** The rest after a partial liquidation is closed within so many minutes. */
const REST_MINUTES = 9
/** Its deposit until then, relative to the value. */
const REST_BACKING = 0.1
/** Upper bound of opening fees, relative to the value. */
const FEE_SHARE = 0.001

/** Casts all its actions. */
export function castForced(
  world: World,
  account: Forced,
  liquidation: LiquidationRow,
  trades: readonly TradeRow[],
  ledger: AccountLedger,
): void {
  const of = world.instruments[liquidation.instrument] as InstrumentRow
  const opening = openingOf(world, of, account, liquidation)
  const held = liquidation.startPosition as Sz
  const { account: own } = open(world, of, { account, liquidation, opening }, ledger)
  ledger.announce(liquidation, of)
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
  // Where it does not close the rest, it has enough to hold it.
  const share = rest ? REST_BACKING : 1.5
  const worth = raw(positionValue(left, liquidation.markPx, of))
  ledger.ledger.topUp(own, usd(Math.round(share * worth)), liquidation.timeMs)
  if (rest) ledger.execute(rest)
}

/** Leverage of its position, from its loss. */
export function forcedLeverage({ notional, closedPnl }: LiquidationRow): number {
  return Math.max(1, Math.round((0.9 * raw(notional)) / Math.max(1, -raw(closedPnl))))
}

/**
 * Opens its position with its final margin and what it needs on the way: the initial margin, and
 * adverse moves. The surplus is withdrawn once the price has been beyond the liquidation's mark
 * price for the last time.
 */
function open(
  world: World,
  of: InstrumentRow,
  { account, liquidation, opening }: ForcedOpening,
  ledger: AccountLedger,
) {
  const [first] = opening.trades as [TradeRow]
  const { timeMs: endMs } = liquidation
  const earlier = new EarlierPrices(world, of)
  ledger.advance(first.timeMs)
  const holding = ledger.holding(of)
  const backing = backingOf(world, of, first, liquidation)
  const side = liquidation.direction
  const worst = earlier.worst(side, first.timeMs, endMs)
  const spare = spareFor(of, first, liquidation, { backing, worst, leverage: holding.leverage })
  ledger.ledger.topUpExactly(holding.account, add(backing, spare), first.timeMs)
  ledger.execute(opening)
  if (spare === ZERO) return holding
  const beyondMs = earlier.lastBeyond(side, liquidation.markPx, first.timeMs, endMs)
  const freeMs = Math.min((beyondMs ?? first.timeMs) + 1, endMs - 1)
  const part = 0.1 + (0.8 * (mixedWord((account.number >>> 0) ^ 1) % 1024)) / 1024
  const takenMs = tapeMs(freeMs + Math.floor((endMs - 1 - freeMs) * part))
  ledger.advance(takenMs)
  ledger.ledger.takeOut(holding.account, spare, takenMs)
  return holding
}

interface ForcedOpening {
  account: Forced
  liquidation: LiquidationRow
  opening: AccountOrder
}

/** Money needed beyond the final margin: whole dollars. */
function spareFor(
  of: InstrumentRow,
  { px: entry, sz }: TradeRow,
  { markPx, startPosition }: LiquidationRow,
  { backing, worst, leverage }: { backing: Usd; worst: Px; leverage: number },
): Usd {
  const held = startPosition as Sz
  const value = (price: Px) => positionValue(sz, price, of)
  const needed = (price: Px) =>
    (raw(value(entry)) - raw(value(price))) * sign(held) +
    raw(maintenanceMargin(value(price), of.maxLeverage))
  const beyond = needed(worst) - needed(markPx)
  // Funding that is returned later has to be paid first.
  const onTheWay = beyond > 0 ? beyond * WAY_MARGIN + raw(value(entry)) * FUNDING_SHARE : 0
  const first = raw(initialMargin(value(entry), leverage)) * WAY_MARGIN
  const missing = Math.max(onTheWay, first - raw(backing))
  return missing > 0 ? usd(Math.ceil(missing / 1e6) * 1e6) : ZERO
}

/** Slightly more than needed. */
const WAY_MARGIN = 1.05
const FUNDING_SHARE = 0.005

/** Entry price: the closed part's cost is its notional plus the loss. */
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
  const timeMs = openedMs(world, of, entry, account, liquidation.timeMs)
  const buys = raw(held) > 0
  const trade = forcedTrade(account, 'opening', of, { timeMs, px: entry, sz: absolute(held), buys })
  return { oid: ownOid(trade, buys), buys, crossed: true, isForced: true, trades: [trade] }
}

/** When the price was last there, before the liquidation. */
function openedMs(
  world: World,
  of: InstrumentRow,
  entry: Px,
  account: Forced,
  beforeMs: TapeMs,
): TapeMs {
  const fromMs = tapeMs(
    Math.max(world.meta.historyStartMs, beforeMs - (FORCED_MINUTES + 1) * MINUTE_MS),
  )
  const foundMs = new EarlierPrices(world, of).lastAt(entry, fromMs, beforeMs)
  if (foundMs !== null) return foundMs
  const backMs = MINUTE_MS + (mixedWord(account.number >>> 0) % MINUTE_MS)
  return tapeMs(Math.max(world.meta.historyStartMs, beforeMs - backMs))
}

/** Money that puts the liquidation price just before the liquidation's mark price. */
function backingOf(
  world: World,
  of: InstrumentRow,
  { px: entry, sz, timeMs }: TradeRow,
  { markPx, startPosition, timeMs: endMs }: LiquidationRow,
): Usd {
  const held = startPosition as Sz
  const [from, to] = [positionValue(sz, entry, of), positionValue(sz, markPx, of)]
  const lost = (raw(from) - raw(to)) * sign(held)
  const index = (atMs: TapeMs) => indexAtTrade(world, of.id, atMs)
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
  const atMs = later(timeMs, MINUTE_MS * (1 + (account.ms % REST_MINUTES)))
  if (atMs >= world.meta.barsEndMs) return null
  const price = new EarlierPrices(world, of).at(atMs)
  if (price === null) return null
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

/** Trades of a liquidated account that have no rows: they are part of the bars. */
export type Forced = CrowdAccount & { kind: 'forced' }

type Traded = Pick<TradeRow, 'timeMs' | 'px' | 'sz'> & { buys: boolean }

/** The trade that opened its position, or closed the rest. */
function forcedTrade(
  account: Forced,
  order: ForcedOrder,
  of: InstrumentRow,
  { timeMs, px, sz, buys }: Traded,
): TradeRow {
  const oid = forcedOid(order, account.ms, account.place)
  const place = PLACES[order]
  const other = oid - 1
  return {
    // Rows count upwards from 1.
    id: -place,
    instrument: of.id,
    timeMs,
    side: buys ? 'B' : 'A',
    px,
    sz,
    notional: notionalOf(px, sz, of),
    tid: mixedWord(account.number >>> 0) * 2 ** 17 + (account.ms % 2 ** 15) * 4 + place,
    hash: null,
    buyer: CROWD,
    seller: CROWD,
    buyerOid: buys ? oid : other,
    sellerOid: buys ? other : oid,
    interestAfter: ZERO,
    liquidation: null,
  }
}

const PLACES: Record<ForcedOrder, number> = { opening: 1, liquidation: 2, rest: 3 }

/** The trade that executed its liquidation. */
function tradeOfBar(
  account: Forced,
  of: InstrumentRow,
  { id, timeMs, markPx, sz, direction }: LiquidationRow,
): TradeRow {
  const traded = { timeMs, px: markPx, sz, buys: direction === 'short' }
  return { ...forcedTrade(account, 'liquidation', of, traded), liquidation: id }
}
