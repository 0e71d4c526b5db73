/** Reading answers: what a case needs before it can judge, each step said in words. */
import { isJsonObject, type JsonObject } from './parsed-json.ts'
import type { Probe } from './probe.ts'
import type { ProbeExchange, ProbeRequest } from './probe-request.ts'

/** The body of an answer as an object. */
export function bodyOf(probe: Probe, exchange: ProbeExchange): JsonObject {
  probe.assert(isJsonObject(exchange.json), `${exchange.path} answers a JSON object`)
  return exchange.json
}

/** Whether an answer is one of success in any of the three envelopes. */
export const isSuccess = ({ status, json }: ProbeExchange): boolean =>
  status === 200 && isJsonObject(json) && saysSuccess(json)

/** Whether an envelope says that it is one of success, whatever the status. */
export const saysSuccess = ({ success, code }: JsonObject): boolean =>
  success === true || code === '0' || code === '200' || code === 0

/** The `data` of a successful answer. */
export async function dataOf(probe: Probe, request: ProbeRequest): Promise<unknown> {
  const exchange = await probe.request(request)
  const { status, json } = exchange
  probe.assert(isSuccess(exchange), `${request.path} is answered with success`, {
    expected: { status: 200, said: 'success' },
    found: isJsonObject(json) ? { status, ...withoutData(json) } : { status },
  })
  return bodyOf(probe, exchange).data
}

/** What an answer says besides its rows. */
export function withoutData({ data, ...rest }: JsonObject): JsonObject {
  if (data === undefined) return rest
  return { ...rest, data: data === null ? null : '(data)' }
}

/** The `data` of a successful answer, an object. */
export async function objectOf(probe: Probe, request: ProbeRequest): Promise<JsonObject> {
  const data = await dataOf(probe, request)
  probe.assert(isJsonObject(data), `data of ${request.path} is an object`)
  return data
}

/** The `data` of a successful answer, or what stands in it under a name: a list of objects. */
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

/** Whether an answer refuses with a code of envelope B; its HTTP status may be 200 (open). */
export const isRefused = ({ status, json }: ProbeExchange, code: string): boolean =>
  isJsonObject(json) &&
  json.code === code &&
  json.data === null &&
  [Number(code), 200].includes(status)

/** What a look says that compared two moments: it decides nothing. */
export const MOVED = Symbol('moved')

/** null: it holds; words: what does not. */
export type Look = string | null | typeof MOVED

/**
 * Looks until nothing is wrong, with growing pauses. It does not hold when it did not in any look
 * that decided something; where none did, the case is skipped.
 */
export async function retryUntilHeld(probe: Probe, look: () => Promise<Look>): Promise<void> {
  const flaws: string[] = []
  for (let tries = 0; tries <= probe.retries; tries++) {
    if (tries > 0) await probe.pause(pauseMs(tries))
    const seen = await look()
    if (seen === null) return
    if (seen !== MOVED) flaws.push(seen)
  }
  // One alone may be of a market that went there and back between two looks at it.
  if (flaws.length < Math.min(2, probe.retries + 1))
    probe.skip('the market moved between any two looks at it')
  probe.assert(false, flaws.at(-1) ?? '')
}

/**
 * One look at what must agree with something that moves: that is read before and after, twice, and
 * what does not agree with it is wrong only where all of these are the same. A price that goes to
 * and fro is the same again now and then, but hardly ever three times running.
 *
 * @param read all that tells whether it has moved, and no times of answers
 * @param compare what is wrong beside it, in words
 */
export async function whileStill<T>(
  read: () => Promise<T>,
  compare: (seen: T) => Promise<string | null>,
): Promise<Look> {
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
