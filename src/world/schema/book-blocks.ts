/** Changes of an instrument's book over some minutes as one blob: a few bytes for each level. */
import type { BookLevel } from '../../market/synth/synth-event.ts'
import { NumberReader, NumberWriter } from './number-stream.ts'

/** Changed levels of a book, each side from the touch outward; a level without lots is gone. */
export interface BookChange {
  readonly timeMs: number
  readonly bids: readonly BookLevel[]
  readonly asks: readonly BookLevel[]
}

/** A level as it is read: price, size, number of orders. */
export type StoredLevel = readonly [px: number, lots: number, orders: number]

/** Bytes that hold nearly all blocks. */
const CAPACITY = 1 << 16

/** Changes in order of time, one at least. */
export function packBook(changes: readonly BookChange[]): Buffer {
  const bytes = new NumberWriter(CAPACITY)
  const [pxUnit, lotUnit] = unitsOf(changes)
  const fromMs = changes[0]?.timeMs ?? 0
  for (const fact of [changes.length, fromMs, pxUnit, lotUnit]) bytes.add(fact)
  let lastMs = fromMs
  for (const { timeMs } of changes) {
    bytes.add(timeMs - lastMs)
    lastMs = timeMs
  }
  let [bid, ask] = [0, 0]
  for (const { bids, asks } of changes) {
    bid = addSide(bytes, bids, bid, -pxUnit, lotUnit)
    ask = addSide(bytes, asks, ask, pxUnit, lotUnit)
  }
  const { buffer, byteOffset, byteLength } = bytes.finish()
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** Prices follow from the one before, outward; the first one from the first of the last change. */
function addSide(
  bytes: NumberWriter,
  levels: readonly BookLevel[],
  firstPx: number,
  step: number,
  lotUnit: number,
): number {
  bytes.add(levels.length)
  let before = firstPx
  for (const { px, lots, orders } of levels) {
    bytes.add((px - before) / step)
    bytes.add(lots / lotUnit)
    bytes.add(orders)
    before = px
  }
  return levels[0]?.px ?? firstPx
}

/** Reads the changes of a blob, one after the other. */
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

/** What all prices are multiples of, and all sizes. */
function unitsOf(changes: readonly BookChange[]): [px: number, lots: number] {
  let [pxUnit, lotUnit] = [0, 0]
  for (const { bids, asks } of changes)
    for (const side of [bids, asks])
      for (const { px, lots } of side) {
        if (pxUnit !== 1) pxUnit = commonUnit(px, pxUnit)
        if (lotUnit !== 1) lotUnit = commonUnit(lots, lotUnit)
      }
  return [pxUnit || 1, lotUnit || 1]
}

function commonUnit(value: number, unit: number): number {
  // Nearly always it is the unit that is known already, and the machine's integers hold both.
  if (unit !== 0 && value < 2 ** 31 && (value | 0) % (unit | 0) === 0) return unit
  let [left, right] = [value, unit]
  while (right !== 0) [left, right] = [right, left % right]
  return left
}
