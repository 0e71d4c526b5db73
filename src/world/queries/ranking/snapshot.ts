/** What traders own at a moment, for one of them or for all. */
import type { World } from '../../world.ts'
import { type Account, accountOf } from '../account.ts'
import type { Place } from '../charges.ts'
import { perWorld } from '../per-world.ts'
import { PurseReader } from '../purse.ts'
import { standingPurses } from '../standing.ts'
import { type Trader, tradersOf } from '../traders.ts'
import { SpotWorth } from './spot-worth.ts'

/** What a trader owns, read as it is asked for. Money in micro-dollars. */
export interface Snapshot {
  /** The account on the main dex. */
  readonly main: Account
  /** Equity on all builder dexes. */
  readonly builder: number
  readonly spot: number
  /** When the newest order was placed; null before the first. */
  readonly orderedMs: number | null
  /** Newest order placed or fill; null before the first. */
  readonly operatedMs: number | null
}

/** From here on everybody's state is carried along rather than read anew. */
const MANY = 40

/** Reads snapshots as of one moment, each trader once. Of use while the moment lasts. */
export class Snapshots {
  private readonly atMs: number
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

  builder(address: string): number {
    const equity = (dex: string) => this.account(address, dex).all.accountValue
    return builderDexesOf(this.world).reduce((sum, dex) => sum + equity(dex), 0)
  }

  spot(trader: number): number {
    return this.spots.read(trader)
  }

  newest(of: 'order' | 'fill', trader: number): number | null {
    const [row] = statements(this.world)[of].values(trader, this.atMs) as [number | null][]
    return row?.[0] ?? null
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

  get builder(): number {
    this.known.builder ??= this.from.builder(this.trader.address)
    return this.known.builder
  }

  get spot(): number {
    this.known.spot ??= this.from.spot(this.trader.id)
    return this.known.spot
  }

  get orderedMs(): number | null {
    if (this.known.orderedMs === undefined)
      this.known.orderedMs = this.from.newest('order', this.trader.id)
    return this.known.orderedMs
  }

  get operatedMs(): number | null {
    if (this.known.operatedMs === undefined)
      this.known.operatedMs = latest(this.orderedMs, this.from.newest('fill', this.trader.id))
    return this.known.operatedMs
  }
}

/** Traders that have done anything by then. */
export function begunTraders(world: World, atMs: number): Trader[] {
  const begun = beginnings(world)
  return tradersOf(world).list.filter(
    ({ id }) => (begun.get(id) ?? Number.POSITIVE_INFINITY) <= atMs,
  )
}

const NOTHING = { cash: 0, holdings: [] }
const NOBODY: Snapshot = {
  main: accountOf(NOTHING),
  builder: 0,
  spot: 0,
  orderedMs: null,
  operatedMs: null,
}

function latest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b)
}

const builderDexesOf = perWorld(({ instruments }) => [
  ...new Set(instruments.map(({ dex }) => dex).filter((dex) => dex !== '')),
])

const statements = perWorld(({ db }) => {
  const newestOf = (table: string) =>
    db.prepare(`select max(timeMs) from ${table} where trader = ? and timeMs <= ?`)
  return { order: newestOf('orders'), fill: newestOf('fill') }
})

/** When each trader's first row is. */
const beginnings = perWorld(({ db }) => {
  const rows = db
    .prepare(
      `select trader, min(timeMs) from (select trader, timeMs from fill
       union all select trader, timeMs from ledger) group by trader`,
    )
    .values() as [number, number][]
  return new Map(rows)
})
