/**
 * Accounts of the crowd as worlds: the rows of one account in memory, made when somebody asks for
 * it, on the market of the world that it traded in. So all that can be asked of a trader can be
 * asked of it, and is answered by the same queries.
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
  ZERO,
} from '../../decimal/quantity.ts'
import { fundingBetween } from '../accounting/funding.ts'
import { maintenanceMargin, positionValue } from '../accounting/margin.ts'
import { notionalOf } from '../accounting/position.ts'
import { barAt } from '../bars/bar-columns.ts'
import { priceIn } from '../bars/minute-bar.ts'
import { BAR_DAY_MS, barDaysOf } from '../rows/bar-days.ts'
import { columns } from '../rows/columns.ts'
import { indexAt } from '../rows/funding-charges.ts'
import { tradersOf } from '../rows/traders.ts'
import { nearestPrice } from '../schema/price-step.ts'
import {
  CROWD,
  fill,
  type InstrumentRow,
  type LiquidationRow,
  type TradeRow,
} from '../schema/schema.ts'
import { Cache } from '../world/cache.ts'
import {
  type CrowdAccount,
  crowdAccountAt,
  crowdAddress,
  liquidatedAt,
} from '../world/crowd-address.ts'
import { mixedWord } from '../world/hex-words.ts'
import { type ForcedOrder, forcedOid, isOrderNumber } from '../world/order-numbers.ts'
import { accountWorldOf, perMarket, perWorld, viewOf } from '../world/per-world.ts'
import type { World } from '../world/world.ts'
import { AccountLedger } from './account-ledger.ts'
import { type AccountOrder, ordersOf } from './account-orders.ts'
import { AccountRows } from './account-rows.ts'
import {
  type AccountTrade,
  ANNOUNCED_MS,
  liquidationById,
  liquidationOf,
  tradesOf,
} from './account-trades.ts'

// An account of the crowd that was liquidated: it opened a position at the price that the
// liquidation's loss implies, had just what was behind it, and closed what the liquidation left.

/** The position was opened at most so long before, if the price was there by then. */
const LOOK_BACK_MS = 3 * 86_400_000
/** What is left after a part was liquidated is closed within so many minutes. */
const REST_MINUTES = 9
/** What it brings until then, of its value. */
const REST_BACKING = 0.1
/** What taking a position costs at most, of its value. */
const FEE_SHARE = 0.001

/** Casts all that it did. */
function castForced(
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

/** Trades of an account that was liquidated which no row tells of: they are part of the bars. */
type Forced = CrowdAccount & { kind: 'forced' }

type Traded = Pick<TradeRow, 'timeMs' | 'px' | 'sz'> & { buys: boolean }

/** What opened its position, or closed what the liquidation left. */
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

/** What carried out its liquidation. */
function tradeOfBar(
  account: Forced,
  of: InstrumentRow,
  { id, timeMs, markPx, sz, direction }: LiquidationRow,
): TradeRow {
  const traded = { timeMs, px: markPx, sz, buys: direction === 'short' }
  return { ...forcedTrade(account, 'liquidation', of, traded), liquidation: id }
}

/** Accounts that are kept, about 300 kilobytes each. */
const KEPT = 48
const POSITIONS_KEPT = 20_000

/** The world of the account of an address; null where it is none of the crowd's that has traded. */
export function accountWorld(market: World, address: string): World | null {
  const account = crowdAccountAt(address)
  const world = account && accountsOf(market).of(account, address.toLowerCase())
  return world && viewOf(world, market)
}

/** The same of the account that placed an order, by the order's number. */
export function accountOfOrder(market: World, oid: number): World | null {
  return isOrderNumber(oid) ? accountWorld(market, crowdAddress(oid)) : null
}

/**
 * Whether an account is one that was liquidated, and something may happen to it in a span without a
 * trade: its liquidation is announced before it is traded.
 */
export function isAnnouncedIn(
  { meta }: World,
  address: string,
  fromMs: TapeMs,
  toMs: TapeMs,
): boolean {
  const account = liquidatedAt(address)
  if (account === null) return false
  const atMs = later(meta.historyStartMs, account.ms)
  return fromMs <= later(atMs, ANNOUNCED_MS) && later(atMs, -ANNOUNCED_MS) < toMs
}

/** What the account that placed an order held after a trade of it. */
export function crowdHeld(
  market: World,
  { id, oid, timeMs }: { id: number; oid: number; timeMs: TapeMs },
): Sz {
  return heldAfter(market).get(id, () => {
    const world = accountOfOrder(market, oid)
    const row = world && fillOf(world).get(timeMs, id)
    return row?.positionAfter ?? ZERO
  })
}

/** What has been traded stays as it is. */
const heldAfter = perMarket(() => new Cache<number, Sz>(POSITIONS_KEPT))

const fillOf = perWorld(({ db }) =>
  columns({ positionAfter: fill.positionAfter }).prepare<[timeMs: TapeMs, trade: number]>(
    db,
    'from fill where timeMs = ? and trade = ?',
  ),
)

const accountsOf = perMarket((world) => new CrowdAccounts(world))

interface KnownAccount {
  world: World | null
  /** All that it traded up to here is in it. */
  untilMs: TapeMs
  trades: AccountTrade[]
}

class CrowdAccounts {
  private readonly known = new Cache<string, KnownAccount>(KEPT)

  constructor(private readonly market: World) {}

  of(account: CrowdAccount, address: string): World | null {
    const { endMs } = this.market
    const known = this.known.find(address)
    if (known && known.untilMs >= endMs) return known.world
    const trades = tradesOf(this.market, account, endMs)
    if (known && known.trades.length === trades.length) {
      known.untilMs = endMs
      return known.world
    }
    const world = this.cast(account, address, trades)
    this.known.put(address, { world, untilMs: endMs, trades })
    return world
  }

  private cast(account: CrowdAccount, address: string, trades: AccountTrade[]): World | null {
    const { market } = this
    const forced = account.kind === 'forced' ? liquidationOf(market, account) : null
    if (trades.length === 0 && !forced) return null
    const db = market.memory()
    const rows = new AccountRows(db)
    for (const row of market.instruments) rows.add('instrument', row)
    const numbers = new Set(trades.flatMap(({ row }) => row.liquidation ?? []))
    if (forced) numbers.add(forced.id)
    for (const id of numbers) this.copyLiquidation(id, rows)
    const leverage = forced && forcedLeverage(forced)
    const ledger = new AccountLedger(market, rows, address, leverage)
    if (forced && account.kind === 'forced') {
      const own = trades.map(({ row }) => row)
      castForced(market, account, forced, own, ledger)
    } else for (const order of ordersOf(trades)) ledger.execute(order)
    ledger.finish()
    rows.finish()
    return accountWorldOf(market, { db, packedEndMs: tapeMs(Number.POSITIVE_INFINITY) })
  }

  /** Of a liquidation, with whom it was of where that is no account of the crowd. */
  private copyLiquidation(id: number, rows: AccountRows): void {
    const row = liquidationById(this.market, id)
    if (!row) return
    rows.add('liquidation', row)
    const known = tradersOf(this.market).list.find((one) => one.id === row.trader)
    if (known) rows.add('trader', { ...known, ...NOBODY })
  }
}

/** What is told of others: their names. */
const NOBODY = { joinMs: 0, takerRate: ZERO, makerRate: ZERO, builder: null, persona: null }

/** How much of its position had been borrowed, by what it lost. */
function forcedLeverage({ notional, closedPnl }: LiquidationRow): number {
  return Math.max(1, Math.round((0.9 * raw(notional)) / Math.max(1, -raw(closedPnl))))
}
