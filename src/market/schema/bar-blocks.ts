/** Packs minute bars of one instrument into one blob: a few bytes each. */
import { type BarColumns, emptyBars, type KeptColumn } from '../bars/past-bars.ts'

/** Consecutive bars; prices in price units, sizes in size units. */
export interface BarBlock<Column = Float64Array> extends BarColumns<Column> {
  /** The crowd's long interest at the end of the minute; 0 for spot. */
  interest: Column
}

/** Packs bars: by default a bar opens at the last close; sizes are whole lots. */
export function packBars(block: BarBlock, from: number, to: number, lot: number): Uint8Array {
  const bytes = new NumberWriter()
  for (const fact of [to - from, lot, block.open[from] as number]) bytes.add(fact)
  let [price, interest] = [block.open[from] as number, 0]
  for (let at = from; at < to; at++) {
    const [open, close] = [block.open[at] as number, block.close[at] as number]
    const isApart = open === price ? 0 : 1
    bytes.add(4 * (block.trades[at] as number) + 2 * isApart + (block.highFirst[at] as number))
    if (isApart) bytes.add(open - price)
    bytes.add(close - open)
    bytes.add((block.high[at] as number) - Math.max(open, close))
    bytes.add(Math.min(open, close) - (block.low[at] as number))
    bytes.add((block.bought[at] as number) / lot)
    bytes.add((block.sold[at] as number) / lot)
    const nextOpenInterest = (block.interest[at] as number) / lot
    bytes.add(nextOpenInterest - interest)
    interest = nextOpenInterest
    price = close
  }
  return bytes.finish()
}

export function unpackBars(blob: Uint8Array): BarBlock {
  const bytes = new NumberReader(blob)
  const minutes = bytes.next()
  const block = { ...emptyBars(minutes), interest: new Float64Array(minutes) }
  const lot = bytes.next()
  let [price, interest] = [bytes.next(), 0]
  for (let at = 0; at < block.open.length; at++) {
    const trades = bytes.next()
    block.trades[at] = Math.floor(trades / 4)
    block.highFirst[at] = trades % 2
    const open = Math.floor(trades / 2) % 2 === 0 ? price : price + bytes.next()
    const close = open + bytes.next()
    block.open[at] = open
    block.close[at] = close
    block.high[at] = Math.max(open, close) + bytes.next()
    block.low[at] = Math.min(open, close) - bytes.next()
    block.bought[at] = bytes.next() * lot
    block.sold[at] = bytes.next() * lot
    interest += bytes.next()
    block.interest[at] = interest * lot
    price = close
  }
  return block
}

/** Unpacks bars that stay in memory: in half of it, as nearly all columns fit 32 bits. */
export function unpackKeptBars(blob: Uint8Array): BarBlock<KeptColumn> {
  const { highFirst, ...columns } = unpackBars(blob)
  const { open, high, low, close, bought, sold, trades, interest } = columns
  return {
    open: kept(open),
    high: kept(high),
    low: kept(low),
    close: kept(close),
    highFirst,
    bought: kept(bought),
    sold: kept(sold),
    trades: kept(trades),
    interest: kept(interest),
  }
}

function kept(column: Float64Array): KeptColumn {
  for (const value of column) if ((value | 0) !== value) return column
  return new Int32Array(column)
}

/** Encodes signed whole numbers in few bytes: seven bits a byte, small ones in one. */
const WORD_MAX = 2 ** 31 - 1

export class NumberWriter {
  private bytes: Uint8Array
  private length = 0

  /** @param capacity initial bytes; grows when full */
  constructor(capacity = 1 << 12) {
    this.bytes = new Uint8Array(capacity)
  }

  add(value: number): void {
    // The sign is the lowest bit, so that small negative numbers are short as well.
    let left = value < 0 ? -2 * value - 1 : 2 * value
    if (!Number.isSafeInteger(left)) throw new RangeError(`${value} is no whole number to be kept`)
    if (this.length + 8 > this.bytes.length) this.grow()
    const { bytes } = this
    for (; left > WORD_MAX; left = Math.floor(left / 128)) bytes[this.length++] = (left % 128) + 128
    // Fast path for 32-bit integers, which nearly all are.
    let word = left | 0
    for (; word > 127; word >>= 7) bytes[this.length++] = (word & 127) | 128
    bytes[this.length++] = word
  }

  finish(): Uint8Array {
    return this.bytes.slice(0, this.length)
  }

  private grow(): void {
    const bytes = new Uint8Array(2 * this.bytes.length)
    bytes.set(this.bytes)
    this.bytes = bytes
  }
}

export class NumberReader {
  /** Offset of the next byte. */
  at = 0

  constructor(private readonly bytes: Uint8Array) {}

  next(): number {
    // Fast path for four bytes or fewer, which fit 32-bit integers.
    const { bytes } = this
    let byte = bytes[this.at++] as number
    if (byte < 128) return (byte & 1) === 0 ? byte >>> 1 : -((byte + 1) >>> 1)
    let value = byte - 128
    for (let shift = 7; shift < 28; shift += 7) {
      byte = bytes[this.at++] as number
      if (byte < 128) {
        value |= byte << shift
        return (value & 1) === 0 ? value >>> 1 : -((value + 1) >>> 1)
      }
      value |= (byte - 128) << shift
    }
    return this.long(value)
  }

  /** The rest of a number whose lowest 28 bits are known. */
  private long(lowest: number): number {
    let [value, scale] = [lowest, 2 ** 28]
    let byte = this.bytes[this.at++] as number
    for (; byte > 127; byte = this.bytes[this.at++] as number) {
      value += (byte - 128) * scale
      scale *= 128
    }
    value += byte * scale
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }
}
