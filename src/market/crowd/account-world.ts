/**
 * Worlds of single crowd accounts: one account's rows in memory, made on request, on the market of
 * its world. The same queries answer for it as for a trader.
 */

import { later, type TapeMs, tapeMs } from '../../clock/instant.ts'
import { type Sz, ZERO } from '../../decimal/quantity.ts'
import { columns } from '../rows/columns.ts'
import { tradersOf } from '../rows/traders.ts'
import { fill } from '../schema/schema.ts'
import { accountWorldOf, Cache, perMarket, perWorld, viewOf } from '../world/cache.ts'
import {
  type CrowdAccount,
  crowdAccountAt,
  crowdAddress,
  isOrderNumber,
  liquidatedAt,
} from '../world/crowd-address.ts'
import type { World } from '../world/world.ts'
import {
  AccountLedger,
  AccountRows,
  type AccountTrade,
  ANNOUNCED_MS,
  liquidationById,
  liquidationOf,
  ordersOf,
  tradesOf,
} from './account-ledger.ts'
import { castForced, forcedLeverage } from './forced-account.ts'

/** Number of cached accounts, about 300 kilobytes each. */
const KEPT = 48
const POSITIONS_KEPT = 20_000

/**
 * The world of an address's account; null unless it is a crowd account. One that a recording names
 * is a trader, also where its address is that of a crowd account of the recorded market.
 */
export function accountWorld(market: World, address: string): World | null {
  const account = tradersOf(market).find(address) ? null : crowdAccountAt(address)
  const world = account && accountsOf(market).of(account, address.toLowerCase())
  return world && viewOf(world, market)
}

/** The same by the number of an order that the account placed. */
export function accountOfOrder(market: World, oid: number): World | null {
  return isOrderNumber(oid) ? accountWorld(market, crowdAddress(oid)) : null
}

/**
 * Whether a liquidated account may have an event in a span without a trade: its liquidation is
 * announced before it is traded.
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

/** Position of an order's account after one of its trades. */
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

/** Past trades never change. */
const heldAfter = perMarket(() => new Cache<number, Sz>(POSITIONS_KEPT))

const fillOf = perWorld(({ db }) =>
  columns({ positionAfter: fill.positionAfter }).prepare<[timeMs: TapeMs, trade: number]>(
    db,
    'from fill where timeMs = ? and trade = ?',
  ),
)

const accountsOf = perMarket((world) => new CrowdAccounts(world))

/** Accounts are not older than the history. */
const beginOf = ({ meta }: World, startMs: number): TapeMs =>
  later(meta.historyStartMs, Math.max(0, startMs))

interface KnownAccount {
  world: World | null
  /** All its trades up to here are included. */
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
    if (known?.world && known.trades.length === trades.length) {
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
    const beginMs = account.kind === 'trading' ? beginOf(market, account.startMs) : null
    if (trades.length === 0 && !forced && (beginMs ?? market.endMs) >= market.endMs) return null
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
    } else {
      if (account.kind === 'trading' && beginMs !== null) ledger.begin(beginMs, account.rank)
      for (const order of ordersOf(trades)) ledger.execute(order)
    }
    ledger.finish()
    rows.finish()
    return accountWorldOf(market, { db, packedEndMs: tapeMs(Number.POSITIVE_INFINITY) })
  }

  /** Copies a liquidation, with its trader where it is not a crowd account's. */
  private copyLiquidation(id: number, rows: AccountRows): void {
    const row = liquidationById(this.market, id)
    if (!row) return
    rows.add('liquidation', row)
    const known = tradersOf(this.market).list.find((one) => one.id === row.trader)
    if (known) rows.add('trader', { ...known, ...NO_TRADER })
  }
}

/** Placeholder for other traders, of whom only names are shown. */
const NO_TRADER = {
  joinMs: 0,
  builder: null,
  mode: 'separated',
  master: null,
  persona: null,
} as const
