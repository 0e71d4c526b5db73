/**
 * JSON of a value whose instants and ids are filled in later: whoever shows it at another time, or
 * in another lap of the tape, writes the rest no second time. It is kept as bytes: these are filled
 * in where they are, and what is played in order is read from memory in order.
 */
import { idsOf } from './lap-ids.ts'
import { instantsOf } from './rebase.ts'
import type { TSchema } from './schema.ts'
import type { ShownAs } from './shown-value.ts'
import { type Marked, Place, placeOf, shownText } from './template-place.ts'

export class JsonTemplate {
  private constructor(
    private readonly bytes: Buffer,
    private readonly start: number,
    private readonly first: Place,
    private readonly end: Place,
  ) {}

  /**
   * The template of a value of that schema between two texts; null when there is nothing in it to
   * be filled in, or when it cannot be kept so.
   */
  static of(value: unknown, schema: TSchema, before = '', after = ''): JsonTemplate | null {
    const found: Marked[] = []
    const mark = (marked: Marked) => {
      const { value } = marked
      const isText = typeof value === 'number' || typeof value === 'string'
      return isText ? MARK + (found.push(marked) - 1) : value
    }
    const instants = instantsOf(schema)?.(value, (instant, unit) => mark({ value: instant, unit }))
    const some = instants ?? value
    const marked = idsOf(schema)?.(some, (id, of) => mark({ value: id, of })) ?? some
    const parts = (before + JSON.stringify(marked) + after).split(MARKED)
    if (found.length === 0 || parts.length !== 2 * found.length + 1) return null
    const places: Place[] = []
    let text = parts[0] as string
    // Every second one is the number of what was found: that was in the schema's order.
    for (let at = 1; at < parts.length; at += 2) {
      const one = found[Number(parts[at])]
      if (!one) return null
      places.push(placeOf(one, text.length))
      text += shownText(one, { shiftMs: 0 }) + parts[at + 1]
    }
    return JsonTemplate.kept(text, places)
  }

  private static kept(text: string, places: readonly Place[]): JsonTemplate | null {
    const size = places.reduce((sum, { slack }) => sum + slack, text.length)
    if (store.bytes.length - store.used < size)
      store = { bytes: Buffer.allocUnsafe(Math.max(STORE_BYTES, size)), used: 0 }
    const { bytes, used: start } = store
    if (bytes.toString('latin1', start, start + bytes.write(text, start, 'latin1')) !== text)
      return null
    store.used += size
    const end = new Place(text.length)
    const all = [...places, end]
    all.forEach((place, at) => {
      place.from += start
      place.next = all[at + 1] ?? null
    })
    return new JsonTemplate(bytes, start, all[0] as Place, end)
  }

  /**
   * The JSON as it is shown; null when an instant is not shifted by whole seconds, or when it would
   * be longer or shorter than it was.
   */
  at(as: ShownAs): string | null {
    const { bytes, end } = this
    for (let place: Place | null = this.first; place; place = place.next)
      if (!place.fill(bytes, as)) return null
    return bytes.toString('latin1', this.start, end.from)
  }
}

/** A letter that no data has: it is for private use. */
const MARK = '\uE000'
const MARKED = /"\uE000(\d+)"/

/** Bytes of many templates. */
const STORE_BYTES = 64 << 10
let store = { bytes: Buffer.alloc(0), used: 0 }
