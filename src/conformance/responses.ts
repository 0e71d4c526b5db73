/** Responses of a target: their content, and assertions about it. */

import { isJsonObject, type JsonObject } from '../platform/json-object.ts'
import type { Probe } from './probe.ts'
import type { ProbeExchange, ProbeRequest } from './probe-request.ts'

/** A text parsed as JSON; undefined when invalid. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export { isJsonObject, type JsonObject }

// Flaws of responses: pure functions over values.

/** Whether two numbers, written as text or not, are equal except for rounding. */
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

/** Whether two values are equal as JSON. */
export const isSameJson = (one: unknown, other: unknown): boolean =>
  JSON.stringify(ordered(one)) === JSON.stringify(ordered(other))

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(([name, inner]) => [name, ordered(inner)] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Paths of numeric texts that are no plain decimals. */
export function malformedNumbers(value: unknown, path = ''): string[] {
  return leaves(value, path).flatMap(([at, leaf]) =>
    typeof leaf === 'string' && NUMBER_LIKE.test(leaf) && !PLAIN_DECIMAL.test(leaf)
      ? [`${at}: ${leaf}`]
      : [],
  )
}

const NUMBER_LIKE = /^([+-]?(\d[\d,]*\.?\d*|\.\d+)(e[+-]?\d+)?|[+-]?(nan|inf|infinity))$/i
const PLAIN_DECIMAL = /^-?\d+(\.\d+)?$/

/** Paths of fractional numbers named like times. */
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

/** The body of a response as an object. */
export function bodyOf(probe: Probe, exchange: ProbeExchange): JsonObject {
  probe.assert(isJsonObject(exchange.json), `${exchange.path} answers a JSON object`)
  return exchange.json
}

/** Whether a response is a success in any of the three envelopes. */
export const isSuccess = ({ status, json }: ProbeExchange): boolean =>
  status === 200 && isJsonObject(json) && isSuccessBody(json)

/** Whether an envelope reports success, whatever the status. */
export const isSuccessBody = ({ success, code }: JsonObject): boolean =>
  success === true || code === '0' || code === '200' || code === 0

/** The `data` of a successful response. */
export async function dataOf(probe: Probe, request: ProbeRequest): Promise<unknown> {
  const exchange = await probe.request(request)
  const { status, json } = exchange
  probe.assert(isSuccess(exchange), `${request.path} is answered with success`, {
    expected: { status: 200, said: 'success' },
    found: isJsonObject(json) ? { status, ...withoutData(json) } : { status },
  })
  return bodyOf(probe, exchange).data
}

/** A response without its rows. */
export function withoutData({ data, ...rest }: JsonObject): JsonObject {
  if (data === undefined) return rest
  return { ...rest, data: data === null ? null : '(data)' }
}

/** The `data` of a successful response, an object. */
export async function objectOf(probe: Probe, request: ProbeRequest): Promise<JsonObject> {
  const data = await dataOf(probe, request)
  probe.assert(isJsonObject(data), `data of ${request.path} is an object`)
  return data
}

/** The `data` of a successful response, or its field of a given name: a list of objects. */
export async function objectsOf(
  probe: Probe,
  request: ProbeRequest,
  under?: string,
): Promise<JsonObject[]> {
  const data = await dataOf(probe, request)
  const list = under === undefined ? data : isJsonObject(data) ? data[under] : undefined
  const name = under === undefined ? 'data' : `data.${under}`
  probe.assert(
    Array.isArray(list) && list.every(isJsonObject),
    `${name} of ${request.path} is a list`,
  )
  return list as JsonObject[]
}

/** Whether a response refuses with a code of envelope B; its HTTP status may be 200 (open). */
export const isRefused = ({ status, json }: ProbeExchange, code: string): boolean =>
  isJsonObject(json) &&
  json.code === code &&
  json.data === null &&
  [Number(code), 200].includes(status)

/** Result of a comparison of two different moments: no evidence. */
export const MOVED = Symbol('moved')

/** null: it holds; text: the flaw. */
type ReadOutcome = string | null | typeof MOVED

/**
 * Retries until there is no flaw, with growing pauses. It fails when no conclusive attempt held;
 * without any, the case is skipped.
 */
export async function retryUntilHeld(
  probe: Probe,
  look: () => Promise<ReadOutcome>,
): Promise<void> {
  const flaws: string[] = []
  for (let tries = 0; tries <= probe.retries; tries++) {
    if (tries > 0) await probe.pause(pauseMs(tries))
    const seen = await look()
    if (seen === null) return
    if (seen !== MOVED) flaws.push(seen)
  }
  // A single one may be due to a market that changed and reverted between two reads.
  if (flaws.length < Math.min(2, probe.retries + 1))
    probe.skip('the market moved between any two reads')
  probe.assert(false, flaws.at(-1) ?? '')
}

/**
 * One comparison with moving data: that is read before and after, twice, and a difference is a flaw
 * only where all reads are equal. A fluctuating price repeats at times, but hardly ever three times
 * running.
 *
 * @param read everything that shows a change, without times of responses
 * @param compare the flaw beside it, as text
 */
export async function whileStill<T>(
  read: () => Promise<T>,
  compare: (seen: T) => Promise<string | null>,
): Promise<ReadOutcome> {
  const before = await read()
  const isStill = async () => JSON.stringify(await read()) === JSON.stringify(before)
  const flaw = await compare(before)
  if (flaw === null) return null
  if (!(await isStill())) return MOVED
  const again = await compare(before)
  if (again === null) return null
  return (await isStill()) ? again : MOVED
}

/** A tenth of a second at first, three seconds at last. */
const pauseMs = (tries: number): number => Math.min(3_000, 100 * 1.6 ** (tries - 1))

// Common assertions with expected and found values.

type Judge = Pick<Probe, 'assert'>

/** A response is a success. */
export function assertSuccess(probe: Judge, exchange: ProbeExchange, message: string): void {
  const expected = { status: 200, said: 'success' }
  probe.assert(isSuccess(exchange), message, { expected, found: outcomeOf(exchange) })
}

/** A response refuses with a code of envelope B. */
export function assertRefused(
  probe: Judge,
  exchange: ProbeExchange,
  code: string,
  message: string,
): void {
  const found = outcomeOf(exchange)
  // The other fields of a success are no part of a refusal.
  const words = isSuccess(exchange) ? {} : found
  const expected = { ...words, status: Number(code), code, data: null }
  // It is refused as it should be: what is wrong is its envelope.
  const isEnvelope = exchange.status === Number(code) && !isSuccess(exchange)
  const flaw = isEnvelope ? refusalFlaw(exchange, code) : null
  probe.assert(flaw === null, flaw ?? '', { expected, found })
  probe.assert(isRefused(exchange, code), message, { expected, found })
}

/** What is wrong in the envelope of a refusal with the right status; null for nothing. */
function refusalFlaw({ json }: ProbeExchange, code: string): string | null {
  if (!isJsonObject(json)) return `a refusal with ${code} is a JSON object`
  if (json.code !== code) return `a refusal with ${code} has the code "${code}"`
  return json.data === null ? null : `a refusal with ${code} has data null`
}

/** A response is no success, in any form. */
export function assertNoSuccess(probe: Judge, exchange: ProbeExchange, message: string): void {
  probe.assert(!isSuccess(exchange), message, { expected: 'a refusal', found: outcomeOf(exchange) })
}

/** The upgrade was refused: with a status if one is given. */
export function assertNoSocket(
  probe: Judge,
  opened: object,
  message: string,
  status?: number,
): asserts opened is ProbeExchange {
  const found = 'status' in opened ? opened.status : 'a socket'
  const expected = status ?? 'no socket'
  probe.assert(found !== 'a socket' && found === (status ?? found), message, { expected, found })
}

/** A value is text. */
export function assertText(probe: Judge, found: unknown, message: string): asserts found is string {
  probe.assert(typeof found === 'string', message, { expected: 'text', found: found ?? null })
}

/** A value is a list. */
export function assertList(
  probe: Judge,
  found: unknown,
  message: string,
): asserts found is unknown[] {
  probe.assert(Array.isArray(found), message, { expected: 'a list', found: found ?? null })
}

/** A value is an object. */
export function assertObject(
  probe: Judge,
  found: unknown,
  message: string,
): asserts found is JsonObject {
  probe.assert(isJsonObject(found), message, { expected: 'an object', found: found ?? null })
}

/** Values are unique. */
export function assertUnique(probe: Judge, values: readonly unknown[], message: string): void {
  const repeated = values.filter((value, at) => values.indexOf(value) < at)
  assertSame(probe, { repeated }, { repeated: [] }, message)
}

/** A value equals the expected one as JSON. */
export function assertSame(probe: Judge, found: unknown, expected: unknown, message: string): void {
  probe.assert(isSameJson(found, expected), message, { expected, found: found ?? null })
}

/** A number does not exceed a maximum. */
export function assertAtMost(probe: Judge, found: number, most: number, message: string): void {
  probe.assert(found <= most, message, { expected: `at most ${most}`, found })
}

/** A number reaches a minimum. */
export function assertAtLeast(probe: Judge, found: number, least: number, message: string): void {
  probe.assert(found >= least, message, { expected: `at least ${least}`, found })
}

/** Numbers are in the order of a check. */
export function assertOrder(
  probe: Judge,
  values: readonly number[],
  isOrdered: (values: readonly number[]) => boolean,
  message: string,
): void {
  const at = values.findIndex((_, index) => !isOrdered(values.slice(0, index + 1)))
  const found = values.slice(Math.max(0, at - 2), at + 2)
  const sorted = [...found].sort((a, b) => a - b)
  const expected = isOrdered([1, 2]) ? sorted : sorted.reverse()
  probe.assert(at < 0, message, { expected, found })
}

/** Outcome of a request, without its rows. */
function outcomeOf({ status, json }: ProbeExchange): Record<string, unknown> {
  return isJsonObject(json) ? { status, ...withoutData(json) } : { status, body: 'no JSON object' }
}
