import type { EventDraft } from './tape-event.ts'

const [SPACE, QUOTE, COMMA, ZERO, COLON, BACKSLASH, DELETE] = [32, 34, 44, 48, 58, 92, 127]
const [BRACE, BRACE_END] = [123, 125]

const FIRST_BYTES = 64 * 1024
/** Maximum UTF-8 bytes of a character. */
const CHAR_BYTES_MAX = 3
/** Reserved bytes for a number and the punctuation around a value. */
const SPARE = 64
const MILLION = 1_000_000
/** Smaller whole numbers are written digit by digit. */
const LARGE = 1e15

/**
 * Builds lines in UTF-8, with events in the format of `JSON.stringify`.
 *
 * A string per event, and one of all of them, cost more than their contents: they are allocated for
 * one use. An event's texts and numbers are written here, long lists by the engine.
 */
export class LineBytes {
  private bytes = new Uint8Array(FIRST_BYTES)
  private view = new DataView(this.bytes.buffer)
  private length = 0
  /** Bytes in excess of characters. */
  private surplus = 0

  /** Number of characters, as in a string. */
  get chars(): number {
    return this.length - this.surplus
  }

  /** The bytes since the last clear; valid until more are added. */
  written(): Uint8Array {
    return this.bytes.subarray(0, this.length)
  }

  clear(): void {
    this.length = 0
    this.surplus = 0
  }

  /** Adds a text unchanged. */
  text(text: string): void {
    this.length = this.encoded(this.length, text)
  }

  /** Adds the line of an event. */
  event({ time, kind, coin, data }: EventDraft, seq: number): void {
    let at = this.copy(this.roomy(this.length, 0), TIME)
    at = this.copy(this.number(at, time), SEQ)
    at = this.copy(this.number(at, seq), KIND)
    at = this.copy(this.string(at, kind), COIN)
    at = this.copy(this.string(at, coin), DATA)
    at = this.copy(this.record(at, data as unknown as Record<string, unknown>), END)
    this.length = this.roomy(at, 0)
  }

  /** Each of these writes at an offset and returns the offset after it. */
  private record(from: number, record: Record<string, unknown>): number {
    let [at, before] = [from, BRACE]
    for (const name in record) {
      const value = record[name]
      if (value === undefined) continue
      this.bytes[at] = before
      at = this.string(at + 1, name)
      this.bytes[at++] = COLON
      if (typeof value === 'string') at = this.string(at, value)
      else if (typeof value === 'number') at = this.number(at, value)
      else at = this.encoded(at, JSON.stringify(value))
      before = COMMA
    }
    if (before === BRACE) this.bytes[at++] = BRACE
    this.bytes[at] = BRACE_END
    return at + 1
  }

  private copy(at: number, { first, second, length }: Part): number {
    this.view.setUint32(at, first)
    this.view.setUint32(at + 4, second)
    return at + length
  }

  private string(from: number, text: string): number {
    const { length } = text
    let at = this.roomy(from, length)
    const { bytes } = this
    bytes[at++] = QUOTE
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i)
      if (PLAIN[code] !== 1) return this.encoded(from, JSON.stringify(text))
      bytes[at++] = code
    }
    bytes[at] = QUOTE
    return at + 1
  }

  private number(at: number, value: number): number {
    if (!(value >= 0 && value < LARGE) || Math.floor(value) !== value)
      return this.encoded(at, JSON.stringify(value))
    if (value < 1000) return this.few(at, value)
    if (value < MILLION) {
      const thousands = (value / 1000) | 0
      return this.three(this.few(at, thousands), value - thousands * 1000)
    }
    const millions = Math.floor(value / MILLION)
    const rest = (value - millions * MILLION) | 0
    const thousands = (rest / 1000) | 0
    return this.three(this.three(this.number(at, millions), thousands), rest - thousands * 1000)
  }

  /** The three digits of a number below 1000. */
  private three(at: number, value: number): number {
    const { bytes } = this
    const digits = THREE_DIGITS[value] ?? 0
    bytes[at] = digits
    bytes[at + 1] = digits >> 8
    bytes[at + 2] = digits >> 16
    return at + 3
  }

  /** The same without leading zeros. */
  private few(from: number, value: number): number {
    const { bytes } = this
    const digits = THREE_DIGITS[value] ?? 0
    let at = from
    if (value >= 100) bytes[at++] = digits
    if (value >= 10) bytes[at++] = digits >> 8
    bytes[at] = digits >> 16
    return at + 1
  }

  private encoded(from: number, text: string): number {
    const at = this.roomy(from, text.length * CHAR_BYTES_MAX)
    const { written } = ENCODER.encodeInto(text, this.bytes.subarray(at))
    this.surplus += written - text.length
    return at + written
  }

  /** The same offset, after reserving capacity. */
  private roomy(at: number, more: number): number {
    const least = at + more + SPARE
    if (least <= this.bytes.length) return at
    const wider = new Uint8Array(Math.max(this.bytes.length * 2, least))
    wider.set(this.bytes)
    this.bytes = wider
    this.view = new DataView(wider.buffer)
    return at
  }
}

const ENCODER = new TextEncoder()

/** Characters that JSON does not escape, a byte each. */
const PLAIN = Uint8Array.from({ length: DELETE }, (_, code) =>
  code < SPACE || code === QUOTE || code === BACKSLASH ? 0 : 1,
)

/**
 * At most eight bytes between the values of an event. All eight are written, the surplus is
 * overwritten.
 */
interface Part {
  first: number
  second: number
  length: number
}

function part(text: string): Part {
  const bytes = new DataView(ENCODER.encode(text.padEnd(8)).buffer)
  return { first: bytes.getUint32(0), second: bytes.getUint32(4), length: text.length }
}

const TIME = part('{"time":')
const SEQ = part(',"seq":')
const KIND = part(',"kind":')
const COIN = part(',"coin":')
const DATA = part(',"data":')
const END = part('}\n')

/** The digits of every number below 1000, a byte each: faster than division. */
const THREE_DIGITS = Int32Array.from({ length: 1000 }, (_, value) => {
  const [hundreds, rest] = [Math.floor(value / 100), value % 100]
  const [tens, ones] = [Math.floor(rest / 10), rest % 10]
  return (ZERO + hundreds) | ((ZERO + tens) << 8) | ((ZERO + ones) << 16)
})
