/** Answers the questions of identities from facts, as the service would at that instant. */

import { isSlices, type Slices } from '../../clock/turns.ts'
import { CHANNELS, OPERATIONS } from '../catalogue.ts'
import type { Channel } from '../channel.ts'
import type { Facts } from '../facts.ts'
import { VENUE_INFO_TYPES } from '../info/index.ts'
import { infoAnswerer } from '../info/info-type.ts'
import type { Operation, OperationInput } from '../operation.ts'
import { readBody, readFields, readTextParameters } from '../parameter-reader.ts'
import { isRefusal } from '../refusal.ts'
import { shownValue, tapeValue } from '../shown-value.ts'
import type { Tenant } from '../tenant.ts'
import type { OperationQuestion, Question, SnapshotQuestion } from './identity.ts'

/**
 * Answers questions as of one instant: the data, null for a refusal. What was answered once is
 * kept, as several identities put the same question.
 *
 * @param onKept called with the size of each kept answer, bytes; it may throw
 * @throws {Error} for an operation or channel that there is not
 */
export function factsAnswerer(
  facts: Facts,
  onKept: (bytes: number) => void = () => {},
): (question: Question) => Slices<unknown> {
  const given = new Map<string, unknown>()
  return function* answer(question) {
    const key = JSON.stringify(question)
    if (given.has(key)) return given.get(key)
    const data = yield* answered(question, facts)
    onKept(estimatedBytes(data))
    given.set(key, data)
    return data
  }
}

/** Bytes of a value as JSON, roughly: of a long list some records stand for all. */
function estimatedBytes(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 8
  if (!Array.isArray(value))
    return Object.entries(value).reduce(
      (sum, [name, one]) => sum + name.length + 4 + estimatedBytes(one),
      2,
    )
  const step = Math.max(1, Math.floor(value.length / SAMPLES))
  const samples = value.filter((_, at) => at % step === 0)
  const bytes = samples.reduce<number>((sum, one) => sum + estimatedBytes(one), 2)
  return (bytes * value.length) / Math.max(1, samples.length)
}

const SAMPLES = 64

function* answered(question: Question, facts: Facts): Slices<unknown> {
  if ('operation' in question) return yield* operationAnswer(question as OperationQuestion, facts)
  if ('channel' in question) return yield* snapshotOf(question as SnapshotQuestion, facts)
  const answer = yield* inSlices(answerInfo(question, facts))
  return isRefusal(answer) ? null : answer
}

const answerInfo = infoAnswerer(VENUE_INFO_TYPES)

function* operationAnswer(question: OperationQuestion, facts: Facts): Slices<unknown> {
  const operation = OPERATION_BY_ID.get(question.operation)
  if (!operation) throw new Error(`there is no operation "${question.operation}"`)
  const input = inputOf(operation, question, facts)
  if (input === null) return null
  const answer = yield* inSlices(operation.answer(input, facts, NO_TENANT))
  return isRefusal(answer) ? null : shownValue(operation.data, answer, facts.moment)
}

const OPERATION_BY_ID = new Map(OPERATIONS.map((operation) => [operation.id, operation]))

/** Identities are of the market: no operation that they join reads the tenant. */
const NO_TENANT = {} as Tenant

/** Its parameters as they are read, in tape time; null where they are refused. */
function inputOf(
  { params }: Operation,
  { path = {}, query = {}, body }: OperationQuestion,
  { moment }: Facts,
): OperationInput<never, never, never> | null {
  const read = {
    path: params.path ? readTextParameters(params.path, path) : {},
    query: params.query ? readTextParameters(params.query, query) : {},
    body: params.body ? readBody(params.body, body) : undefined,
  }
  if (Object.values(read).some(isRefusal)) return null
  return {
    path: tapeValue(params.path, read.path, moment),
    query: tapeValue(params.query, read.query, moment),
    body: tapeValue(params.body, read.body, moment),
  } as OperationInput<never, never, never>
}

function* snapshotOf({ channel, subscription }: SnapshotQuestion, facts: Facts): Slices<unknown> {
  const declared = CHANNEL_BY_ID.get(channel)
  if (!declared) throw new Error(`there is no channel "${channel}"`)
  const read = readFields(declared.subscription, subscription)
  if (isRefusal(read) || declared.exists?.(read as never, facts) === false) return null
  const data = yield* inSlices(declared.snapshot(read as never, facts))
  return shownValue(declared.data, data ?? null, facts.moment)
}

const CHANNEL_BY_ID = new Map<string, Channel>(CHANNELS.map((channel) => [channel.id, channel]))

function* inSlices(given: unknown): Slices<unknown> {
  return isSlices(given) ? yield* given as Slices<unknown> : given
}
