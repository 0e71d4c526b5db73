import { UserError } from '../../user-error.ts'
import type { BookData, EventDraft, Level } from '../tape-event.ts'
import type { UnknownRecord } from '../unknown-record.ts'
import type { DecimalReader } from './decimal-reader.ts'
import type { ImportOptions } from './importer.ts'
import type { LeftOut } from './left-out.ts'

/** How many updates wait for the first snapshot; a request for one takes seconds, not minutes. */
const WAITING_MAX = 2000

type ChainState =
  /** No full book yet: the updates wait. */
  | { name: 'waiting'; updates: UnknownRecord[] }
  /** A snapshot has come, no update after it. */
  | { name: 'fresh'; snapshotId: number }
  /** The last update ended with this id. */
  | { name: 'chained'; lastId: number }

/** What the stream of a symbol says of its sizes and times. */
export interface DepthStream {
  coin: string
  /** A size in coins, of what stands in the stream, at a price. */
  size(written: unknown, px: string): string
  /** When a frame was made, ms; some have no time of their own. */
  time(data: UnknownRecord): number
}

/**
 * One symbol's book out of snapshots and `depthUpdate`s, by the exchange's rules.
 *
 * Updates that came before the snapshot wait for it; those that end before its `lastUpdateId` are
 * dropped. From then on each one's `pu` is the `u` of the one before; where a stream has no `pu`,
 * its `U` is the number after that. Else the chain is broken.
 */
export class DepthChain {
  private state: ChainState = { name: 'waiting', updates: [] }

  constructor(
    private readonly stream: DepthStream,
    private readonly numbers: DecimalReader,
    private readonly options: ImportOptions,
    private readonly leftOut: LeftOut,
  ) {}

  snapshot(data: UnknownRecord): EventDraft[] {
    const { state } = this
    const id = updateId(data, 'lastUpdateId')
    if (state.name !== 'waiting' && id < reachedId(state)) {
      this.leftOut.count('depth snapshot older than the book it would replace')
      return []
    }
    const updates = state.name === 'waiting' ? state.updates : []
    const book: EventDraft = {
      time: this.stream.time(data),
      kind: 'book',
      coin: this.stream.coin,
      data: this.levels({ bids: data.bids, asks: data.asks }, false),
    }
    this.state = { name: 'fresh', snapshotId: id }
    return [book, ...updates.flatMap((update) => this.update(update))]
  }

  update(data: UnknownRecord): EventDraft[] {
    const { state } = this
    const last = updateId(data, 'u')
    if (state.name === 'waiting') {
      // Refused now, it is its own line that is named, and not that of the snapshot.
      this.levels({ bids: data.b, asks: data.a }, true)
      this.enqueue(state.updates, data)
      return []
    }
    if (last < reachedId(state) || (state.name === 'chained' && last === state.lastId)) {
      this.leftOut.count('depthUpdate older than the book')
      return []
    }
    // Ids count over all symbols: only pu shows whether an update of this symbol is missing.
    if (!follows(data, state)) return this.broken(data, reachedId(state))
    const changes = this.levels({ bids: data.b, asks: data.a }, true)
    const [time, { coin }] = [this.stream.time(data), this.stream]
    // Not before all of it is read: without one that is refused, the chain is broken.
    this.state = { name: 'chained', lastId: last }
    return [{ time, kind: 'delta', coin, data: changes }]
  }

  /** The connection was lost: what follows is of use after the next snapshot only. */
  reset(): void {
    this.end()
    this.state = { name: 'waiting', updates: [] }
  }

  end(): void {
    if (this.state.name !== 'waiting') return
    for (const _ of this.state.updates) this.leftOut.count('depthUpdate without a depth snapshot')
  }

  private broken(data: UnknownRecord, reachedId: number): EventDraft[] {
    if (!this.options.resync)
      throw new UserError(
        `breaks the chain of ${this.stream.coin}'s book: its ${chainText(data)}, the book is at ` +
          `${reachedId}; with --resync the book goes on at the next depth snapshot`,
      )
    this.leftOut.count('break in the chain of depthUpdates')
    this.state = { name: 'waiting', updates: [data] }
    return []
  }

  private enqueue(updates: UnknownRecord[], data: UnknownRecord): void {
    updates.push(data)
    if (updates.length <= WAITING_MAX) return
    updates.shift()
    this.leftOut.count('depthUpdate without a depth snapshot')
  }

  private levels({ bids, asks }: { bids: unknown; asks: unknown }, changes: boolean): BookData {
    return { bids: this.side(bids, -1, changes), asks: this.side(asks, 1, changes) }
  }

  private side(levels: unknown, direction: 1 | -1, changes: boolean): Level[] {
    if (!Array.isArray(levels)) throw new UserError('has a side of the book that is no list')
    return levels
      .map((level: unknown): Level => {
        if (!Array.isArray(level)) throw new UserError('has a level that is not [price, size]')
        const px = this.numbers.px(this.stream.coin, level[0])
        const sz = this.stream.size(level[1], px)
        return [px, sz, sz === '0' ? 0 : 1]
      })
      .filter(([, sz]) => changes || sz !== '0')
      .sort(([a], [b]) => direction * (Number(a) - Number(b)))
  }
}

/** Whether an update is the one that comes next. Ids of futures count over all symbols. */
function follows(data: UnknownRecord, state: Exclude<ChainState, { name: 'waiting' }>): boolean {
  if (typeof data.pu === 'number')
    return state.name === 'fresh' ? data.pu <= state.snapshotId : data.pu === state.lastId
  return updateId(data, 'U') <= reachedId(state) + 1
}

const chainText = ({ pu, U }: UnknownRecord): string =>
  typeof pu === 'number' ? `pu is ${pu}` : `U is ${U}`

function reachedId(state: Exclude<ChainState, { name: 'waiting' }>): number {
  return state.name === 'fresh' ? state.snapshotId : state.lastId
}

function updateId(data: UnknownRecord, name: string): number {
  const id = data[name]
  if (typeof id === 'number') return id
  throw new UserError(`has no ${name}, the number of a change of the book`)
}
