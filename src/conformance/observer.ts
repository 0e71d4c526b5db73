/** Reads off a target how it answers an open question. */

import type { AnswerTo, QuestionId } from '../contract/questions.ts'
import type { Probe } from './probe.ts'
import type { ProbeExchange, ProbeRequest } from './probe-request.ts'
import { isJsonObject, isSameJson, isSuccess, type JsonObject } from './responses.ts'

/** One of the question's answers; null where the target shows none of them. */
export type Observer<A extends string> = (probe: Probe) => Promise<A | null>

export type Observers = { [Id in QuestionId]?: Observer<AnswerTo<Id>> }

/** Data of an answer, whatever became of it; undefined without any. */
export async function dataIn(probe: Probe, request: ProbeRequest): Promise<unknown> {
  return dataFrom(await probe.request(request))
}

export const dataFrom = ({ json }: ProbeExchange): unknown =>
  isJsonObject(json) ? json.data : undefined

/** The first row of a list, of a page, or the object itself. */
export function firstOf(data: unknown): JsonObject {
  if (Array.isArray(data)) return isJsonObject(data[0]) ? data[0] : {}
  if (!isJsonObject(data)) return {}
  const list = Object.values(data).find(Array.isArray)
  return list ? firstOf(list) : data
}

/** What a target shows, when it is one of the answers. */
export const among = <const A extends string>(seen: unknown, answers: readonly A[]): A | null =>
  answers.find((answer) => answer === String(seen)) ?? null

/** One name where it is refused for what it asks, another where it succeeds, else null. */
export function refusedOr<const A extends string>(
  exchange: ProbeExchange,
  refused: A,
  success: A,
): A | null {
  if (isSuccess(exchange)) return success
  const code = isJsonObject(exchange.json) ? String(exchange.json.code) : ''
  return exchange.status === 400 || code === '400' ? refused : null
}

/** One name where it succeeds, another where it is refused for what it asks. */
export const bySuccess = <const A extends string>(
  requestOf: (probe: Probe) => ProbeRequest | Promise<ProbeRequest>,
  yes: A,
  no: A,
): Observer<A> => {
  return async (probe) => refusedOr(await probe.request(await requestOf(probe)), no, yes)
}

/** By the first of the names that a row has. */
export const byName = <const A extends string>(
  requestOf: (probe: Probe) => ProbeRequest | Promise<ProbeRequest>,
  names: Readonly<Record<string, A>>,
): Observer<A> => {
  return async (probe) => {
    const row = firstOf(await dataIn(probe, await requestOf(probe)))
    const found = Object.entries(names).find(([name]) => name in row)
    return found?.[1] ?? null
  }
}

// What a parameter counts as that was left out, seen from the answers that it would have made.

/** Which of some values a parameter may have had when it was left out, or that it may not be. */
export async function valuesWhenOmitted<const A extends string>(
  probe: Probe,
  path: string,
  name: string,
  values: readonly A[],
): Promise<(A | 'refuse')[]> {
  const exchange = await probe.request({ path })
  if (!isSuccess(exchange)) return exchange.status < 500 ? ['refuse'] : []
  const alike: A[] = []
  for (const value of values)
    if (isSameJson(await dataIn(probe, { path, query: { [name]: value } }), dataFrom(exchange)))
      alike.push(value)
  return alike
}

/** What an answer without the parameter is like, when it is like one alone. */
export function onlyOne<const A extends string>(probe: Probe, alike: readonly A[]): A | null {
  if (alike.length > 1) probe.skip(`it answers the same for ${alike.join(' and ')}`)
  return alike[0] ?? null
}
