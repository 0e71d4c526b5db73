/**
 * The time ranges of a request, by the meanings of its parameters: from one instant to another,
 * back from now, or a number of rows with an interval.
 */

import { DAY_MS } from '../clock/instant.ts'
import { isJsonObject } from '../platform/json-object.ts'
import { choicesIn } from './expected-text.ts'
import { type LengthUnit, type Meaning, meaningOf } from './meaning.ts'
import type { Answers } from './questions.ts'
import type { TSchema } from './schema.ts'
import { readSpan, spanText } from './span.ts'

/** A requested time range. */
export interface RequestedRange {
  /** Infinite for all time. */
  lengthMs: number
  /** It follows from defaults. */
  isUsual: boolean
  /** Shortens the range, and returns whether that was possible. */
  cut(mostMs: number): boolean
}

/** A parsed parameter. */
export interface RequestField {
  schema: TSchema
  name: string
  /** The object with its value. */
  values: Record<string, unknown>
  wasSent: boolean
}

/** The reference of ranges: now, and the answers. */
interface Present {
  nowMs: number
  answers: Answers
}

/** The ranges of parameters that belong together, with nested ones. */
export function requestedRanges(
  fields: readonly RequestField[],
  present: Present,
): RequestedRange[] {
  const found = [between(fields, present), back(fields, present)]
  const inner = fields.flatMap((field) =>
    innerOf(field).map((part) => requestedRanges(part, present)),
  )
  return [...found.filter((range) => range !== null), ...inner.flat()]
}

const of = (fields: readonly RequestField[], meaning: Meaning): RequestField | undefined =>
  fields.find(({ schema }) => meaningOf(schema) === meaning)

/** From an instant to another or to the present; else rows with an interval; else all time. */
function between(fields: readonly RequestField[], present: Present): RequestedRange | null {
  const start = of(fields, 'rangeStart')
  const endMs = instantOf(of(fields, 'rangeEnd')) ?? present.nowMs
  const startMs = instantOf(start)
  const begin = (mostMs: number) => {
    if (start) start.values[start.name] = endMs - mostMs
    return start !== undefined
  }
  if (startMs !== undefined) return { lengthMs: endMs - startMs, isUsual: false, cut: begin }
  const rows = rowsRequested(fields, present)
  if (rows || !start) return rows
  return { lengthMs: Number.POSITIVE_INFINITY, isUsual: true, cut: begin }
}

function rowsRequested(fields: readonly RequestField[], present: Present): RequestedRange | null {
  const size = of(fields, 'pageSize')
  const interval = of(fields, 'interval')
  if (!size) return null
  const each = interval ? lengthOf(interval, present) : lengthMs(size.schema, size.schema['x-each'])
  const rows = size.values[size.name]
  if (each === null || typeof rows !== 'number') return null
  return {
    lengthMs: rows * each,
    isUsual: !size.wasSent,
    cut(mostMs) {
      const most = Math.floor(mostMs / each)
      if (most >= 1) size.values[size.name] = most
      return most >= 1
    },
  }
}

/** Back from now. */
function back(fields: readonly RequestField[], present: Present): RequestedRange | null {
  const field = of(fields, 'rangeLength')
  const length = field && lengthOf(field, present)
  if (!field || typeof length !== 'number') return null
  return {
    lengthMs: length,
    isUsual: !field.wasSent,
    cut(mostMs) {
      const shorter = longestWithin(field.schema, mostMs)
      if (shorter !== undefined) field.values[field.name] = shorter
      return shorter !== undefined
    },
  }
}

/** The default is the answer to its question, if it has one. */
function lengthOf({ schema, name, values }: RequestField, { answers }: Present): number | null {
  const usual = schema['x-usual'] as keyof Answers | undefined
  return lengthMs(schema, values[name] ?? (usual && answers[usual]))
}

/** In ms; undefined when it is absent. */
function instantOf(field: RequestField | undefined): number | undefined {
  const value = field?.values[field.name]
  if (typeof value !== 'number') return undefined
  return field?.schema['x-time'] === 's' ? value * 1000 : value
}

/** The parameters of an object, or of each object of a list: those that belong together. */
function innerOf({ schema, name, values }: RequestField): RequestField[][] {
  const value = values[name]
  const [inner, parts] =
    schema.type === 'array' ? [schema.items as TSchema, value] : [schema, [value]]
  if (inner?.type !== 'object' || !Array.isArray(parts)) return []
  return parts.flatMap((part) => (isJsonObject(part) ? [requestedFields(inner, part, part)] : []))
}

/** The parameters of an object: parsed, and as they were sent. */
export function requestedFields(
  { properties }: TSchema,
  values: Record<string, unknown>,
  sent: Readonly<Record<string, unknown>>,
): RequestField[] {
  return Object.entries((properties ?? {}) as Record<string, TSchema>).map(([name, schema]) => {
    const names = [name, ...((schema['x-alias'] as string[] | undefined) ?? [])]
    // Many clients send an empty text or null for an absent parameter.
    const wasSent = names.some((one) => (sent[one] ?? '') !== '')
    return { schema, name, values, wasSent }
  })
}

// Lengths of time in parameters (`x-length`): parsing and shortening.

/** Words for lengths, of windows and of answers to open questions. */
const WORDS: Record<string, number> = {
  hour: 3_600_000,
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 30 * DAY_MS,
  all: Number.POSITIVE_INFINITY,
  allTime: Number.POSITIVE_INFINITY,
}

/** A value in ms, infinite for all time; null when it is no length. */
function lengthMs(schema: TSchema, value: unknown): number | null {
  const word = WORDS[String(value)]
  if (word !== undefined) return word
  const number = Number(value)
  const unit = schema['x-length'] as LengthUnit | undefined
  if (unit === 's') return Number.isFinite(number) ? number * 1000 : null
  if (unit === 'days') return Number.isInteger(number) ? daysMs(number) : null
  return typeof value === 'string' ? readSpan(value) : null
}

const daysMs = (days: number) => (days === 0 ? Number.POSITIVE_INFINITY : days * DAY_MS)

/** The longest value of a schema up to `mostMs`; undefined when all are longer. */
function longestWithin(schema: TSchema, mostMs: number): string | number | undefined {
  const choices = choicesIn(schema) as readonly (string | number)[]
  if (choices.length > 0)
    return choices
      .map((value) => ({ value, ms: lengthMs(schema, value) ?? Number.POSITIVE_INFINITY }))
      .filter(({ ms }) => ms <= mostMs)
      .sort((a, b) => b.ms - a.ms)[0]?.value
  if (schema['x-length'] === 'days') return Math.floor(mostMs / DAY_MS) || undefined
  const [least = '1s'] = (schema['x-span'] ?? []) as string[]
  return mostMs < (readSpan(least) ?? 0) ? undefined : spanText(mostMs)
}
