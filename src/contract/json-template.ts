/**
 * JSON of a value whose instants are filled in later: whoever shows it at another time writes the
 * rest no second time. It is kept as bytes: these are filled in where they are, and what is played
 * in order is read from memory in order.
 */
import { instantsOf, shiftedInstant } from './rebase.ts'
import type { TimeUnit, TSchema } from './schema.ts'

/** It is its own first place: the fewer objects are touched, the faster it is written. */
export class JsonTemplate implements Place {
  readonly value: number | string
  readonly unit: TimeUnit
  readonly from: number
  readonly length: number
  readonly next: Place | null

  private constructor(
    private readonly bytes: Buffer,
    private readonly start: number,
    private readonly end: number,
    first: Place,
  ) {
    this.value = first.value
    this.unit = first.unit
    this.from = first.from
    this.length = first.length
    this.next = first.next
  }

  /**
   * The template of a value of that schema between two texts; null when there is no instant in it,
   * or when it cannot be kept so.
   */
  static of(value: unknown, schema: TSchema, before = '', after = ''): JsonTemplate | null {
    const found: Instant[] = []
    const marked = instantsOf(schema)?.(value, (instant, unit) => {
      if (typeof instant !== 'number' && typeof instant !== 'string') return instant
      return MARK + (found.push({ value: instant, unit }) - 1)
    })
    const parts = (before + JSON.stringify(marked ?? value) + after).split(MARKED)
    if (found.length === 0 || parts.length !== 2 * found.length + 1) return null
    const places: Place[] = []
    let text = parts[0] as string
    // Every second one is the number of an instant: they were found in the schema's order.
    for (let at = 1; at < parts.length; at += 2) {
      const instant = found[Number(parts[at])]
      if (!instant) return null
      places.push(placeOf(instant, text.length))
      text += instantText(instant, 0) + parts[at + 1]
    }
    return JsonTemplate.kept(text, places)
  }

  private static kept(text: string, places: readonly Place[]): JsonTemplate | null {
    if (store.bytes.length - store.used < text.length)
      store = { bytes: Buffer.allocUnsafe(Math.max(STORE_BYTES, text.length)), used: 0 }
    const { bytes, used: start } = store
    const end = start + bytes.write(text, start, 'latin1')
    if (bytes.toString('latin1', start, end) !== text) return null
    store.used = end
    places.forEach((place, at) => {
      place.from += start
      place.next = places[at + 1] ?? null
    })
    return new JsonTemplate(bytes, start, end, places[0] as Place)
  }

  /**
   * The JSON with every instant so much later; null when that is not in whole seconds, or when one
   * of them would be longer or shorter than it was.
   */
  at(shiftMs: number): string | null {
    const { bytes } = this
    for (let place: Place | null = this; place; place = place.next) {
      const digits = digitsOf(place, shiftMs)
      if (digits.length !== place.length) return null
      for (let at = 0; at < digits.length; at++) bytes[place.from + at] = digits[at] as number
    }
    return bytes.toString('latin1', this.start, this.end)
  }
}

interface Instant {
  value: number | string
  unit: TimeUnit
}

/** Where an instant stands among the bytes. A list of links. */
interface Place extends Instant {
  from: number
  length: number
  next: Place | null
}

/** Of milliseconds only the seconds are filled in: no shift changes the last three digits. */
function placeOf({ value, unit }: Instant, from: number): Place {
  const isSplit = unit === 'ms' && Number.isSafeInteger(value) && Number(value) >= 1000
  const instant: Instant = isSplit
    ? { value: Math.floor(Number(value) / 1000), unit: 's' }
    : { value, unit }
  return { ...instant, from, length: instantText(instant, 0).length, next: null }
}

/** A letter that no data has: it is for private use. */
const MARK = '\uE000'
const MARKED = /"\uE000(\d+)"/

/** Bytes of many templates. */
const STORE_BYTES = 64 << 10
let store = { bytes: Buffer.alloc(0), used: 0 }

let latest = { value: 0 as unknown, unit: 's', shiftMs: 0, digits: Buffer.from('0') }

/** Writing a number takes long, and instants of one second follow one another. */
function digitsOf({ value, unit }: Instant, shiftMs: number): Uint8Array {
  if (latest.value !== value || latest.unit !== unit || latest.shiftMs !== shiftMs) {
    const text = shiftMs % 1000 === 0 ? instantText({ value, unit }, shiftMs) : ''
    const digits = Buffer.from(text, 'latin1')
    latest = { value, unit, shiftMs, digits }
  }
  return latest.digits
}

function instantText({ value, unit }: Instant, shiftMs: number): string {
  const shifted = shiftedInstant(value, unit, shiftMs)
  return Number.isSafeInteger(shifted) ? String(shifted) : JSON.stringify(shifted)
}
