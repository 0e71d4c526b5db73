/** What cases assert most often: what was expected and what was found are told as values. */
import { isJsonObject, type JsonObject } from './parsed-json.ts'
import type { Probe } from './probe.ts'
import type { ProbeExchange } from './probe-request.ts'
import { isRefused, isSuccess, withoutData } from './response-reading.ts'
import { isSameJson } from './value-checks.ts'

type Judge = Pick<Probe, 'assert'>

/** An answer is one of success. */
export function assertSuccess(probe: Judge, exchange: ProbeExchange, message: string): void {
  const expected = { status: 200, said: 'success' }
  probe.assert(isSuccess(exchange), message, { expected, found: outcomeOf(exchange) })
}

/** An answer refuses with a code of envelope B. */
export function assertRefused(
  probe: Judge,
  exchange: ProbeExchange,
  code: string,
  message: string,
): void {
  const found = outcomeOf(exchange)
  // What a success says besides is no part of a refusal.
  const words = isSuccess(exchange) ? {} : found
  const expected = { ...words, status: Number(code), code, data: null }
  probe.assert(isRefused(exchange, code), message, { expected, found })
}

/** An answer is not one of success, however it says so. */
export function assertNoSuccess(probe: Judge, exchange: ProbeExchange, message: string): void {
  probe.assert(!isSuccess(exchange), message, { expected: 'a refusal', found: outcomeOf(exchange) })
}

/** No socket was opened, but the request for one refused: with a status if one is given. */
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

/** Each of some values stands there once. */
export function assertUnique(probe: Judge, values: readonly unknown[], message: string): void {
  const repeated = values.filter((value, at) => values.indexOf(value) < at)
  assertSame(probe, { repeated }, { repeated: [] }, message)
}

/** A value is the one that is expected; both are compared as JSON. */
export function assertSame(probe: Judge, found: unknown, expected: unknown, message: string): void {
  probe.assert(isSameJson(found, expected), message, { expected, found: found ?? null })
}

/** There are no more of something than there may be. */
export function assertAtMost(probe: Judge, found: number, most: number, message: string): void {
  probe.assert(found <= most, message, { expected: `at most ${most}`, found })
}

/** There are no fewer of something than there must be. */
export function assertAtLeast(probe: Judge, found: number, least: number, message: string): void {
  probe.assert(found >= least, message, { expected: `at least ${least}`, found })
}

/** Numbers go one way, as a check says. */
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

/** What became of a request, without the rows that were answered. */
function outcomeOf({ status, json }: ProbeExchange): Record<string, unknown> {
  return isJsonObject(json) ? { status, ...withoutData(json) } : { status, body: 'no JSON object' }
}
