/**
 * What a template of JSON fills in, where it stands: instants and ids. What is most frequent is
 * written digit by digit, without a text.
 */
import { isTradeNumber, isTransaction, lapId, maskedDigits, turnedNumber } from './lap-ids.ts'
import { shiftedInstant } from './rebase.ts'
import type { Identified, TimeUnit } from './schema.ts'
import type { ShownAs } from './shown-value.ts'

/** A value that is shown otherwise than the tape has it. */
export type Marked = { value: unknown } & ({ unit: TimeUnit } | { of: Identified })

/** A list of links, of which the last one is the end of the template. */
export class Place {
  next: Place | null = null
  /** More bytes than it has now that it may come to need. */
  readonly slack: number = 0

  constructor(
    public from: number,
    public length = 0,
  ) {}

  /** Writes what is shown; not where that does not fit. */
  fill(_bytes: Buffer, _as: ShownAs): boolean {
    return true
  }
}

/** The place of a value whose text, that of the tape, begins at `from`. */
export function placeOf(marked: Marked, from: number): Place {
  const { value } = marked
  if ('unit' in marked) {
    const isInMs = marked.unit === 'ms' && Number.isSafeInteger(value) && Number(value) >= 1000
    return isInMs
      ? new SecondsPlace(from, Math.floor(Number(value) / 1000))
      : new TextPlace(from, marked)
  }
  if (marked.of === 'trade' && isTradeNumber(value)) return new TradePlace(from, value)
  if (marked.of === 'transaction' && isTransaction(value)) return new TransactionPlace(from, value)
  return new TextPlace(from, marked)
}

/** The text of a value as it is shown. */
export function shownText(marked: Marked, { shiftMs, lap = 0 }: ShownAs): string {
  const { value } = marked
  if ('of' in marked) return JSON.stringify(lap === 0 ? value : lapId(value, marked.of, lap))
  return JSON.stringify(shiftMs === 0 ? value : shiftedInstant(value, marked.unit, shiftMs))
}

/** Of milliseconds only the seconds are filled in: no shift changes the last three digits. */
class SecondsPlace extends Place {
  constructor(
    from: number,
    private readonly seconds: number,
  ) {
    super(from, String(seconds).length)
  }

  override fill(bytes: Buffer, { shiftMs }: ShownAs): boolean {
    const shown = this.seconds + shiftMs / 1000
    if (!Number.isInteger(shown) || digitCount(shown) !== this.length) return false
    writeDigits(bytes, this.from, this.length, shown)
    return true
  }
}

/** A number of a trade may have more digits in another lap: what follows makes room. */
class TradePlace extends Place {
  override readonly slack: number

  constructor(
    from: number,
    private readonly id: number,
  ) {
    super(from, String(id).length)
    this.slack = TRADE_DIGITS - this.length
  }

  override fill(bytes: Buffer, { lap = 0 }: ShownAs): boolean {
    const shown = turnedNumber(this.id, lap)
    const by = digitCount(shown) - this.length
    if (by !== 0) this.makeRoom(bytes, by)
    writeDigits(bytes, this.from, this.length, shown)
    return true
  }

  private makeRoom(bytes: Buffer, by: number): void {
    const tail = this.from + this.length
    let end = tail
    for (let place = this.next; place; place = place.next) {
      end = place.from
      place.from += by
    }
    bytes.copyWithin(tail + by, tail, end)
    this.length += by
  }
}

/** The first digits of a hash. */
class TransactionPlace extends Place {
  private readonly first: number

  constructor(from: number, hash: string) {
    super(from + '"0x'.length, HASH_DIGITS)
    this.first = Number.parseInt(hash.slice(2, 2 + HASH_DIGITS), 16)
  }

  override fill(bytes: Buffer, { lap = 0 }: ShownAs): boolean {
    const shown = maskedDigits(this.first, lap)
    for (let at = 0; at < HASH_DIGITS; at++)
      bytes[this.from + at] = HEX[(shown >>> (28 - 4 * at)) & 15] as number
    return true
  }
}

/** Whatever else there is. */
class TextPlace extends Place {
  constructor(
    from: number,
    private readonly marked: Marked,
  ) {
    super(from, shownText(marked, { shiftMs: 0 }).length)
  }

  override fill(bytes: Buffer, as: ShownAs): boolean {
    const text = shownText(this.marked, as)
    return text.length === this.length && bytes.write(text, this.from, 'latin1') === this.length
  }
}

/** Digits of the largest number of a trade, and of a hash that differ by lap. */
const TRADE_DIGITS = 16
const HASH_DIGITS = 8
const HEX = Buffer.from('0123456789abcdef', 'latin1')
const ZERO = 48

/** Of a whole number; one below 0 has none. */
function digitCount(number: number): number {
  let count = number >= 1e9 ? 10 : number >= 0 ? 1 : 0
  for (let next = 10 ** count; count > 0 && number >= next; next *= 10) count++
  return count
}

/** Half of them at a time: numbers of more than 31 bits take longer. */
const HALF = 1e8

function writeDigits(bytes: Buffer, from: number, length: number, number: number): void {
  const high = Math.floor(number / HALF)
  let at = from + length
  let rest = (number - high * HALF) | 0
  for (const lowest = Math.max(from, at - 8); at > lowest; rest = (rest / 10) | 0)
    bytes[--at] = ZERO + (rest % 10)
  for (rest = high; at > from; rest = Math.floor(rest / 10)) bytes[--at] = ZERO + (rest % 10)
}
