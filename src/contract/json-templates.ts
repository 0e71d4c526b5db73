/**
 * JSON templates of values whose instants and ids are filled in later: for another shift or lap the
 * rest is not serialised again. Templates shown in a row are kept together, as bytes in which these
 * places are filled in, and become one text.
 */

import type { Identified, TimeUnit, TSchema } from './schema.ts'
import {
  idsOf,
  instantsOf,
  isTradeNumber,
  isTransaction,
  lapId,
  maskedDigits,
  type ShownAs,
  shiftedInstant,
  turnedNumber,
} from './shown-value.ts'

// Ids in later laps of a tape: each lap has others, so that no trade, order or article is taken for
// one of an earlier lap. The schema marks ids with their kind (`x-identifies`).

export class JsonTemplates {
  /** Number of templates. */
  count = 0
  private bytes = Buffer.alloc(0)
  private usedBytes = 0
  private readonly starts: number[] = []
  private readonly places = new TemplatePlaces()

  /** Bytes of all templates. */
  get size(): number {
    return this.usedBytes
  }

  /**
   * Adds the template of a value of that schema between two texts. Whether it is kept: not where it
   * has no places, or one that cannot be kept.
   */
  add(value: unknown, schema: TSchema, before = '', after = ''): boolean {
    const found: Marked[] = []
    const parts = (before + markedJson(value, schema, found) + after).split(MARKED)
    if (found.length === 0 || parts.length !== 2 * found.length + 1) return false
    // Every second one is the number of a place, found in the schema's order.
    const inOrder = parts.filter((_, at) => at % 2 === 1).map((number) => found[Number(number)])
    if (!inOrder.every((one) => one !== undefined)) return false
    const texts = inOrder.map((one) => shownText(one, { shiftMs: 0 }))
    const text = parts.map((part, at) => (at % 2 === 1 ? texts[at >> 1] : part)).join('')
    const start = this.append(
      text,
      inOrder.reduce((sum, one) => sum + slackOf(one), 0),
    )
    if (start === null) return false
    let from = start
    for (const [at, one] of inOrder.entries()) {
      from += (parts[2 * at] as string).length
      this.places.add(one, from)
      from += (texts[at] as string).length
    }
    this.places.end(start + text.length)
    this.starts.push(start)
    this.count++
    return true
  }

  /**
   * All templates as shown; null when an instant is not shifted by whole seconds, or when one would
   * change its length.
   */
  at(as: ShownAs): string[] | null {
    const { bytes, usedBytes, places } = this
    if (!places.fill(bytes, as)) return null
    const all = bytes.toString('latin1', 0, usedBytes)
    return this.starts.map((start, at) => all.slice(start, places.ends[at]))
  }

  /** Offset of the text; null when it cannot be stored. */
  private append(text: string, slack: number): number | null {
    const start = this.usedBytes
    const size = start + text.length + slack
    if (size > this.bytes.length) {
      const larger = Buffer.alloc(Math.max(size, Math.ceil(GROWTH * this.bytes.length)))
      this.bytes.copy(larger)
      this.bytes = larger
    }
    const end = start + this.bytes.write(text, start, 'latin1')
    if (this.bytes.toString('latin1', start, end) !== text) return null
    this.usedBytes = size
    return start
  }
}

/** Little is left unused, as there are thousands of these. */
const GROWTH = 1.25

/** JSON with a mark in the place of each instant and id. */
function markedJson(value: unknown, schema: TSchema, found: Marked[]): string {
  const mark = (marked: Marked) => {
    const { value } = marked
    const isText = typeof value === 'number' || typeof value === 'string'
    return isText ? MARK + (found.push(marked) - 1) : value
  }
  const some =
    instantsOf(schema)?.(value, (instant, unit) => mark({ value: instant, unit })) ?? value
  return JSON.stringify(idsOf(schema)?.(some, (id, of) => mark({ value: id, of })) ?? some)
}

/** A letter of the private use area, which no data has. */
const MARK = '\uE000'
const MARKED = /"\uE000(\d+)"/

// The places of templates: instants and ids, side by side in their order. The most frequent kinds
// are written digit by digit, without a text.

/** A value whose shown form differs from that of the tape. */
type Marked = { value: unknown } & ({ unit: TimeUnit } | { of: Identified })

/** The seconds of milliseconds: no shift changes the last three digits. */
const SECONDS = 0
/** The id of a trade, which may have more digits in another lap. */
const TRADE = 1
/** The first digits of a hash. */
const TRANSACTION = 2
/** Any other value. */
const TEXT = 3

class TemplatePlaces {
  /** End offset of each template's text. */
  readonly ends: number[] = []
  /** Number of places up to the last one of each template. */
  private readonly lastPlaces: number[] = []
  private readonly ways: number[] = []
  private readonly froms: number[] = []
  private readonly lengths: number[] = []
  /** The values to write; for a text its index. */
  private readonly numbers: number[] = []
  private readonly texts: Marked[] = []

  /** Adds the next place of the last template. */
  add(marked: Marked, from: number): void {
    const way = wayOf(marked)
    this.ways.push(way)
    this.froms.push(way === TRANSACTION ? from + '"0x'.length : from)
    const number = way === TEXT ? this.texts.push(marked) - 1 : numberOf(way, marked.value)
    this.numbers.push(number)
    const isNumber = way === SECONDS || way === TRADE
    this.lengths.push(
      isNumber ? digitCount(number) : way === TRANSACTION ? HASH_DIGITS : lengthOf(marked),
    )
  }

  /** Ends the last template. */
  end(at: number): void {
    this.ends.push(at)
    this.lastPlaces.push(this.ways.length)
  }

  /** Writes the shown values into all places; whether they fit. */
  fill(bytes: Buffer, as: ShownAs): boolean {
    const { lastPlaces } = this
    for (let template = 0, place = 0; template < lastPlaces.length; template++)
      for (const last = lastPlaces[template] as number; place < last; place++)
        if (!this.write(bytes, place, template, as)) return false
    return true
  }

  private write(bytes: Buffer, place: number, template: number, as: ShownAs): boolean {
    const from = this.froms[place] as number
    const length = this.lengths[place] as number
    const number = this.numbers[place] as number
    const way = this.ways[place]
    if (way === TEXT) {
      const text = shownText(this.texts[number] as Marked, as)
      return text.length === length && bytes.write(text, from, 'latin1') === length
    }
    if (way === TRANSACTION) {
      writeHexDigits(bytes, from, maskedDigits(number, as.lap ?? 0))
      return true
    }
    if (way === TRADE) {
      const shown = turnedNumber(number, as.lap ?? 0)
      const count = digitCount(shown, length)
      if (count !== length) this.makeRoom(bytes, place, template, count)
      writeDigits(bytes, from, count, shown)
      return true
    }
    const shown = number + as.shiftMs / 1000
    if (!Number.isInteger(shown) || !hasDigits(shown, length)) return false
    writeDigits(bytes, from, length, shown)
    return true
  }

  /** Moves the rest of the template. */
  private makeRoom(bytes: Buffer, place: number, template: number, length: number): void {
    const by = length - (this.lengths[place] as number)
    const tail = (this.froms[place] as number) + (this.lengths[place] as number)
    const end = this.ends[template] as number
    bytes.copyWithin(tail + by, tail, end)
    this.lengths[place] = length
    this.ends[template] = end + by
    for (let other = place + 1; other < (this.lastPlaces[template] as number); other++)
      this.froms[other] = (this.froms[other] as number) + by
  }
}

/** Bytes that it may need in addition to those of its text. */
const slackOf = (marked: Marked): number =>
  wayOf(marked) === TRADE ? TRADE_DIGITS - lengthOf(marked) : 0

/** The text of a value as shown. */
function shownText(marked: Marked, { shiftMs, lap = 0 }: ShownAs): string {
  const { value } = marked
  if ('of' in marked) return JSON.stringify(lap === 0 ? value : lapId(value, marked.of, lap))
  return JSON.stringify(shiftMs === 0 ? value : shiftedInstant(value, marked.unit, shiftMs))
}

const lengthOf = (marked: Marked) => shownText(marked, { shiftMs: 0 }).length

function wayOf(marked: Marked): number {
  const { value } = marked
  const isInMs = 'unit' in marked && marked.unit === 'ms'
  if (isInMs) return Number.isSafeInteger(value) && Number(value) >= 1000 ? SECONDS : TEXT
  if ('of' in marked && marked.of === 'trade' && isTradeNumber(value)) return TRADE
  return 'of' in marked && marked.of === 'transaction' && isTransaction(value) ? TRANSACTION : TEXT
}

function numberOf(way: number, value: unknown): number {
  if (way === TRANSACTION) return Number.parseInt(String(value).slice(2, 2 + HASH_DIGITS), 16)
  return way === SECONDS ? Math.floor(Number(value) / 1000) : Number(value)
}

/** Digits of the largest trade id, and of a hash that differ by lap. */
const TRADE_DIGITS = 16
const HASH_DIGITS = 8
const HEX = Buffer.from('0123456789abcdef', 'latin1')

/** Powers of ten by number of digits. */
const POWERS = Array.from({ length: TRADE_DIGITS + 1 }, (_, digits) => 10 ** digits)

const hasDigits = (number: number, count: number): boolean =>
  number < (POWERS[count] as number) && number >= (count === 1 ? 0 : (POWERS[count - 1] as number))

/** Digits of a non-negative whole number; for most the first guess is right. */
function digitCount(number: number, guess = 1): number {
  if (hasDigits(number, guess)) return guess
  return POWERS.findIndex((power, digits) => digits > 0 && number < power)
}

/** Larger numbers are slower: they are written in two halves. */
const HALF = 8

/** Digits in pairs: half as many divisions. */
const PAIRS = Buffer.from(
  Array.from({ length: 100 }, (_, pair) => String(pair).padStart(2, '0')).join(''),
  'latin1',
)

function writeDigits(bytes: Buffer, from: number, length: number, number: number): void {
  const high = Math.floor(number / 1e8)
  if (length <= HALF) return writeHalf(bytes, from, length, number)
  writeHalf(bytes, from, length - HALF, high)
  writeHalf(bytes, from + length - HALF, HALF, number - high * 1e8)
}

function writeHalf(bytes: Buffer, from: number, length: number, number: number): void {
  let rest = number | 0
  let at = from + length
  while (at - from >= 2) {
    const left = (rest / 100) | 0
    const pair = 2 * (rest - 100 * left)
    bytes[--at] = PAIRS[pair + 1] as number
    bytes[--at] = PAIRS[pair] as number
    rest = left
  }
  if (at > from) bytes[at - 1] = PAIRS[2 * rest + 1] as number
}

function writeHexDigits(bytes: Buffer, from: number, number: number): void {
  for (let at = 0; at < HASH_DIGITS; at++)
    bytes[from + at] = HEX[(number >>> (28 - 4 * at)) & 15] as number
}
