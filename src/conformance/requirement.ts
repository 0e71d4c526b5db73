import type { AnswerTo, QuestionId } from '../contract/questions.ts'
import type { Probe } from './probe.ts'
import type { ProbeExchange, ProbeRequest } from './probe-request.ts'
import { isJsonObject, isSameJson, isSuccess, type JsonObject } from './responses.ts'

// Observes a target's answer to an open question.

/** One of the question's answers; null where the target shows none of them. */
export type Observer<A extends string> = (probe: Probe) => Promise<A | null>

export type Observers = { [Id in QuestionId]?: Observer<AnswerTo<Id>> }

/** Data of a response, whatever its status; undefined for none. */
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

/** An observed value, if it is one of the answers. */
export const among = <const A extends string>(seen: unknown, answers: readonly A[]): A | null =>
  answers.find((answer) => answer === String(seen)) ?? null

/**
 * One answer where the request is refused for its content, another where it succeeds, else null.
 */
export function refusedOr<const A extends string>(
  exchange: ProbeExchange,
  refused: A,
  success: A,
): A | null {
  if (isSuccess(exchange)) return success
  const code = isJsonObject(exchange.json) ? String(exchange.json.code) : ''
  return exchange.status === 400 || code === '400' ? refused : null
}

/** One answer where it succeeds, another where it is refused for its content. */
export const bySuccess = <const A extends string>(
  requestOf: (probe: Probe) => ProbeRequest | Promise<ProbeRequest>,
  yes: A,
  no: A,
): Observer<A> => {
  return async (probe) => refusedOr(await probe.request(await requestOf(probe)), no, yes)
}

/** By the first name that a row has. */
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

// Default value of a parameter, derived from the responses to explicit values.

/** The values that a parameter may have had when left out, or whether it is required. */
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

/** The single answer that the response without the parameter matches. */
export function onlyOne<const A extends string>(probe: Probe, alike: readonly A[]): A | null {
  if (alike.length > 1) probe.skip(`it answers the same for ${alike.join(' and ')}`)
  return alike[0] ?? null
}

/**
 * A requirement is a sentence of the contract about the service's behaviour, in our own words.
 * Cases name the requirements that they check.
 */

/** Aspect of an operation or a channel checked by derived cases. */
export type Aspect =
  /** Its examples: status, envelope and schema of responses or pushes. */
  | 'answer'
  /** Access, and refusals of others. */
  | 'access'
  /** Its limits: left out, at the maximum, and above. */
  | 'limits'
  /** Every value of its parameters that have a fixed set. */
  | 'values'
  /** Its required parameters. */
  | 'required'

export interface Requirement {
  /** `auth.window`: letters, digits and dots. */
  id: string
  /** Section of the contract. */
  section: string
  text: string
  /** Derived cases that check it: those of these operations or channels, in this aspect. */
  derived?: { respect: Aspect; of: readonly string[] }
}

type Sentence = string | Omit<Requirement, 'id' | 'section'>

/** The requirements of one section, by id. */
export function requirementsOfSection(
  section: string,
  sentences: Readonly<Record<string, Sentence>>,
): readonly Requirement[] {
  return Object.entries(sentences).map(([id, sentence]) => ({
    id,
    section,
    ...(typeof sentence === 'string' ? { text: sentence } : sentence),
  }))
}

const derivedBy =
  (respect: Aspect) =>
  (text: string, ...of: string[]): Sentence => ({ text, derived: { respect, of } })

/** Checked wherever responses of these are judged. */
export const byAnswers = derivedBy('answer')
/** Checked wherever access to these is tested. */
export const byAccess = derivedBy('access')
/** Checked wherever limits of these are tested. */
export const byLimits = derivedBy('limits')
/** Checked wherever every value of these is tested. */
export const byValues = derivedBy('values')
/** Checked wherever a required parameter of these is left out. */
export const byRequired = derivedBy('required')
