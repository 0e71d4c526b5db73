/**
 * Accounts of the crowd as worlds: the rows of one account in memory, made when somebody asks for
 * it, on the market of the world that it traded in. So all that can be asked of a trader can be
 * asked of it, and is answered by the same queries.
 */

import { later, type TapeMs, tapeMs } from '../../clock/instant.ts'
import { type Sz, ZERO } from '../../decimal/quantity.ts'
import { columns } from '../rows/columns.ts'
import { tradersOf } from '../rows/traders.ts'
import { fill } from '../schema/schema.ts'
import { Cache } from '../world/cache.ts'
import {
  type CrowdAccount,
  crowdAccountAt,
  crowdAddress,
  liquidatedAt,
} from '../world/crowd-address.ts'
import { isOrderNumber } from '../world/order-numbers.ts'
import { accountWorldOf, perMarket, perWorld, viewOf } from '../world/per-world.ts'
import type { World } from '../world/world.ts'
import { AccountLedger } from './account-ledger.ts'
import { ordersOf } from './account-orders.ts'
import { AccountRows } from './account-rows.ts'
import {
  type AccountTrade,
  ANNOUNCED_MS,
  liquidationById,
  liquidationOf,
  tradesOf,
} from './account-trades.ts'
import { castForced, forcedLeverage } from './forced-account.ts'

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
