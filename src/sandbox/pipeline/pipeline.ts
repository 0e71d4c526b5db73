/**
 * The way of a request, top to bottom: find the sandbox, authenticate, authorize, meter, read,
 * answer, wrap, journal. Scenarios act as it arrives, on its data, and as its answer leaves.
 *
 * Authentication comes before reading: a bad signature with a missing parameter is a bad signature.
 */

import { isSlices, oneSlice, runToEnd, type Slices } from '../../clock/turns.ts'
import { wrap } from '../../contract/envelope.ts'
import { envelopeOf, type Operation, type OperationInput } from '../../contract/operation.ts'
import { isRefusal, type Refusal } from '../../contract/refusal.ts'
import { isServed } from '../../contract/served-operations.ts'
import { authorize, meter } from '../authorization.ts'
import { beginningOf, ENTRY_ANSWER_MAX, ENTRY_TEXT_MAX } from '../journal/entry.ts'
import type { Registry } from '../registry.ts'
import type { Sandbox } from '../sandbox.ts'
import { StorageError } from '../sandbox-store.ts'
import { logSignatureRefusal } from '../signature-diagnosis.ts'
import type { ApiKey } from '../tenancy/api-key.ts'
import { tenantOf } from '../tenancy/tenant.ts'
import type { Outcome } from './http-message.ts'
import {
  type HttpRequest,
  type HttpResponse,
  jsonResponse,
  operationRefusalResponse,
  refusalResponse,
} from './http-message.ts'
import {
  type OperationCall,
  operationCallOf,
  readParameters,
  serialiseData,
} from './operation-call.ts'
import { recordedOutcome } from './recorded-answer.ts'
import { type AnswerEdit, withRequestFaults } from './request-faults.ts'
import { timeRangeRefusal } from './time-range.ts'

/** Answers a request for an operation of the contract, in the turns of its sandbox. */
export function handleRequest(
  registry: Registry,
  operation: Operation,
  request: HttpRequest,
): HttpResponse | Promise<HttpResponse> {
  const { requests } = registry.metrics
  const arrivedMs = requests.arrival()
  const { sandbox, work } = requestWork(registry, operation, request)
  const counted = (answer: HttpResponse) => {
    requests.count(operation.id, answer.status, arrivedMs)
    return answer
  }
  const answer = registry.turns.run(sandbox ?? registry, work, operation.id)
  return answer instanceof Promise ? answer.then(counted) : counted(answer)
}

/** A request for an operation of the contract, and the sandbox whose work it is. */
export function requestWork(
  registry: Registry,
  operation: Operation,
  request: HttpRequest,
): { sandbox: Sandbox | undefined; work: Slices<HttpResponse> } {
  const call = operationCallOf(operation, request)
  const sandbox = registry.find(request.sandbox, call.ownerName)
  const isAnswered = sandbox !== undefined && isServed(operation, sandbox.config)
  const work = isAnswered
    ? answerCall(registry, sandbox, call)
    : oneSlice(() => refusalResponse({ refused: 'path' }))
  return { sandbox, work }
}

function* answerCall(
  registry: Registry,
  sandbox: Sandbox,
  call: OperationCall,
): Slices<HttpResponse> {
  const { request, operation } = call
  return yield* withJournal(sandbox, request, operation, function* () {
    const mayFail = sandbox.faultInjection.mayAffect(
      `${request.path}?${request.query}${request.body}`,
    )
    const outcome = mayFail
      ? yield* withRequestFaults(sandbox, call, (edit) => runPipeline(sandbox, call, edit))
      : yield* runPipeline(sandbox, call)
    sandbox.changeLog?.flush()
    return withSignatureLog(registry, sandbox, call, outcome)
  })
}

/** Answers a request whose body could not be read. */
export function handleUnreadable(
  registry: Registry,
  operation: Operation,
  refusal: Refusal,
  request: Addressed,
): HttpResponse {
  const { requests } = registry.metrics
  const answer = refusalResponse(refusal)
  requests.count(operation.id, answer.status, requests.arrival())
  return { ...answer, headers: { ...answer.headers, ...dateHeader(registry, request) } }
}

/** What names the sandbox of a request. */
type Addressed = Pick<HttpRequest, 'sandbox' | 'query'>

const addressedSandbox = (registry: Registry, { sandbox, query }: Addressed) =>
  registry.find(sandbox, /(?:^|&)AccessKeyId=([^&]*)/.exec(query)?.[1])

/** The `Date` of an answer outside of the pipeline: that of its sandbox; nothing without one. */
export function dateHeader(registry: Registry, request: Addressed): Record<string, string> {
  const sandbox = addressedSandbox(registry, request)
  return sandbox ? { date: sandbox.date() } : {}
}

/** What is for no operation is counted as this. */
const NO_OPERATION = 'none'

/** Answers what no operation is for: an unknown path, or a method that a path does not take. */
export function handleUnroutable(
  registry: Registry,
  refusal: Refusal,
  request: HttpRequest,
): HttpResponse {
  const sandbox = addressedSandbox(registry, request)
  const answer = refusalResponse(refusal, sandbox)
  const { requests } = registry.metrics
  requests.count(NO_OPERATION, answer.status, requests.arrival())
  if (!sandbox) return answer
  const outcome = { answer, caller: null, refusal }
  return runToEnd(withJournal(sandbox, request, null, () => oneSlice(() => outcome)))
}

/** Logs what the client is not told: the likely mistake in a signature, a flaw. */
function withSignatureLog(
  registry: Registry,
  sandbox: Sandbox,
  call: OperationCall,
  outcome: Outcome,
): Outcome {
  if (outcome.refusal?.refused === 'signature')
    logSignatureRefusal(registry, sandbox, call.signed, call.query)
  const { why, caller } = outcome
  if (why && registry.log.hasRoom())
    registry.log.write(`${call.operation.id} for key "${caller?.accessKey}": ${why}`)
  return outcome
}

function* runPipeline(
  sandbox: Sandbox,
  call: OperationCall,
  edit: AnswerEdit | null = null,
): Slices<Outcome> {
  const { operation, signed } = call
  const refuse = (refusal: Refusal, caller: ApiKey | null = null): Outcome => ({
    answer: operationRefusalResponse(operation, refusal, sandbox),
    caller,
    refusal,
  })

  const caller = authorize(sandbox, operation, signed)
  if (isRefusal(caller)) return refuse(caller)
  const overLimit = caller && meter(sandbox, caller)
  if (overLimit) return refuse(overLimit, caller)

  sandbox.player.catchUp()
  const position = sandbox.position()
  const isReplayed = sandbox.world.recording !== undefined
  const recorded = isReplayed ? yield* recordedOutcome(sandbox, call, position, edit) : null
  if (recorded?.refusal) return refuse(recorded.refusal, caller)
  const note = recorded?.why ?? null
  if (recorded?.answer) return { answer: recorded.answer, caller, refusal: null, note }
  const input = readParameters(call, position)
  if (isRefusal(input)) return refuse(input, caller)
  const tooLong = caller && timeRangeRefusal(sandbox, caller, call, input, position)
  if (tooLong) return refuse(tooLong, caller)

  const typedInput = input as OperationInput<never, never, never>
  const [facts, tenant] = [sandbox.facts(position), tenantOf(sandbox, caller)]
  const why = operation.flaw?.(typedInput, facts, tenant) ?? null
  const ask = () => operation.answer(typedInput, facts, tenant)
  const answer = operation.changes ? keep(sandbox, ask) : ask()
  const data = isSlices(answer) ? yield* answer : answer
  if (isRefusal(data)) return { ...refuse(data, caller), why }

  const json = yield* serialiseData(operation.data, data, position)
  const shown = edit ? JSON.stringify(yield* edit(JSON.parse(json))) : json
  const body = wrap(envelopeOf(operation, sandbox.answers), shown)
  return { answer: jsonResponse(200, body), caller, refusal: null, why, note }
}

/** What changes something is stored before it is answered, or has not happened. */
function keep(sandbox: Sandbox, change: () => unknown): unknown {
  try {
    return sandbox.changes.keep(change)
  } catch (error) {
    if (error instanceof StorageError) return { refused: 'storage' } satisfies Refusal
    throw error
  }
}

// Writes what became of a request into the sandbox's journal.

/** Answers, and journals the request when the journal is on. */
function* withJournal(
  sandbox: Sandbox,
  request: HttpRequest,
  operation: Operation | null,
  run: () => Slices<Outcome>,
): Slices<HttpResponse> {
  const { journal, systemClock } = sandbox
  if (!journal.isOn) return given(sandbox, operation, yield* run())
  const startMs = systemClock.monotonicMs()
  const outcome = yield* run()
  const { answer, caller, refusal, why, note, faultRules = [] } = outcome
  const { method, path, query, body } = request
  journal.record({
    kind: 'request',
    sessionMs: sandbox.clock.nowMs(),
    tapeMs: sandbox.position().atMs,
    key: caller?.accessKey ?? null,
    operation: operation?.id ?? null,
    method,
    path,
    query,
    body: beginningOf(body, ENTRY_TEXT_MAX),
    status: answer.status,
    rule: faultRules.join(', ') || null,
    refused: refusal?.refused ?? null,
    subject: why ?? note ?? (refusal ? refusalSubject(refusal) : null),
    answer: keptAnswer(answer, journal.keepsAnswers),
    answerLength: answer.body.length,
    durationMs: systemClock.monotonicMs() - startMs,
  })
  return given(sandbox, operation, outcome)
}

/** As much of an answer as is kept; null for none. */
function keptAnswer({ status, body }: HttpResponse, keepsAll: boolean): string | null {
  if (status === 200 && !keepsAll) return null
  return beginningOf(body, ENTRY_ANSWER_MAX)
}

/** The `Date` of an answer is the session clock's, as far as it seems ahead. */
function given(
  sandbox: Sandbox,
  operation: Operation | null,
  { answer, clockAheadMs }: Outcome,
): HttpResponse {
  sandbox.said.addAnswer(operation?.id ?? '', sandbox.position().atMs, answer)
  return { ...answer, headers: { ...answer.headers, date: sandbox.date(clockAheadMs) } }
}

/** The parameter, permission or name that a refusal is about. */
function refusalSubject(refusal: Refusal): string | null {
  const { refused: _, ...rest } = refusal
  const [first] = Object.values(rest)
  return first === undefined ? null : String(first)
}
