/**
 * JSON of values whose instants and ids are filled in later: whoever shows them at another time, or
 * in another lap of the tape, writes the rest no second time. Those that are shown one after
 * another are kept together, as bytes in which these are filled in, and become one text.
 */
import { idsOf } from './lap-ids.ts'
import { instantsOf } from './rebase.ts'
import type { TSchema } from './schema.ts'
import type { ShownAs } from './shown-value.ts'
import { type Marked, shownText, slackOf, TemplatePlaces } from './template-places.ts'

export class JsonTemplates {
  /** How many there are. */
  count = 0
  private bytes = Buffer.alloc(0)
  private usedBytes = 0
  private readonly starts: number[] = []
  private readonly places = new TemplatePlaces()

  /** Bytes of all of them. */
  get size(): number {
    return this.usedBytes
  }

  /**
   * Adds that of a value of that schema between two texts. Whether it is kept: not where nothing is
   * to be filled in, or something cannot be kept so.
   */
  add(value: unknown, schema: TSchema, before = '', after = ''): boolean {
    const found: Marked[] = []
    const parts = (before + markedJson(value, schema, found) + after).split(MARKED)
    if (found.length === 0 || parts.length !== 2 * found.length + 1) return false
    // Every second one is the number of what was found: that was in the schema's order.
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
   * Each of them as it is shown; null when an instant is not shifted by whole seconds, or when one
   * would be longer or shorter than it was.
   */
  at(as: ShownAs): string[] | null {
    const { bytes, usedBytes, places } = this
    if (!places.fill(bytes, as)) return null
    const all = bytes.toString('latin1', 0, usedBytes)
    return this.starts.map((start, at) => all.slice(start, places.ends[at]))
  }

  /** Where the text was put; null when it cannot be. */
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

/** Few bytes are left unused: there are thousands of these. */
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

/** A letter that no data has: it is for private use. */
const MARK = '\uE000'
const MARKED = /"\uE000(\d+)"/
