import { UserError } from '../../user-error.ts'
import type { EventDraft, Level } from '../tape-event.ts'
import type { LeftOut } from './left-out.ts'
import type { TableColumns } from './table-columns.ts'
import type { TableMarket, TardisMarkets } from './tardis-markets.ts'
import { readTimeMs } from './time-text.ts'

/** More levels than any exchange has in a book. */
const LEVELS_MAX = 200_000

/** Rows of one message: those of a symbol with one local time. */
interface Group {
  key: string
  market: TableMarket
  isSnapshot: boolean
  time: number
  bids: Map<string, Level>
  asks: Map<string, Level>
}

/**
 * Books out of a level a row: rows of one message are one change; rows of a snapshot are the full
 * book, whatever was there before. Changes before the first snapshot are of no use.
 */
export class LevelRows {
  private readonly markets: TardisMarkets
  private readonly leftOut: LeftOut
  private readonly places: Record<
    'exchange' | 'symbol' | 'time' | 'local' | 'snapshot' | 'side' | 'price' | 'amount',
    number
  >
  private group: Group | null = null
  /** Whether the last message of a symbol was a snapshot, or a part of one. */
  private readonly wasSnapshot = new Map<string, boolean>()

  constructor(context: { columns: TableColumns; markets: TardisMarkets; leftOut: LeftOut }) {
    const { columns } = context
    this.markets = context.markets
    this.leftOut = context.leftOut
    this.places = {
      exchange: columns.place('exchange'),
      symbol: columns.place('symbol'),
      time: columns.place('timestamp'),
      local: columns.place('local_timestamp'),
      snapshot: columns.place('is_snapshot'),
      side: columns.place('side'),
      price: columns.place('price'),
      amount: columns.place('amount'),
    }
  }

  row(cells: readonly string[]): EventDraft[] {
    const at = this.places
    const [symbol = '', snapshot = ''] = [cells[at.symbol], cells[at.snapshot]]
    if (snapshot !== 'true' && snapshot !== 'false')
      throw new UserError(`has is_snapshot "${snapshot}", known: true and false`)
    const isSnapshot = snapshot === 'true'
    const market = this.markets.market(cells[at.exchange] ?? '', symbol)
    const px = this.markets.px(market, cells[at.price])
    const sz = this.markets.sz(market, cells[at.amount], px)
    const time = readTimeMs(cells[at.time] ?? '', 'us')
    const key = `${symbol} ${isSnapshot ? '' : cells[at.local]}`
    const isSame = this.group?.key === key && this.group.isSnapshot === isSnapshot
    const ready = isSame ? [] : this.end()
    this.group ??= { key, market, isSnapshot, time, bids: new Map(), asks: new Map() }
    this.put(this.group, cells[at.side], [px, sz, sz === '0' ? 0 : 1])
    this.group.time = Math.max(this.group.time, time)
    return ready
  }

  /** The message that was being read. */
  end(): EventDraft[] {
    const { group } = this
    this.group = null
    if (group === null) return []
    const { isSnapshot, market, time } = group
    const { coin } = market
    const continues = isSnapshot && this.wasSnapshot.get(coin) === true
    if (!isSnapshot && !this.wasSnapshot.has(coin)) {
      this.leftOut.count('change of a book before its first snapshot')
      return []
    }
    this.wasSnapshot.set(coin, isSnapshot)
    const isFull = isSnapshot && !continues
    const data = { bids: levels(group.bids, -1, isFull), asks: levels(group.asks, 1, isFull) }
    return [{ time, kind: isFull ? 'book' : 'delta', coin, data }]
  }

  private put({ bids, asks }: Group, side: string | undefined, level: Level): void {
    const levels = side === 'bid' ? bids : asks
    if (side !== 'bid' && side !== 'ask')
      throw new UserError(`has side "${side}", known: bid and ask`)
    levels.set(level[0], level)
    if (levels.size > LEVELS_MAX)
      throw new UserError(`has more than ${LEVELS_MAX} levels on a side of a book`)
  }
}

function levels(side: ReadonlyMap<string, Level>, direction: 1 | -1, isFull: boolean): Level[] {
  return [...side.values()]
    .filter(([, sz]) => !isFull || sz !== '0')
    .sort(([a], [b]) => direction * (Number(a) - Number(b)))
}
