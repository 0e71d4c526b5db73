/**
 * JSON of a value whose instants are filled in later: whoever shows it at another time writes the
 * rest no second time.
 */
import { instantsOf, shiftedInstant } from './rebase.ts'
import type { TimeUnit, TSchema } from './schema.ts'

export class JsonTemplate {
  private constructor(
    /** What stands before each instant, and after the last. */
    private readonly pieces: readonly string[],
    private readonly instants: readonly Instant[],
  ) {}

  /**
   * The template of a value of that schema between two texts; null when there can be none. What
   * stands around it is part of the template, as text is put together the faster the less it is in.
   */
  static of(value: unknown, schema: TSchema, before = '', after = ''): JsonTemplate | null {
    const found: Instant[] = []
    const marked = instantsOf(schema)?.(value, (instant, unit) => {
      if (typeof instant !== 'number' && typeof instant !== 'string') return instant
      const last = found.at(-1)
      const isAgain = last?.value === instant && last.unit === unit
      return MARK + (found.push(isAgain ? last : { value: instant, unit }) - 1)
    })
    const parts = (before + JSON.stringify(marked ?? value) + after).split(MARKED)
    // Every second part is the number of an instant: they were found in the schema's order.
    const instants = parts.flatMap((part, at) => (at % 2 === 1 ? (found[+part] ?? []) : []))
    if (instants.length !== found.length || parts.length !== 2 * found.length + 1) return null
    const pieces = parts.filter((_, at) => at % 2 === 0)
    return new JsonTemplate(pieces, instants)
  }

  /** The JSON with every instant so much later. */
  at(shiftMs: number): string {
    const { pieces, instants } = this
    let json = pieces[0] as string
    let known: Instant | null = null
    let text = ''
    for (let at = 0; at < instants.length; at++) {
      const instant = instants[at] as Instant
      // Most instants of a value are one and the same, and writing a number takes long.
      if (instant !== known) text = instantText(instant, shiftMs)
      known = instant
      // Three texts at once: the runtime joins no more than that in one go.
      json = `${json}${text}${pieces[at + 1] as string}`
    }
    return json
  }
}

interface Instant {
  value: number | string
  unit: TimeUnit
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
