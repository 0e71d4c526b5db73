/** Changes of an instrument's book over some minutes as one blob: a few bytes for each level. */
import type { BookLevel } from '../synth/synth-event.ts'
import { NumberWriter } from './number-stream.ts'

/** Changed levels of a book, each side from the touch outward; a level without lots is gone. */
export interface BookChange {
  readonly timeMs: number
  readonly bids: readonly BookLevel[]
  readonly asks: readonly BookLevel[]
}

/** Bytes that hold nearly all blocks. */
const CAPACITY = 1 << 16
/** Numbers of a block that there is room for at first. */
const NUMBERS_FIRST = 1 << 12

/** Changes in order of time, one at least. */
export function packBook(changes: readonly BookChange[]): Buffer {
  const block = new BookBlock()
  for (const change of changes) block.add(change)
  return block.pack()
}

/**
 * A block under way. It keeps the numbers of its changes and not the changes: those of minutes
 * are many objects, which live just long enough to be a burden to the collector of garbage.
 */
export class BookBlock {
  /** Of each change its time and how many levels its sides have; of each level three numbers. */
  private numbers = new Float64Array(NUMBERS_FIRST)
  private length = 0
  private changeCount = 0
  private firstMs = 0
  private lastMs = 0
  private pxUnit = 0
  private lotUnit = 0

  get isEmpty(): boolean {
    return this.changeCount === 0
  }

  /** When the first of its changes happened, and the last. */
  get spanMs(): [fromMs: number, toMs: number] {
    return [this.firstMs, this.lastMs]
  }

  add({ timeMs, bids, asks }: BookChange): void {
    if (this.changeCount++ === 0) this.firstMs = timeMs
    this.lastMs = timeMs
    this.reserve(3 + 3 * (bids.length + asks.length))
    this.numbers[this.length++] = timeMs
    this.numbers[this.length++] = bids.length
    this.numbers[this.length++] = asks.length
    this.addLevels(bids)
    this.addLevels(asks)
  }

  /** The blob of the changes so far, one at least; the next block begins. */
  pack(): Buffer {
    const bytes = new NumberWriter(CAPACITY)
    const { numbers, length } = this
    const [pxUnit, lotUnit] = [this.pxUnit || 1, this.lotUnit || 1]
    for (const fact of [this.changeCount, this.firstMs, pxUnit, lotUnit]) bytes.add(fact)
    let beforeMs = this.firstMs
    for (let at = 0; at < length; at += changeLength(numbers, at)) {
      const timeMs = numbers[at] as number
      bytes.add(timeMs - beforeMs)
      beforeMs = timeMs
    }
    let [bid, ask] = [0, 0]
    for (let at = 0; at < length; at += changeLength(numbers, at)) {
      const [bids, asks] = [numbers[at + 1] as number, numbers[at + 2] as number]
      bid = addSide(bytes, numbers, at + 3, bids, bid, -pxUnit, lotUnit)
      ask = addSide(bytes, numbers, at + 3 + 3 * bids, asks, ask, pxUnit, lotUnit)
    }
    this.clear()
    const { buffer, byteOffset, byteLength } = bytes.finish()
    return Buffer.from(buffer, byteOffset, byteLength)
  }

  private clear(): void {
    this.length = 0
    this.changeCount = 0
    this.pxUnit = 0
    this.lotUnit = 0
  }

  private addLevels(levels: readonly BookLevel[]): void {
    const { numbers } = this
    for (const { px, lots, orders } of levels) {
      numbers[this.length++] = px
      numbers[this.length++] = lots
      numbers[this.length++] = orders
      if (this.pxUnit !== 1) this.pxUnit = commonUnit(px, this.pxUnit)
      if (this.lotUnit !== 1) this.lotUnit = commonUnit(lots, this.lotUnit)
    }
  }

  private reserve(count: number): void {
    if (this.length + count <= this.numbers.length) return
    const numbers = new Float64Array(2 * Math.max(this.length + count, this.numbers.length))
    numbers.set(this.numbers)
    this.numbers = numbers
  }
}

/** Numbers of the change at a place. */
const changeLength = (numbers: Float64Array, at: number) =>
  3 + 3 * ((numbers[at + 1] as number) + (numbers[at + 2] as number))

/** Prices follow from the one before, outward; the first one from the first of the last change. */
function addSide(
  bytes: NumberWriter,
  numbers: Float64Array,
  from: number,
  count: number,
  firstPx: number,
  step: number,
  lotUnit: number,
): number {
  bytes.add(count)
  let before = firstPx
  for (let at = from; at < from + 3 * count; at += 3) {
    const px = numbers[at] as number
    bytes.add((px - before) / step)
    bytes.add((numbers[at + 1] as number) / lotUnit)
    bytes.add(numbers[at + 2] as number)
    before = px
  }
  return count > 0 ? (numbers[from] as number) : firstPx
}

/** The largest number that both are multiples of. */
function commonUnit(value: number, unit: number): number {
  // Nearly always it is the unit that is known already, and the machine's integers hold both.
  if (unit !== 0 && value < 2 ** 31 && (value | 0) % (unit | 0) === 0) return unit
  let [left, right] = [value, unit]
  while (right !== 0) [left, right] = [right, left % right]
  return left
}
