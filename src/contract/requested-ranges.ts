/**
 * The ranges of time that a request asks for, read off the meanings of its parameters: from one
 * instant to another, so far back, or so many rows of an interval each.
 */
import { type Meaning, meaningOf } from './meaning.ts'
import type { Answers } from './questions.ts'
import { lengthMs, longestWithin } from './range-length.ts'
import type { TSchema } from './schema.ts'

/** A range of time that is asked for. */
export interface RequestedRange {
  /** Infinite for all time. */
  lengthMs: number
  /** Nobody named it: it follows from what was left out. */
  isUsual: boolean
  /** Asks for no more than so long, and says whether that could be done. */
  cut(mostMs: number): boolean
}

/** A parameter as it was read. */
export interface RequestField {
  schema: TSchema
  name: string
  /** What holds its value. */
  values: Record<string, unknown>
  wasSent: boolean
}

/** What ranges are reckoned from. */
interface Present {
  nowMs: number
  answers: Answers
}

/** The ranges that parameters which belong together ask for, those inside of them included. */
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

/** From an instant to another or to the present; else rows of an interval each; else all time. */
function between(fields: readonly RequestField[], present: Present): RequestedRange | null {
  const start = of(fields, 'rangeStart')
  const endMs = instantOf(of(fields, 'rangeEnd')) ?? present.nowMs
  const startMs = instantOf(start)
  const begin = (mostMs: number) => {
    if (start) start.values[start.name] = endMs - mostMs
    return start !== undefined
  }
  if (startMs !== undefined) return { lengthMs: endMs - startMs, isUsual: false, cut: begin }
  const rows = rowsAsked(fields, present)
  if (rows || !start) return rows
  return { lengthMs: Number.POSITIVE_INFINITY, isUsual: true, cut: begin }
}

function rowsAsked(fields: readonly RequestField[], present: Present): RequestedRange | null {
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

/** So far back. */
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

/** What was left out is what the answer to its question says, if it has one. */
function lengthOf({ schema, name, values }: RequestField, { answers }: Present): number | null {
  const usual = schema['x-usual'] as keyof Answers | undefined
  return lengthMs(schema, values[name] ?? (usual && answers[usual]))
}

/** In ms; undefined when none was named. */
function instantOf(field: RequestField | undefined): number | undefined {
  const value = field?.values[field.name]
  if (typeof value !== 'number') return undefined
  return field?.schema['x-time'] === 's' ? value * 1000 : value
}

/** The parameters inside of an object, or of each object of a list: what belongs together. */
function innerOf({ schema, name, values }: RequestField): RequestField[][] {
  const value = values[name]
  const [inner, parts] =
    schema.type === 'array' ? [schema.items as TSchema, value] : [schema, [value]]
  if (inner?.type !== 'object' || !Array.isArray(parts)) return []
  return parts.flatMap((part) => (isRecord(part) ? [askedFields(inner, part, part)] : []))
}

/** The parameters of an object: as read, and as they were sent. */
export function askedFields(
  { properties }: TSchema,
  values: Record<string, unknown>,
  sent: Readonly<Record<string, unknown>>,
): RequestField[] {
  return Object.entries((properties ?? {}) as Record<string, TSchema>).map(([name, schema]) => {
    const names = [name, ...((schema['x-alias'] as string[] | undefined) ?? [])]
    // An empty text is how many clients leave a parameter out.
    const wasSent = names.some((one) => sent[one] !== undefined && sent[one] !== '')
    return { schema, name, values, wasSent }
  })
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
