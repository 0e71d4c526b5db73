/**
 * Packs changes of an instrument's book over some minutes into one blob: a few bytes for each
 * level.
 */

import { type Px, pow10, px, type Sz, sz } from '../../decimal/quantity.ts'
import type { BookLevel } from '../synth/synth-event.ts'
import { NumberReader, NumberWriter } from './bar-blocks.ts'

/** Changed levels of a book, each side from the touch outward; zero lots remove a level. */
export interface BookChange {
  readonly timeMs: number
  readonly bids: readonly BookLevel[]
  readonly asks: readonly BookLevel[]
}

/** Buffer size that fits nearly all blocks. */
const CAPACITY = 1 << 16
/** Initial capacity of a block in numbers. */
const NUMBERS_FIRST = 1 << 12

/** Packs changes in order of time, at least one. */
export function packBook(changes: readonly BookChange[]): Buffer {
  const block = new BookBlock()
  for (const change of changes) block.add(change)
  return block.pack()
}

/**
 * A block in progress. It stores numbers instead of change objects: minutes of changes would be
 * many objects that live just long enough to burden garbage collection.
 */
export class BookBlock {
  /** For each change its time and the lengths of its sides; for each level three numbers. */
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

  /** Times of its first and last change. */
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

  /** Packs the changes so far, at least one, and starts the next block. */
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

/** Length in numbers of the change at an index. */
const changeLength = (numbers: Float64Array, at: number) =>
  3 + 3 * ((numbers[at + 1] as number) + (numbers[at + 2] as number))

/** Prices are relative to the previous one, outward; the first to the first of the last change. */
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

/** Greatest common divisor. */
function commonUnit(value: number, unit: number): number {
  // Fast path: nearly always the known unit divides, and 32-bit integers suffice.
  if (unit !== 0 && value < 2 ** 31 && (value | 0) % (unit | 0) === 0) return unit
  let [left, right] = [value, unit]
  while (right !== 0) [left, right] = [right, left % right]
  return left
}

/** A level as stored: price, size, number of orders. */
export type StoredLevel = readonly [px: number, lots: number, orders: number]

/** Offset of a change in a blob, and the base of its prices. */
export interface BlockPlace {
  readonly byte: number
  readonly bid: number
  readonly ask: number
}

/** Reads the changes of a blob, in sequence or again from an earlier one. */
export class BookBlockReader {
  /** Times of all changes. */
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

  /** Position of the next change, as input of `goTo`. */
  get place(): BlockPlace {
    return { byte: this.bytes.at, bid: this.bid, ask: this.ask }
  }

  /** Moves to a position. */
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

/**
 * Reads books of the `book` table: JSON `[bids, asks]` of `[px, sz, n]`, decimals as text and no
 * whitespace. Parsed by hand, because a deep book has thousands of levels.
 */
interface Decimals {
  pxDecimals: number
  szDecimals: number
}

/** A stored level: price, size, number of orders. */
type LevelRow = readonly [px: Px, sz: Sz, n: number]

/** The levels of a stored row as whole numbers: bids and asks. */
export function readLevels(text: string, decimals: Decimals): [bids: LevelRow[], asks: LevelRow[]] {
  const cursor: Cursor = { text, at: 0 }
  expect(cursor, BRACKET)
  const bids = readSide(cursor, decimals)
  expect(cursor, COMMA)
  const asks = readSide(cursor, decimals)
  expect(cursor, END)
  return [bids, asks]
}

interface Cursor {
  text: string
  at: number
}

const [BRACKET, END, COMMA, QUOTE, DOT, ZERO] = [91, 93, 44, 34, 46, 48] as const

function readSide(cursor: Cursor, { pxDecimals, szDecimals }: Decimals): LevelRow[] {
  const rows: LevelRow[] = []
  expect(cursor, BRACKET)
  while (cursor.text.charCodeAt(cursor.at) !== END) {
    if (rows.length > 0) expect(cursor, COMMA)
    expect(cursor, BRACKET)
    const price = px(readDecimal(cursor, pxDecimals))
    expect(cursor, COMMA)
    const size = sz(readDecimal(cursor, szDecimals))
    expect(cursor, COMMA)
    const n = readInteger(cursor)
    expect(cursor, END)
    rows.push([price, size, n])
  }
  cursor.at++
  return rows
}

/** A quoted decimal as a whole number at `scale`. */
function readDecimal(cursor: Cursor, scale: number): number {
  expect(cursor, QUOTE)
  let value = readInteger(cursor)
  let missing = scale
  if (cursor.text.charCodeAt(cursor.at) === DOT) {
    const from = ++cursor.at
    const fraction = readInteger(cursor)
    const digits = cursor.at - from
    missing -= digits
    value = value * pow10(digits) + fraction
  }
  expect(cursor, QUOTE)
  const scaled = missing < 0 ? Number.NaN : value * pow10(missing)
  if (!Number.isSafeInteger(scaled))
    throw new RangeError(`a stored book has a number that does not fit before ${cursor.at}`)
  return scaled
}

function readInteger(cursor: Cursor): number {
  const { text } = cursor
  const from = cursor.at
  let at = from
  let value = 0
  for (let digit = text.charCodeAt(at) - ZERO; digit >= 0 && digit <= 9; ) {
    value = value * 10 + digit
    digit = text.charCodeAt(++at) - ZERO
  }
  cursor.at = at
  return value
}

function expect(cursor: Cursor, code: number): void {
  if (cursor.text.charCodeAt(cursor.at) !== code)
    throw new Error(`a stored book is damaged at ${cursor.at}: ${cursor.text.slice(0, 60)}`)
  cursor.at++
}
