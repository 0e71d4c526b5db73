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

  /** The template of a value of that schema; null when there can be none. */
  static of(value: unknown, schema: TSchema): JsonTemplate | null {
    const found: Instant[] = []
    const marked = instantsOf(schema)?.(value, (instant, unit) => {
      if (typeof instant !== 'number' && typeof instant !== 'string') return instant
      return MARK + (found.push({ value: instant, unit }) - 1)
    })
    const parts = JSON.stringify(marked ?? value).split(MARKED)
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
    for (let at = 0; at < instants.length; at++)
      json += instantText(instants[at] as Instant, shiftMs) + (pieces[at + 1] as string)
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

/** Most instants of a value are one and the same, and writing a number takes long. */
function instantText({ value, unit }: Instant, shiftMs: number): string {
  const shifted = shiftedInstant(value, unit, shiftMs)
  if (latest.value !== shifted) latest = { value: shifted, text: textOf(shifted) }
  return latest.text
}

/** Of the instants of a second only the last three digits differ. */
let second = { value: 0, text: '0' }
const LAST_DIGITS = Array.from({ length: 1000 }, (_, ms) => String(ms).padStart(3, '0'))

function textOf(shifted: unknown): string {
  if (!Number.isSafeInteger(shifted) || (shifted as number) < 1000) return JSON.stringify(shifted)
  const ms = shifted as number
  const value = Math.floor(ms / 1000)
  if (second.value !== value) second = { value, text: String(value) }
  return second.text + (LAST_DIGITS[ms - value * 1000] as string)
}
