/** Reading answers: what a case needs before it can judge, each step said in words. */
import { answerMismatch } from './declared-answer.ts'
import type { Probe, ProbeExchange, ProbeRequest } from './probe.ts'

export type JsonObject = Record<string, unknown>

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The body of an answer as an object. */
export function bodyOf(probe: Probe, exchange: ProbeExchange): JsonObject {
  probe.assert(isJsonObject(exchange.json), `${exchange.path} answers a JSON object`)
  return exchange.json
}

/** Whether an answer is one of success in any of the three envelopes. */
export function isSuccess({ status, json }: ProbeExchange): boolean {
  if (status !== 200 || !isJsonObject(json)) return false
  return json.success === true || json.code === '0' || json.code === '200' || json.code === 0
}

/** The `data` of a successful answer, which is as it is declared. */
export async function dataOf(probe: Probe, request: ProbeRequest): Promise<unknown> {
  const exchange = await probe.request(request)
  probe.assert(isSuccess(exchange), `${request.path} is answered with success`)
  const { data } = bodyOf(probe, exchange)
  const flaw = answerMismatch(exchange, data)
  probe.assert(flaw === null, `${request.path}: ${flaw}`)
  return data
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

/**
 * Looks until nothing is wrong: between two answers a market may have moved. `look` gives what is
 * wrong in words, null for nothing.
 */
export async function retryUntilHeld(
  probe: Probe,
  look: () => Promise<string | null>,
): Promise<void> {
  let flaw: string | null = null
  for (let tries = 0; tries < TRIES; tries++) {
    flaw = await look()
    if (flaw === null) return
  }
  probe.assert(false, flaw ?? '', probe.exchanges.slice(-3))
}

/** Looks at a market that moves before two answers count as different. */
const TRIES = 12
