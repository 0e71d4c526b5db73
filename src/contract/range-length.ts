/** Lengths of time as parameters write them (`x-length`): how long one is, and a shorter one. */
import { DAY_MS } from '../clock/durations.ts'
import type { LengthUnit } from './meaning.ts'
import type { TSchema } from './schema.ts'
import { readSpan, spanText } from './span.ts'

/** Words for lengths, of windows and of answers to open questions. */
const WORDS: Record<string, number> = {
  hour: 3_600_000,
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 30 * DAY_MS,
  all: Number.POSITIVE_INFINITY,
  allTime: Number.POSITIVE_INFINITY,
}

/** A value in ms, all time being infinite; null when it is no length. */
export function lengthMs(schema: TSchema, value: unknown): number | null {
  const word = WORDS[String(value)]
  if (word !== undefined) return word
  const number = Number(value)
  const unit = schema['x-length'] as LengthUnit | undefined
  if (unit === 's') return Number.isFinite(number) ? number * 1000 : null
  if (unit === 'days') return Number.isInteger(number) ? daysMs(number) : null
  return typeof value === 'string' ? readSpan(value) : null
}

const daysMs = (days: number) => (days === 0 ? Number.POSITIVE_INFINITY : days * DAY_MS)

/** The longest value of a schema that is no longer than `mostMs`; undefined when all are. */
export function longestWithin(schema: TSchema, mostMs: number): string | number | undefined {
  const choices = choicesOf(schema)
  if (choices.length > 0)
    return choices
      .map((value) => ({ value, ms: lengthMs(schema, value) ?? Number.POSITIVE_INFINITY }))
      .filter(({ ms }) => ms <= mostMs)
      .sort((a, b) => b.ms - a.ms)[0]?.value
  if (schema['x-length'] === 'days') return Math.floor(mostMs / DAY_MS) || undefined
  const [least = '1s'] = (schema['x-span'] ?? []) as string[]
  return mostMs < (readSpan(least) ?? 0) ? undefined : spanText(mostMs)
}

/** The values that there are, where they can be counted. */
function choicesOf({ enum: words, anyOf }: TSchema): (string | number)[] {
  if (words) return words
  return ((anyOf ?? []) as TSchema[]).map((member) => member.const)
}
