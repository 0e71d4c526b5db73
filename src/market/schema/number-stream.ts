/** Whole numbers of any sign in few bytes: seven bits a byte, small ones in one. */

const WORD_MAX = 2 ** 31 - 1

export class NumberWriter {
  private bytes: Uint8Array
  private length = 0

  /** @param capacity bytes that it begins with; it grows when they are full */
  constructor(capacity = 1 << 12) {
    this.bytes = new Uint8Array(capacity)
  }

  add(value: number): void {
    // The sign goes into the lowest bit, so that small negative numbers are short as well.
    let left = value < 0 ? -2 * value - 1 : 2 * value
    if (!Number.isSafeInteger(left)) throw new RangeError(`${value} is no whole number to be kept`)
    if (this.length + 8 > this.bytes.length) this.grow()
    const { bytes } = this
    for (; left > WORD_MAX; left = Math.floor(left / 128)) bytes[this.length++] = (left % 128) + 128
    // Nearly all are no longer than what the machine's integers hold.
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
  /** The byte that is read next. */
  at = 0

  constructor(private readonly bytes: Uint8Array) {}

  next(): number {
    // Nearly all are of four bytes or fewer, which the machine's integers hold.
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
