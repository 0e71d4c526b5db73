/** Finds what an account of the crowd traded: few instants are looked at. */
import { getTableColumns } from 'drizzle-orm'
import { later, type TapeMs, tapeMs } from '../../clock/instant.ts'
import { columns } from '../rows/columns.ts'
import { CROWD, type LiquidationRow, liquidation, type TradeRow, trade } from '../schema/schema.ts'
import { type CrowdAccount, crowdAccount, intervalAt, intervalOf } from '../world/crowd-address.ts'
import { perWorld } from '../world/per-world.ts'
import type { World } from '../world/world.ts'

/** A number is given at most so long after the instant of its order, where there are very many. */
const LATE_MS = 200
/** A liquidation is announced at most so long before its first trade. */
export const ANNOUNCED_MS = 10_000

/** One side of a trade. */
export interface AccountTrade {
  row: TradeRow
  buys: boolean
}

/** The trades of an account with fromMs <= time <= untilMs, in their order. */
export function tradesOf(
  world: World,
  account: CrowdAccount,
  untilMs: TapeMs,
  fromMs = tapeMs(0),
): AccountTrade[] {
  const { historyStartMs } = world.meta
  const found: AccountTrade[] = []
  const [spans, overlap] =
    account.kind === 'trading'
      ? [account.intervals, LATE_MS]
      : [[[account.ms, account.ms + ANNOUNCED_MS] as const], LATE_MS]
  for (const [startMs, endMs] of spans) {
    const lastMs = later(historyStartMs, endMs - 1)
    if (lastMs < fromMs) continue
    const firstMs = later(historyStartMs, startMs - overlap)
    if (firstMs > untilMs) break
    const rows = statements(world).trades.all(
      tapeMs(Math.max(firstMs, fromMs)),
      tapeMs(Math.min(lastMs, untilMs)),
    )
    for (const row of rows) {
      const buys = sideOf(account, row, startMs)
      if (buys !== null) found.push({ row, buys })
    }
  }
  return found
}

/** The liquidation of such an account; null before it, and where there was none. */
export function liquidationOf(
  world: World,
  { ms, oid }: CrowdAccount & { kind: 'forced' },
): LiquidationRow | null {
  const atMs = later(world.meta.historyStartMs, ms)
  return statements(world).forced.get(later(atMs, -ANNOUNCED_MS), later(atMs, ANNOUNCED_MS), oid)
}

/** A liquidation by its number. */
export const liquidationById = (world: World, id: number): LiquidationRow | null =>
  statements(world).byId.get(id)

/** Whether the account bought in a trade; null where it is in none. */
function sideOf(account: CrowdAccount, row: TradeRow, startMs: number): boolean | null {
  const own = (trader: number, oid: number) => {
    if (trader !== CROWD || crowdAccount(oid) !== account.number) return false
    // An order at the edge of two intervals is found in one of them.
    return account.kind === 'forced' || intervalOf(oid) === intervalAt(startMs)
  }
  if (own(row.buyer, row.buyerOid)) return true
  return own(row.seller, row.sellerOid) ? false : null
}

const statements = perWorld(({ db }) => {
  const forced = columns(getTableColumns(liquidation))
  return {
    trades: columns(getTableColumns(trade)).prepare<[fromMs: TapeMs, toMs: TapeMs]>(
      db,
      `from trade where timeMs between ? and ? and (buyer = ${CROWD} or seller = ${CROWD})
       order by timeMs, id`,
    ),
    forced: forced.prepare<[fromMs: TapeMs, toMs: TapeMs, oid: number]>(
      db,
      'from liquidation where timeMs between ? and ? and oid = ?',
    ),
    byId: forced.prepare<[id: number]>(db, 'from liquidation where id = ?'),
  }
})
