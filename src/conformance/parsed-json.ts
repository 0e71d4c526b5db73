/** The value that a text is as JSON; undefined when it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export type JsonObject = Record<string, unknown>

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

// What is wrong in answers: pure functions over values.

/** Whether two numbers, written as text or not, are the same but for rounding. */
export function isClose(one: unknown, other: unknown, part = 1e-4, least = 0.02): boolean {
  const [a, b] = [Number(one), Number(other)]
  return Math.abs(a - b) <= Math.max(least, part * Math.max(Math.abs(a), Math.abs(b)))
}

/** Numbers of a column. */
export const column = (rows: readonly JsonObject[], name: string): number[] =>
  rows.map((row) => Number(row[name]))

/** Whether no number is smaller than the one before. */
export const isNonDecreasing = (values: readonly number[]): boolean =>
  values.every((value, at) => at === 0 || value >= (values[at - 1] as number))

/** Whether no number is greater than the one before. */
export const isNonIncreasing = (values: readonly number[]): boolean =>
  isNonDecreasing([...values].reverse())

/** Whether every number is greater than the one before. */
export const isIncreasing = (values: readonly number[]): boolean =>
  values.every((value, at) => at === 0 || value > (values[at - 1] as number))

/** Sum of a column. */
export const columnSum = (rows: readonly JsonObject[], name: string): number =>
  column(rows, name).reduce((sum, value) => sum + value, 0)

/** What each of two values has that the other has not, as text; JSON is compared. */
export const isSameJson = (one: unknown, other: unknown): boolean =>
  JSON.stringify(ordered(one)) === JSON.stringify(ordered(other))

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(([name, inner]) => [name, ordered(inner)] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Paths of texts that mean a number and are not written as a plain decimal. */
export function malformedNumbers(value: unknown, path = ''): string[] {
  return leaves(value, path).flatMap(([at, leaf]) =>
    typeof leaf === 'string' && NUMBER_LIKE.test(leaf) && !PLAIN_DECIMAL.test(leaf)
      ? [`${at}: ${leaf}`]
      : [],
  )
}

const NUMBER_LIKE = /^([+-]?(\d[\d,]*\.?\d*|\.\d+)(e[+-]?\d+)?|[+-]?(nan|inf|infinity))$/i
const PLAIN_DECIMAL = /^-?\d+(\.\d+)?$/

/** Paths of numbers that are called a time and are not whole. */
export function fractionalTimes(value: unknown, path = ''): string[] {
  return leaves(value, path).flatMap(([at, leaf]) =>
    typeof leaf === 'number' && TIME.test(at) && !Number.isSafeInteger(leaf)
      ? [`${at}: ${leaf}`]
      : [],
  )
}

const TIME = /\.(\w*Time|time|timestamp|createtime|update_time|pubDate)$/

function leaves(value: unknown, path: string): [path: string, leaf: unknown][] {
  if (Array.isArray(value)) return value.flatMap((item, at) => leaves(item, `${path}.${at}`))
  if (!isJsonObject(value)) return [[path, value]]
  return Object.entries(value).flatMap(([name, inner]) => leaves(inner, `${path}.${name}`))
}
