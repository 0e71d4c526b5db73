/** Account events: fills, changes of open orders, deposits and withdrawals. */

import type { TapeMs } from '../../clock/instant.ts'
import type { AddressFill, UserFill } from '../../contract/records/fill.ts'
import type { TimelineEvent } from '../../contract/timeline.ts'
import { columns, type RowOf } from '../rows/columns.ts'
import { FILL_SELECT, FROM_FILLS, fillRecords, type WholeFill } from '../rows/fill-rows.ts'
import { LEDGER_ENTRIES, ledgerUpdate, tradersOf } from '../rows/traders.ts'
import { fill, ledger } from '../schema/schema.ts'
import { perWorld } from '../world/cache.ts'
import type { World } from '../world/world.ts'
import { orderChanges } from './order-changes.ts'

/** A fill event; read and formatted only when the account has a subscriber. */
class FillEvent {
  readonly kind = 'fill'
  private row: WholeFill | null = null
  private forAddress: AddressFill | null = null
  private forUser: UserFill | null = null

  constructor(
    private readonly world: World,
    private readonly id: number,
    readonly timeMs: TapeMs,
    readonly address: string,
  ) {}

  get fill(): AddressFill {
    this.forAddress ??= fillRecords(this.world).address(this.whole)
    return this.forAddress
  }

  get native(): UserFill {
    this.forUser ??= fillRecords(this.world).user(this.whole)
    return this.forUser
  }

  private get whole(): WholeFill {
    this.row ??= fillById(this.world).get(this.id) as WholeFill
    return this.row
  }
}

const fillById = perWorld(({ db }) =>
  FILL_SELECT.prepare<[id: number]>(db, `${FROM_FILLS} where f.id = ?`),
)

/** Events of each kind with fromMs <= time < toMs, by time, then in the order of the rows. */
export const accountEvents = perWorld((world) => {
  const readers = statements(world)
  return (fromMs: TapeMs, toMs: TapeMs) => {
    const fills = readers.fills.all(fromMs, toMs)
    const resting = fills.filter(({ crossed }) => !crossed)
    return {
      ledger: ledgerEvents(world, readers.ledger.all(fromMs, toMs)),
      fills: fillEvents(world, fills),
      orders: orderChanges(world, fromMs, toMs, resting),
    }
  }
})

const { id, timeMs, trader, instrument, crossed } = fill
const FILLS = columns({ id, timeMs, trader, instrument, crossed })
const LEDGER = columns({ trader: ledger.trader, ...LEDGER_ENTRIES.names })
type Span = [fromMs: TapeMs, toMs: TapeMs]

function statements({ db }: World) {
  const span = 'timeMs >= ? and timeMs < ?'
  const inOrder = 'order by timeMs, id'
  return {
    fills: FILLS.prepare<Span>(db, `from fill where ${span} ${inOrder}`),
    ledger: LEDGER.prepare<Span>(db, `from ledger where ${span} and hidden = 0 ${inOrder}`),
  }
}

function fillEvents(world: World, fills: readonly RowOf<typeof FILLS>[]): TimelineEvent[] {
  const { address } = tradersOf(world)
  return fills.map(({ id, timeMs, trader }) => new FillEvent(world, id, timeMs, address(trader)))
}

function ledgerEvents(world: World, rows: readonly RowOf<typeof LEDGER>[]): TimelineEvent[] {
  const traders = tradersOf(world)
  return rows.map((row) => ({
    kind: 'ledger',
    timeMs: row.timeMs,
    address: traders.address(row.trader),
    update: ledgerUpdate(row),
  }))
}
