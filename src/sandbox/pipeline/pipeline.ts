/**
 * The pipeline of a request, top to bottom: find the sandbox, authenticate, authorize, meter, read,
 * answer, wrap, journal. Scenarios act as it arrives, on its data, and on its response.
 *
 * Authentication comes before reading: a bad signature with a missing parameter is a bad signature.
 */

import { isSlices, oneSlice, runToEnd, type Slices } from '../../clock/turns.ts'
import {
  bodyOf,
  envelopeOf,
  type Operation,
  type OperationInput,
  wrap,
} from '../../contract/operation.ts'
import { splitSandboxBase, viaOf } from '../../contract/paths.ts'
import type { Answers } from '../../contract/questions.ts'
import { isRefusal, type Refusal } from '../../contract/refusal.ts'
import {
  type RequestedRange,
  type RequestField,
  requestedFields,
  requestedRanges,
} from '../../contract/requested-ranges.ts'
import type { TSchema } from '../../contract/schema.ts'
import { isServed } from '../../contract/served-operations.ts'
import type { Upstream, UpstreamAnswer, UpstreamRequest } from '../../tape/replay/upstream.ts'
import { authorize, meter } from '../authorization.ts'
import { beginningOf, ENTRY_ANSWER_MAX, ENTRY_TEXT_MAX } from '../journal/journal.ts'
import type { TapePosition } from '../playhead.ts'
import type { Registry } from '../registry.ts'
import type { Sandbox } from '../sandbox.ts'
import { StorageError } from '../sandbox-store.ts'
import { diagnoseSignature, KEYS_PER_SLICE, logSignatureRefusal } from '../signature-diagnosis.ts'
import type { ApiKey } from '../tenancy/api-key.ts'
import { tenantOf } from '../tenancy/tenant.ts'
import {
  type HttpRequest,
  type HttpResponse,
  jsonResponse,
  type Outcome,
  operationRefusalResponse,
  parseQuery,
  refusalResponse,
} from './http-message.ts'
import { lenientNames, strictRefusal, withCountedSignature } from './leniency.ts'
import {
  type OperationCall,
  operationCallOf,
  readParameters,
  serialiseData,
  wrappedData,
} from './operation-call.ts'
import { KEY_LENGTH_MAX, reasonOf } from './reason.ts'
import { type AnswerEdit, withRequestFaults } from './request-faults.ts'
import { inSharedSandbox, sharedOutcome } from './shared-request.ts'

/** Handles a request for an operation of the contract, in the turns of its sandbox. */
export function handleRequest(
  registry: Registry,
  operation: Operation,
  request: HttpRequest,
): HttpResponse | Promise<HttpResponse> {
  const { requests } = registry.metrics
  const arrivedMs = requests.arrival()
  const counted = (answer: HttpResponse) => {
    requests.count(operation.id, answer.status, arrivedMs)
    return answer
  }
  const handled = (call: OperationCall) => {
    const { sandbox, work } = callWork(registry, call)
    return registry.turns.run(sandbox ?? registry, work, operation.id)
  }
  const call = operationCallOf(operation, request)
  const answer = registry.shared ? inSharedSandbox(registry, call, handled) : handled(call)
  return answer instanceof Promise ? answer.then(counted) : counted(answer)
}

/** The work of a request for an operation of the contract, and its sandbox. */
export function requestWork(
  registry: Registry,
  operation: Operation,
  request: HttpRequest,
): { sandbox: Sandbox | undefined; work: Slices<HttpResponse> } {
  return callWork(registry, operationCallOf(operation, request))
}

function callWork(registry: Registry, call: OperationCall) {
  const sandbox = registry.find(call.request.sandbox, call.ownerName)
  const work = sandbox
    ? answerCall(sandbox, call, registry)
    : oneSlice(() => refusalResponse({ refused: 'path' }))
  return { sandbox, work }
}

/**
 * The work of a request in its sandbox.
 *
 * @param registry has the log of refused signatures; null writes none
 */
export function* answerCall(
  sandbox: Sandbox,
  sent: OperationCall,
  registry: Registry | null,
): Slices<HttpResponse> {
  const call = withCountedSignature(sent, sandbox.answers)
  const { request, operation } = call
  if (!isServed(operation, sandbox.config)) return answerUnserved(sandbox, call)
  return yield* withJournal(sandbox, request, call, function* () {
    const { path, query, body } = request
    const mayFail = sandbox.faultInjection.mayAffect(path, query, body)
    const run = (made = call) =>
      mayFail
        ? withRequestFaults(sandbox, made, (edit) => runPipeline(sandbox, made, edit))
        : runPipeline(sandbox, made)
    const { shared } = sandbox
    const outcome = shared ? yield* sharedOutcome(sandbox, call, run) : yield* run()
    sandbox.changeLog?.flush()
    return registry ? withSignatureLog(registry, sandbox, call, outcome) : outcome
  })
}

/** An operation that the sandbox does not serve has no path. */
function answerUnserved(sandbox: Sandbox, call: OperationCall): HttpResponse {
  const refusal: Refusal = { refused: 'path' }
  const outcome = () => refusedOutcome(refusalResponse(refusal), refusal)
  return runToEnd(withJournal(sandbox, call.request, call, outcome))
}

/** Handles a request whose body could not be read. */
export function handleUnreadable(
  registry: Registry,
  operation: Operation,
  refusal: Refusal,
  request: Address,
): HttpResponse {
  const { requests } = registry.metrics
  const answer = refusalResponse(refusal)
  requests.count(operation.id, answer.status, requests.arrival())
  const sandbox = addressedSandbox(registry, request)
  if (!sandbox) return answer
  const unread = { ...request, params: {}, body: '' }
  const call = operationCallOf(operation, unread)
  return runToEnd(withJournal(sandbox, unread, call, () => refusedOutcome(answer, refusal)))
}

const refusedOutcome = (answer: HttpResponse, refusal: Refusal): Slices<Outcome> =>
  oneSlice(() => ({ answer, caller: null, refusal }))

/** The parts of a request that name its sandbox. */
type Addressed = Pick<HttpRequest, 'sandbox' | 'query'>

/** A request of which all but the body is known. */
type Address = Addressed & Pick<HttpRequest, 'method' | 'path'>

const addressedSandbox = (registry: Registry, { sandbox, query }: Addressed) =>
  registry.find(sandbox, /(?:^|&)AccessKeyId=([^&]*)/.exec(query)?.[1])

/** The `Date` header outside the pipeline: that of the sandbox; empty without one. */
export function dateHeader(registry: Registry, request: Addressed): Record<string, string> {
  const sandbox = addressedSandbox(registry, request)
  return sandbox ? { date: sandbox.date() } : {}
}

/** The name under which requests for no operation are counted. */
const NO_OPERATION = 'none'

/** Handles a request for no operation: an unknown path, or a wrong method. */
export function handleUnroutable(
  registry: Registry,
  refusal: Refusal,
  request: HttpRequest,
): HttpResponse {
  const sandbox = addressedSandbox(registry, request)
  const answer = sandbox
    ? answerUnroutable(sandbox, request, refusal)
    : refusalResponse(refusal, sandbox)
  const { requests } = registry.metrics
  requests.count(NO_OPERATION, answer.status, requests.arrival())
  return answer
}

/** The answer of a sandbox to a request for no operation. */
export function answerUnroutable(
  sandbox: Sandbox,
  request: HttpRequest,
  refusal: Refusal,
): HttpResponse {
  const answer = refusalResponse(refusal, sandbox)
  return runToEnd(withJournal(sandbox, request, null, () => refusedOutcome(answer, refusal)))
}

/** Logs what the client does not see: the likely mistake in a signature, or an internal error. */
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

  const authorizing = () => authorize(sandbox, operation, signed)
  const admitted = sandbox.shared
    ? yield* sandbox.shared.admit(authorizing, call.isExclusive === true, call.admission)
    : null
  const caller = admitted ? admitted.caller : authorizing()
  if (isRefusal(caller)) {
    const isDiagnosed = caller.refused === 'signature' && sandbox.journal.isOn
    const diagnosing = () => diagnoseSignature(sandbox, signed, call.query, KEYS_PER_SLICE)
    return { ...refuse(caller), diagnosis: isDiagnosed ? yield* diagnosing() : null }
  }
  const overLimit = admitted ? admitted.overLimit : caller && meter(sandbox, caller)
  if (overLimit) return refuse(overLimit, caller)

  const flawAsSent = operation.flawAsSent?.(call.request)
  if (flawAsSent) return refuse(flawAsSent, caller)
  sandbox.player.catchUp()
  const position = sandbox.position()
  const isReplayed = sandbox.world.recording !== undefined
  const recorded = isReplayed ? yield* recordedOutcome(sandbox, call, position, edit) : null
  if (recorded?.refusal) return refuse(recorded.refusal, caller)
  const note = recorded?.why ?? null
  if (recorded?.answer) return { answer: recorded.answer, caller, refusal: null, note }
  const unshown = strictRefusal(call, sandbox.answers)
  if (unshown) return refuse(unshown, caller)
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
  const envelope = envelopeOf(operation, sandbox.answers)
  const body = edit
    ? wrap(envelope, JSON.stringify(yield* edit(JSON.parse(json))))
    : wrappedData(envelope, data, json)
  return { answer: jsonResponse(200, body), caller, refusal: null, why, note }
}

/** Changes are stored before the response, or undone. */
function keep(sandbox: Sandbox, change: () => unknown): unknown {
  try {
    return sandbox.changes.keep(change)
  } catch (error) {
    if (error instanceof StorageError) return { refused: 'storage' } satisfies Refusal
    throw error
  }
}

// The journal of requests.

/** Answers, and records the request when the journal is on. */
function* withJournal(
  sandbox: Sandbox,
  request: HttpRequest,
  call: OperationCall | null,
  run: () => Slices<Outcome>,
): Slices<HttpResponse> {
  const { journal, coverage, systemClock } = sandbox
  const operation = call?.operation ?? null
  const startMs = systemClock.monotonicMs()
  const hadLevel = operation?.changes === true && coverage.hasLevel(sandbox, call)
  const outcome = yield* run()
  const { answer, caller, refusal, why, note, faultRules = [] } = outcome
  const { method, path, body } = request
  const isSwapped = outcome.diagnosis?.mistake === 'swapped-id-and-secret'
  const sentKey = isSwapped ? null : sentKeyOf(request, call)
  const via = viaOf(path)
  const reason = reasonOf(sandbox, { path, sentKey, call }, outcome)
  const lenient = call ? lenientNames(call) : []
  if (via === null) coverage.request(sandbox, call, outcome, { reason, lenient, hadLevel })
  if (!journal.isOn) return given(sandbox, operation, outcome)
  const query = isSwapped ? request.query.replace(SENT_KEY, '$1…') : request.query
  journal.record({
    kind: 'request',
    sessionMs: sandbox.clock.nowMs(),
    tapeMs: sandbox.position().atMs,
    key: caller?.accessKey ?? sentKey,
    operation: operation?.id ?? null,
    method,
    path,
    query,
    body: beginningOf(isSwapped ? body.replace(SENT_KEY_FIELD, '$1…') : body, ENTRY_TEXT_MAX),
    status: answer.status,
    rule: faultRules.join(', ') || null,
    via,
    lenient,
    refused: refusal?.refused ?? null,
    subject: why ?? note ?? (refusal ? refusalSubject(refusal) : null),
    reason,
    answer: keptAnswer(answer, journal.keepsAnswers),
    answerLength: answer.body.length,
    durationMs: systemClock.monotonicMs() - startMs,
  })
  return given(sandbox, operation, outcome)
}

/** A secret key that was sent as the access key is in no journal. */
const SENT_KEY = /(AccessKeyId=)[^&]*/g
const SENT_KEY_FIELD = /("AccessKeyId"\s*:\s*")[^"]*/g

/** The access key that a request names, whether or not its signature is right; null for none. */
function sentKeyOf({ query }: HttpRequest, call: OperationCall | null): string | null {
  const sent = call ? call.signed.AccessKeyId : parseQuery(query).AccessKeyId
  return sent === undefined ? null : beginningOf(sent, KEY_LENGTH_MAX)
}

/** The kept part of a response; null for none. */
function keptAnswer({ status, body }: HttpResponse, keepsAll: boolean): string | null {
  if (status === 200 && !keepsAll) return null
  return beginningOf(body, ENTRY_ANSWER_MAX)
}

/** The `Date` header is the session clock's time, plus what it seems ahead. */
function given(
  sandbox: Sandbox,
  operation: Operation | null,
  { answer, clockAheadMs }: Outcome,
): HttpResponse {
  sandbox.outputDigest.addAnswer(operation?.id ?? '', sandbox.position().atMs, answer)
  return { ...answer, headers: { ...answer.headers, date: sandbox.date(clockAheadMs) } }
}

/** The parameter, permission or name of a refusal. */
function refusalSubject(refusal: Refusal): string | null {
  const { refused: _, ...rest } = refusal
  const [first] = Object.values(rest)
  return first === undefined ? null : String(first)
}

// Answers from a recording, or by the upstream service for what it lacks.

/** An answer, a refusal, or neither: then the world answers, and `why` is in the journal. */
interface RecordedOutcome {
  answer?: HttpResponse
  refusal?: Refusal<'notRecorded' | 'upstream'>
  why: string | null
}

/** The recorded outcome of a call; null where no recording is replayed. */
export function* recordedOutcome(
  sandbox: Sandbox,
  call: OperationCall,
  position: TapePosition,
  edit: AnswerEdit | null,
): Slices<RecordedOutcome | null> {
  const { recording, upstream = null } = sandbox.world
  if (!recording) return null
  const { operation, request, body } = call
  const { params, query } = request
  const found = recording.answer({ operation, params, query, body }, position)
  if ('answer' in found) return { answer: yield* edited(found.answer, edit), why: null }
  const { miss } = sandbox.config
  if (miss === 'refuse')
    return { refusal: { refused: 'notRecorded', why: found.missed }, why: null }
  if (miss === 'world') return { why: found.missed }
  if (!upstream)
    return {
      refusal: { refused: 'upstream', why: 'the server was started without --upstream' },
      why: null,
    }
  const { path } = splitSandboxBase(request.path)
  const target = query === '' ? path : `${path}?${query}`
  const requested = requestedOf(upstream, { method: request.method, target, body: request.body })
  yield requested.done
  if ('why' in requested.result)
    return { refusal: { refused: 'upstream', why: requested.result.why }, why: found.missed }
  return { answer: yield* edited(requested.result, edit), why: found.missed }
}

/** A pending upstream response, as work that waits for it. */
function requestedOf(upstream: Upstream, request: UpstreamRequest) {
  const requested: { result: UpstreamAnswer | { why: string }; done: Promise<void> } = {
    result: { why: 'no answer' },
    done: Promise.resolve(),
  }
  requested.done = upstream.ask(request).then(
    (answer) => {
      requested.result = answer
    },
    (error: Error) => {
      requested.result = { why: error.message }
    },
  )
  return requested
}

/** Applies the changes of a scenario to recorded data. */
function* edited(
  { status, contentType, body }: UpstreamAnswer,
  edit: AnswerEdit | null,
): Slices<HttpResponse> {
  const plain = { status, contentType, body }
  if (!edit || status !== 200) return plain
  try {
    const read = JSON.parse(body)
    const isWrapped = typeof read === 'object' && read !== null && 'data' in read
    const data = yield* edit(isWrapped ? read.data : read)
    const changed = isWrapped ? { ...read, data } : data
    return { ...plain, body: JSON.stringify(changed) }
  } catch {
    return plain
  }
}

// The longest time range that a key may request (the service's documentation, Level config,
// max_time_range).

/** The refusal of a range that is too long; null where it is cut instead. */
export function timeRangeRefusal(
  sandbox: Sandbox,
  caller: ApiKey,
  call: OperationCall,
  input: OperationInput<unknown, unknown, unknown>,
  position: TapePosition,
): Refusal | null {
  const { maxTimeRangeS: maxS } = sandbox.limitsOf(caller)
  if (maxS === null || sandbox.config.metering === 'off') return null
  const { answers } = sandbox
  const isOver = (range: RequestedRange) =>
    range.lengthMs > maxS * 1000 && !isAllowed(range, maxS * 1000, answers)
  return rangesOf(call, input, position, answers).some(isOver)
    ? { refused: 'timeRange', maxS }
    : null
}

/** Whether a range that is too long is served all the same, cut or whole. */
function isAllowed(range: RequestedRange, maxMs: number, answers: Answers): boolean {
  if (range.isUsual && answers['default-time-range'] === 'free') return true
  const isCut = answers[range.isUsual ? 'default-time-range' : 'over-time-range'] === 'cut'
  return isCut && range.cut(maxMs)
}

function rangesOf(
  { operation, request, query, body }: OperationCall,
  input: OperationInput<unknown, unknown, unknown>,
  { atMs, shiftMs }: TapePosition,
  answers: Answers,
): RequestedRange[] {
  const { params } = operation
  const inPath = fieldsIn(params.path, input.path, request.params)
  const inQuery = fieldsIn(params.query, input.query, query)
  const inBody = fieldsIn(params.body, input.body, body)
  // The body of such an operation is read and shifted by its answer: its times are shown times.
  const innerBody = fieldsIn(bodyOf(operation, body)?.request, input.body, body)
  return [
    ...requestedRanges([...inPath, ...inQuery], { nowMs: atMs, answers }),
    ...requestedRanges(inBody, { nowMs: atMs, answers }),
    ...requestedRanges(innerBody, { nowMs: atMs + shiftMs, answers }),
  ]
}

function fieldsIn(schema: TSchema | undefined, read: unknown, sent: unknown): RequestField[] {
  if (schema === undefined || !isObject(read) || !isObject(sent)) return []
  return requestedFields(schema, read, sent)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
