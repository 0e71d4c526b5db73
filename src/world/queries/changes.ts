/** What changed in the open orders of whom, instant by instant. */
import type { Happening } from '../../contract/facts.ts'
import type { FilledOrder } from '../../contract/records/order.ts'
import type { InstrumentRow } from '../schema.ts'
import type { World } from '../world.ts'
import { filledOrder, ORDER_COLUMNS, type OrderValues } from './order-rows.ts'
import { perWorld } from './per-world.ts'
import { tradersOf } from './traders.ts'

type OrderHappening = Extract<Happening, { kind: 'order' }>

/** A fill as far as it matters here. */
export interface Resting {
  timeMs: number
  trader: number
  instrument: number
}

/**
 * The order happenings with fromMs <= time < toMs, by time and then in the order of what caused
 * them. One stands for everything that an instant changes in an account's open orders of a dex;
 * where several orders with something filled end at once, there is one for each.
 *
 * `resting` are the fills of resting orders in that span: a taker's order never stands open.
 */
export function orderChanges(
  world: World,
  fromMs: number,
  toMs: number,
  resting: readonly Resting[],
): OrderHappening[] {
  const { placed, ended } = statements(world)
  const changes: Change[] = []
  for (const [trader, instrument, timeMs] of placed.values(fromMs, toMs) as PlacedValues[])
    changes.push({ timeMs, trader, instrument, ended: null })
  for (const { timeMs, trader, instrument } of resting)
    changes.push({ timeMs, trader, instrument, ended: null })
  for (const row of ended.values(fromMs, toMs) as EndedValues[]) {
    const [trader, instrument, timeMs, oid, filledSz] = row
    changes.push({ timeMs, trader, instrument, ended: filledSz > 0 ? oid : null })
  }
  changes.sort((a, b) => a.timeMs - b.timeMs)
  return happenings(world, changes)
}

interface Change {
  timeMs: number
  trader: number
  instrument: number
  /** The order that ended with something filled. */
  ended: number | null
}

/** One for each account and instant, or for each order that ended there with something filled. */
function happenings(world: World, changes: readonly Change[]): OrderHappening[] {
  const { address } = tradersOf(world)
  const made: OrderChange[] = []
  let ofInstant = new Map<string, OrderChange>()
  let instantMs = -1
  for (const { timeMs, trader, instrument, ended } of changes) {
    if (timeMs !== instantMs) ofInstant = new Map()
    instantMs = timeMs
    const { dex } = world.instruments[instrument] as InstrumentRow
    const key = dex === '' ? String(trader) : `${trader}/${dex}`
    const known = ofInstant.get(key)
    if (known && (ended === null || known.oid === null)) {
      known.oid ??= ended
      continue
    }
    const change = new OrderChange(world, timeMs, address(trader), dex, known === undefined, ended)
    ofInstant.set(key, change)
    made.push(change)
  }
  return made
}

/** Written out only when somebody follows the account: most are never asked for. */
class OrderChange {
  readonly kind = 'order'
  private written: FilledOrder | null = null

  constructor(
    private readonly world: World,
    readonly timeMs: number,
    readonly address: string,
    readonly dex: string,
    readonly first: boolean,
    public oid: number | null,
  ) {}

  get ended(): FilledOrder | null {
    if (this.oid === null) return null
    if (this.written) return this.written
    const row = statements(this.world).byId.get(this.oid) as OrderValues
    this.written = filledOrder(this.world, row)
    return this.written
  }
}

type PlacedValues = [trader: number, instrument: number, timeMs: number]
type EndedValues = [
  trader: number,
  instrument: number,
  endMs: number,
  oid: number,
  filledSz: number,
]

const statements = perWorld(({ db }) => ({
  // Orders that end where they begin never stand open.
  placed: db.prepare(
    `select trader, instrument, timeMs from orders where timeMs >= ? and timeMs < ?
     and (endMs is null or endMs > timeMs) order by timeMs, oid`,
  ),
  ended: db.prepare(
    `select trader, instrument, endMs, oid, filledSz from orders where endMs >= ? and endMs < ?
     and (endMs > timeMs or filledSz > 0) order by endMs, oid`,
  ),
  byId: db.prepare(`select ${ORDER_COLUMNS} from orders o where o.oid = ?`),
}))
