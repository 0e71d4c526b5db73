import { UserError } from '../../user-error.ts'
import type { BookData, EventDraft, Level } from '../tape-event.ts'
import type { UnknownRecord } from '../unknown-record.ts'
import type { DecimalReader } from './decimal-reader.ts'
import type { ImportOptions } from './importer.ts'

/** How many updates wait for the first snapshot; a request for one takes seconds, not minutes. */
const WAITING_MAX = 2000

type ChainState =
  /** No full book yet: the updates wait. */
  | { name: 'waiting'; updates: UnknownRecord[] }
  /** A snapshot has come, no update after it. */
  | { name: 'fresh'; snapshotId: number }
  /** The last update ended with this id. */
  | { name: 'chained'; lastId: number }

/**
 * One symbol's book out of snapshots and `depthUpdate`s, by the exchange's rules.
 *
 * Updates that came before the snapshot wait for it; those that end before its `lastUpdateId` are
 * dropped; from then on each one's `pu` is the `u` of the one before, or the chain is broken.
 */
export class DepthChain {
  private state: ChainState = { name: 'waiting', updates: [] }

  constructor(
    readonly coin: string,
    private readonly numbers: DecimalReader,
    private readonly options: ImportOptions,
    private readonly leaveOut: (what: string) => void,
  ) {}

  snapshot(data: UnknownRecord): EventDraft[] {
    const { state } = this
    const id = updateId(data, 'lastUpdateId')
    if (state.name !== 'waiting' && id < reachedId(state)) {
      this.leaveOut('depth snapshot older than the book it would replace')
      return []
    }
    const updates = state.name === 'waiting' ? state.updates : []
    this.state = { name: 'fresh', snapshotId: id }
    const levels = { bids: data.bids, asks: data.asks }
    const book: EventDraft = {
      time: engineTime(data),
      kind: 'book',
      coin: this.coin,
      data: this.levels(levels, false),
    }
    return [book, ...updates.flatMap((update) => this.update(update))]
  }

  update(data: UnknownRecord): EventDraft[] {
    const { state } = this
    const [first, last] = [updateId(data, 'pu'), updateId(data, 'u')]
    if (state.name === 'waiting') {
      this.enqueue(state.updates, data)
      return []
    }
    if (last < reachedId(state) || (state.name === 'chained' && last === state.lastId)) {
      this.leaveOut('depthUpdate older than the book')
      return []
    }
    // Ids count over all symbols: only pu shows whether an update of this symbol is missing.
    const follows = state.name === 'fresh' ? first <= state.snapshotId : first === state.lastId
    if (!follows) return this.broken(data, reachedId(state))
    this.state = { name: 'chained', lastId: last }
    const changes = this.levels({ bids: data.b, asks: data.a }, true)
    return [{ time: engineTime(data), kind: 'delta', coin: this.coin, data: changes }]
  }

  end(): void {
    if (this.state.name !== 'waiting') return
    for (const _ of this.state.updates) this.leaveOut('depthUpdate without a depth snapshot')
  }

  private broken(data: UnknownRecord, reachedId: number): EventDraft[] {
    if (!this.options.resync)
      throw new UserError(
        `breaks the chain of ${this.coin}'s book: its pu is ${data.pu}, the book is at ` +
          `${reachedId}; with --resync the book goes on at the next depth snapshot`,
      )
    this.leaveOut('break in the chain of depthUpdates')
    this.state = { name: 'waiting', updates: [data] }
    return []
  }

  private enqueue(updates: UnknownRecord[], data: UnknownRecord): void {
    updates.push(data)
    if (updates.length <= WAITING_MAX) return
    updates.shift()
    this.leaveOut('depthUpdate without a depth snapshot')
  }

  private levels({ bids, asks }: { bids: unknown; asks: unknown }, changes: boolean): BookData {
    return { bids: this.side(bids, -1, changes), asks: this.side(asks, 1, changes) }
  }

  private side(levels: unknown, direction: 1 | -1, changes: boolean): Level[] {
    if (!Array.isArray(levels)) throw new UserError('has a side of the book that is no list')
    return levels
      .map((level: unknown): Level => {
        if (!Array.isArray(level)) throw new UserError('has a level that is not [price, size]')
        const sz = this.numbers.sz(this.coin, level[1])
        return [this.numbers.px(this.coin, level[0]), sz, sz === '0' ? 0 : 1]
      })
      .filter(([, sz]) => changes || sz !== '0')
      .sort(([a], [b]) => direction * (Number(a) - Number(b)))
  }
}

/** The matching engine's time, or else the time of sending, in ms; a frame without is refused. */
export function engineTime(data: UnknownRecord): number {
  const time = data.T ?? data.E
  if (typeof time === 'number') return time
  throw new UserError('has neither T nor E, the times in milliseconds')
}

function reachedId(state: Exclude<ChainState, { name: 'waiting' }>): number {
  return state.name === 'fresh' ? state.snapshotId : state.lastId
}

function updateId(data: UnknownRecord, name: string): number {
  const id = data[name]
  if (typeof id === 'number') return id
  throw new UserError(`has no ${name}, the number of a change of the book`)
}
