/** What traders own at a moment, for one of them or for all. */

import { sql } from 'drizzle-orm'
import { type TapeMs, tapeMs } from '../../../clock/instant.ts'
import { sum, type Usd, ZERO } from '../../../decimal/quantity.ts'
import { columns } from '../../rows/columns.ts'
import { fill, orders } from '../../schema.ts'
import type { World } from '../../world.ts'
import { type Account, accountOf } from '../account.ts'
import type { Place } from '../charges.ts'
import { perWorld } from '../per-world.ts'
import { PurseReader } from '../purse.ts'
import { standingPurses } from '../standing.ts'
import { type Trader, tradersOf } from '../traders.ts'
import { SpotWorth } from './spot-worth.ts'

/** What a trader owns, read as it is asked for. */
export interface Snapshot {
  /** The account on the main dex. */
  readonly main: Account
  /** Equity on all builder dexes. */
  readonly builder: Usd
  readonly spot: Usd
  /** When the newest order was placed; null before the first. */
  readonly orderedMs: TapeMs | null
  /** Newest order placed or fill; null before the first. */
  readonly operatedMs: TapeMs | null
}

/** From here on everybody's state is carried along rather than read anew. */
const MANY = 40

/** Reads snapshots as of one moment, each trader once. Of use while the moment lasts. */
export class Snapshots {
  private readonly atMs: TapeMs
  private readonly purses: PurseReader
  private readonly spots: SpotWorth
  private readonly known = new Map<number, Snapshot>()

  constructor(
    private readonly world: World,
    place: Place,
    howMany: number,
  ) {
    this.atMs = place.atMs
    this.purses = howMany < MANY ? new PurseReader(world, place) : standingPurses(world, place)
    this.spots = new SpotWorth(world, place.atMs)
  }

  /** An account of zeros for nobody. */
  of(trader: Trader | undefined): Snapshot {
    if (!trader) return NOBODY
    const known = this.known.get(trader.id)
    if (known) return known
    const snapshot = new Reading(this, trader)
    this.known.set(trader.id, snapshot)
    return snapshot
  }

  account(address: string, dex: string): Account {
    return accountOf(this.purses.read(address, dex) ?? NOTHING)
  }

  builder(address: string): Usd {
    const equity = (dex: string) => this.account(address, dex).all.accountValue
    return sum(builderDexesOf(this.world).map(equity))
  }

  spot(trader: number): Usd {
    return this.spots.read(trader)
  }

  newest(of: 'order' | 'fill', trader: number): TapeMs | null {
    return statements(this.world)[of].get(trader, this.atMs)?.timeMs ?? null
  }
}

class Reading implements Snapshot {
  private known: { -readonly [Name in keyof Snapshot]?: Snapshot[Name] } = {}

  constructor(
    private readonly from: Snapshots,
    private readonly trader: Trader,
  ) {}

  get main(): Account {
    this.known.main ??= this.from.account(this.trader.address, '')
    return this.known.main
  }

  get builder(): Usd {
    this.known.builder ??= this.from.builder(this.trader.address)
    return this.known.builder
  }

  get spot(): Usd {
    this.known.spot ??= this.from.spot(this.trader.id)
    return this.known.spot
  }

  get orderedMs(): TapeMs | null {
    if (this.known.orderedMs === undefined)
      this.known.orderedMs = this.from.newest('order', this.trader.id)
    return this.known.orderedMs
  }

  get operatedMs(): TapeMs | null {
    if (this.known.operatedMs === undefined)
      this.known.operatedMs = latest(this.orderedMs, this.from.newest('fill', this.trader.id))
    return this.known.operatedMs
  }
}

/** Traders that have done anything by then. */
export function begunTraders(world: World, atMs: TapeMs): Trader[] {
  const begun = beginnings(world)
  return tradersOf(world).list.filter(
    ({ id }) => (begun.get(id) ?? Number.POSITIVE_INFINITY) <= atMs,
  )
}

const NOTHING = { cash: ZERO, holdings: [] }
const NOBODY: Snapshot = {
  main: accountOf(NOTHING),
  builder: ZERO,
  spot: ZERO,
  orderedMs: null,
  operatedMs: null,
}

function latest(a: TapeMs | null, b: TapeMs | null): TapeMs | null {
  return a === null || b === null ? (a ?? b) : tapeMs(Math.max(a, b))
}

const builderDexesOf = perWorld(({ instruments }) => [
  ...new Set(instruments.map(({ dex }) => dex).filter((dex) => dex !== '')),
])

type At = [trader: number, atMs: TapeMs]

const statements = perWorld(({ db }) => {
  const newest = 'where trader = ? and timeMs <= ? order by timeMs desc limit 1'
  return {
    order: columns({ timeMs: orders.timeMs }).prepare<At>(db, `from orders ${newest}`),
    fill: columns({ timeMs: fill.timeMs }).prepare<At>(db, `from fill ${newest}`),
  }
})

/** When each trader's first row is. */
const beginnings = perWorld(({ db }) => {
  const first = columns({ trader: sql<number>`trader`, timeMs: sql<TapeMs>`min(timeMs)` })
  const rows = first.prepare<[]>(
    db,
    `from (select trader, timeMs from fill union all select trader, timeMs from ledger)
     group by trader`,
  )
  return new Map(rows.all().map(({ trader, timeMs }) => [trader, timeMs]))
})
