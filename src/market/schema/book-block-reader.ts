import { NumberReader } from './number-stream.ts'

/** A level as it is read: price, size, number of orders. */
export type StoredLevel = readonly [px: number, lots: number, orders: number]

/** Where a change of a blob begins, and the prices that its own follow from. */
export interface BlockPlace {
  readonly byte: number
  readonly bid: number
  readonly ask: number
}

/** Reads the changes of a blob, one after the other or again from one that was read before. */
export class BookBlockReader {
  /** When they happened, all of them. */
  readonly timesMs: readonly number[]
  private readonly bytes: NumberReader
  private readonly pxUnit: number
  private readonly lotUnit: number
  private bid = 0
  private ask = 0

  constructor(blob: Uint8Array) {
    const bytes = new NumberReader(blob)
    const count = bytes.next()
    let timeMs = bytes.next()
    this.pxUnit = bytes.next()
    this.lotUnit = bytes.next()
    this.bytes = bytes
    this.timesMs = Array.from({ length: count }, () => {
      timeMs += bytes.next()
      return timeMs
    })
  }

  /** Where the next change begins: what `goTo` needs to read it again. */
  get place(): BlockPlace {
    return { byte: this.bytes.at, bid: this.bid, ask: this.ask }
  }

  /** The change at a place is the next one. */
  goTo({ byte, bid, ask }: BlockPlace): void {
    this.bytes.at = byte
    this.bid = bid
    this.ask = ask
  }

  /** The levels of the next change. */
  next(): [bids: StoredLevel[], asks: StoredLevel[]] {
    const bids = this.side(this.bid, -this.pxUnit)
    const asks = this.side(this.ask, this.pxUnit)
    this.bid = bids[0]?.[0] ?? this.bid
    this.ask = asks[0]?.[0] ?? this.ask
    return [bids, asks]
  }

  private side(firstPx: number, step: number): StoredLevel[] {
    const { bytes, lotUnit } = this
    const levels = new Array<StoredLevel>(bytes.next())
    let px = firstPx
    for (let at = 0; at < levels.length; at++) {
      px += bytes.next() * step
      levels[at] = [px, bytes.next() * lotUnit, bytes.next()]
    }
    return levels
  }
}
