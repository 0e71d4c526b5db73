/**
 * JSON of a value whose instants are filled in later: whoever shows it at another time writes the
 * rest no second time.
 */
import { instantsOf, shiftedInstant } from './rebase.ts'
import type { TimeUnit, TSchema } from './schema.ts'

export class JsonTemplate {
  private constructor(
    /** What stands before the first instant. */
    private readonly first: string,
    private readonly part: Part | null,
  ) {}

  /**
   * The template of a value of that schema between two texts; null when there can be none. What
   * stands around it is part of the template, as text is put together the faster the less it is in.
   */
  static of(value: unknown, schema: TSchema, before = '', after = ''): JsonTemplate | null {
    const found: Instant[] = []
    const marked = instantsOf(schema)?.(value, (instant, unit) => {
      if (typeof instant !== 'number' && typeof instant !== 'string') return instant
      return MARK + (found.push({ value: instant, unit }) - 1)
    })
    // Copied: the runtime keeps a part as a view of the whole, and is slow to join views.
    const parts = structuredClone((before + JSON.stringify(marked ?? value) + after).split(MARKED))
    if (parts.length !== 2 * found.length + 1) return null
    let part: Part | null = null
    // Every second one is the number of an instant: they were found in the schema's order.
    for (let at = parts.length - 2; at > 0; at -= 2) {
      const instant = found[Number(parts[at])]
      if (!instant) return null
      part = { ...instant, after: parts[at + 1] as string, next: part }
    }
    return new JsonTemplate(parts[0] as string, part)
  }

  /** The JSON with every instant so much later. */
  at(shiftMs: number): string {
    let json = this.first
    let [text, value, unit]: [string, unknown, unknown] = ['', undefined, undefined]
    for (let part = this.part; part; part = part.next) {
      // Most instants of a value are one and the same, and writing a number takes long.
      if (part.value !== value || part.unit !== unit) text = instantText(part, shiftMs)
      value = part.value
      unit = part.unit
      // Three texts at once: the runtime joins no more than that in one go.
      json = `${json}${text}${part.after}`
    }
    return json
  }
}

interface Instant {
  value: number | string
  unit: TimeUnit
}

/** An instant and what stands behind it. A list of links: few objects are touched on the way. */
interface Part extends Instant {
  after: string
  next: Part | null
}

/** A letter that no data has: it is for private use. */
const MARK = '\uE000'
const MARKED = /"\uE000(\d+)"/

let latest: { value: unknown; text: string } = { value: 0, text: '0' }

/** Values of one instant follow one another. */
function instantText({ value, unit }: Instant, shiftMs: number): string {
  const shifted = shiftedInstant(value, unit, shiftMs)
  if (latest.value !== shifted) latest = { value: shifted, text: textOf(shifted) }
  return latest.text
}

const textOf = (shifted: unknown) =>
  Number.isSafeInteger(shifted) ? String(shifted) : JSON.stringify(shifted)
