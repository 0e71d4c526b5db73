/** What cases assert most often: what was expected and what was found are told as values. */
import { isJsonObject } from './parsed-json.ts'
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
  const expected = { ...found, status: Number(code), code, data: null }
  probe.assert(isRefused(exchange, code), message, { expected, found })
}

/** A value is the one that is expected; both are compared as JSON. */
export function assertSame(probe: Judge, found: unknown, expected: unknown, message: string): void {
  probe.assert(isSameJson(found, expected), message, { expected, found: found ?? null })
}

/** There are no more of something than there may be. */
export function assertAtMost(probe: Judge, found: number, most: number, message: string): void {
  probe.assert(found <= most, message, { expected: `at most ${most}`, found })
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
