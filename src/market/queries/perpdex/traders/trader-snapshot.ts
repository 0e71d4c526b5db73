/** What traders own at a moment, for one of them or for all. */

import { sql } from 'drizzle-orm'
import { type TapeMs, tapeMs } from '../../../../clock/instant.ts'
import { add, sum, type Usd, usd, ZERO } from '../../../../decimal/quantity.ts'
import { positionValue } from '../../../accounting/margin.ts'
import { AccountStateReader } from '../../../rows/account-state.ts'
import { type AccountSummary, accountSummaryOf } from '../../../rows/account-summary.ts'
import { columns } from '../../../rows/columns.ts'
import type { Place } from '../../../rows/funding-charges.ts'
import { markPx } from '../../../rows/mark-prices.ts'
import { packedRows } from '../../../rows/packed-rows.ts'
import { traderHistories } from '../../../rows/trader-histories.ts'
import { accountOn } from '../../../rows/trader-history.ts'
import { type Trader, tradersOf } from '../../../rows/traders.ts'
import { fill, orders } from '../../../schema/schema.ts'
import { perWorld } from '../../../world/per-world.ts'
import type { World } from '../../../world/world.ts'

// What spot accounts are worth.

/** Cash, and tokens at the mark price or else the last one. */
function spotValue(world: World, trader: number, atMs: TapeMs): Usd {
  const history = traderHistories(world).of(trader)
  const account = accountOn(history, 'spot')
  if (!account) return ZERO
  let worth = usd(account.cash.at(atMs) ?? 0)
  for (const holding of history.holdings) {
    const { instrument } = holding
    if (instrument.kind !== 'spot') continue
    const balance = holding.sz(holding.lastUpTo(atMs))
    const px = markPx(world, instrument, atMs) ?? ZERO
    worth = add(worth, positionValue(balance, px, instrument))
  }
  return worth
}

/** What a trader owns, read when it is needed. */
export interface TraderSnapshot {
  /** The account on the main dex. */
  readonly main: AccountSummary
  /** Equity on all builder dexes. */
  readonly builder: Usd
  readonly spot: Usd
  /** When the newest order was placed; null before the first. */
  readonly lastOrderMs: TapeMs | null
  /** Newest order placed or fill; null before the first. */
  readonly lastActivityMs: TapeMs | null
}

/** Reads snapshots as of one moment, each trader once. Of use while the moment lasts. */
export class TraderSnapshots {
  private readonly atMs: TapeMs
  private readonly accountStates: AccountStateReader
  private readonly known = new Map<number, TraderSnapshot>()

  constructor(
    private readonly world: World,
    place: Place,
  ) {
    this.atMs = place.atMs
    this.accountStates = new AccountStateReader(world, place)
  }

  /** An account of zeros for an unknown trader. */
  of(trader: Trader | undefined): TraderSnapshot {
    if (!trader) return EMPTY_SNAPSHOT
    const known = this.known.get(trader.id)
    if (known) return known
    const snapshot = new LazySnapshot(this, trader)
    this.known.set(trader.id, snapshot)
    return snapshot
  }

  account(trader: number, dex: string): AccountSummary {
    return accountSummaryOf(this.accountStates.readTrader(trader, dex) ?? EMPTY_STATE)
  }

  builder(trader: number): Usd {
    const equity = (dex: string) => this.account(trader, dex).all.accountValue
    return sum(builderDexesOf(this.world).map(equity))
  }

  spot(trader: number): Usd {
    return spotValue(this.world, trader, this.atMs)
  }

  newest(of: 'order' | 'fill', trader: number): TapeMs | null {
    return statements(this.world)[of].get(trader, this.atMs)?.timeMs ?? null
  }
}

class LazySnapshot implements TraderSnapshot {
  private values: { -readonly [Name in keyof TraderSnapshot]?: TraderSnapshot[Name] } = {}

  constructor(
    private readonly from: TraderSnapshots,
    private readonly trader: Trader,
  ) {}

  get main(): AccountSummary {
    this.values.main ??= this.from.account(this.trader.id, '')
    return this.values.main
  }

  get builder(): Usd {
    this.values.builder ??= this.from.builder(this.trader.id)
    return this.values.builder
  }

  get spot(): Usd {
    this.values.spot ??= this.from.spot(this.trader.id)
    return this.values.spot
  }

  get lastOrderMs(): TapeMs | null {
    if (this.values.lastOrderMs === undefined)
      this.values.lastOrderMs = this.from.newest('order', this.trader.id)
    return this.values.lastOrderMs
  }

  get lastActivityMs(): TapeMs | null {
    if (this.values.lastActivityMs === undefined)
      this.values.lastActivityMs = latest(
        this.lastOrderMs,
        this.from.newest('fill', this.trader.id),
      )
    return this.values.lastActivityMs
  }
}

/** Traders that have done anything by then. */
export function activeTraders(world: World, atMs: TapeMs): Trader[] {
  const firstMs = firstActivity(world)
  return tradersOf(world).list.filter(
    ({ id }) => (firstMs.get(id) ?? Number.POSITIVE_INFINITY) <= atMs,
  )
}

const EMPTY_STATE = { cash: ZERO, holdings: [] }
const EMPTY_SNAPSHOT: TraderSnapshot = {
  main: accountSummaryOf(EMPTY_STATE),
  builder: ZERO,
  spot: ZERO,
  lastOrderMs: null,
  lastActivityMs: null,
}

function latest(a: TapeMs | null, b: TapeMs | null): TapeMs | null {
  return a === null || b === null ? (a ?? b) : tapeMs(Math.max(a, b))
}

const builderDexesOf = perWorld(({ instruments }) => [
  ...new Set(instruments.map(({ dex }) => dex).filter((dex) => dex !== '')),
])

type At = [trader: number, atMs: TapeMs]
type Span = [afterMs: TapeMs, toMs: TapeMs]
const FIRSTS = columns({ trader: sql<number>`r.trader`, timeMs: sql<TapeMs>`min(r.timeMs)` })

const statements = perWorld(({ db }) => {
  const newest = 'where trader = ? and timeMs <= ? order by timeMs desc limit 1'
  const span = 'timeMs > ? and timeMs <= ?'
  return {
    order: columns({ timeMs: orders.timeMs }).prepare<At>(db, `from orders ${newest}`),
    fill: columns({ timeMs: fill.timeMs }).prepare<At>(db, `from fill ${newest}`),
    firsts: FIRSTS.prepare<[...Span, ...Span]>(
      db,
      `from (select trader, timeMs from fill where ${span}
       union all select trader, timeMs from ledger where ${span}) r group by r.trader`,
    ),
  }
})

/** When each trader's first row is. */
const firstActivity = (world: World) => firstRows(world).firsts

const firstRows = perWorld(
  (world) => {
    const firsts = new Map<number, number>()
    for (const { data, first, length } of packedRows(world).sections('firsts', 0))
      for (let at = first; at < first + length; at += 2)
        if ((data[at + 1] as number) <= world.packedEndMs)
          firsts.set(data[at] as number, data[at + 1] as number)
    return withLater(world, firsts, world.packedEndMs)
  },
  ({ firsts, endMs }, world) => withLater(world, firsts, endMs),
)

/** And those of the traders who did nothing up to an instant. */
function withLater(world: World, firsts: Map<number, number>, afterMs: TapeMs) {
  const { endMs } = world
  if (afterMs < endMs)
    for (const { trader, timeMs } of statements(world).firsts.all(afterMs, endMs, afterMs, endMs))
      if (!firsts.has(trader)) firsts.set(trader, timeMs)
  return { firsts, endMs }
}
