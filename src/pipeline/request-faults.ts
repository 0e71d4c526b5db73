/** Where scenarios act on a request: as it arrives, on its data, and as its answer leaves. */
import type { Meaning } from '../contract/meaning.ts'
import { namesIn } from '../contract/meaning-values.ts'
import { bodyOf } from '../contract/operation.ts'
import type { TSchema } from '../contract/schema.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { OutgoingResponse, RequestEffect } from '../scenario/fault.ts'
import { amongOthers } from '../scenario/magic-values.ts'
import type { ActiveRule, FaultSubject } from '../scenario/scenario-run.ts'
import type { HttpResponse, ResponseDelivery } from './http-message.ts'
import type { OperationCall } from './operation-call.ts'
import type { Outcome } from './outcome.ts'
import { operationRefusalResponse } from './refusal-response.ts'

/** A change of the data of an answer. */
export type AnswerEdit = (data: unknown) => unknown

/** The way of a request through the scenarios of its sandbox. */
export function withRequestFaults(
  sandbox: Sandbox,
  call: OperationCall,
  pass: (edit: AnswerEdit | null) => Outcome,
): Outcome {
  const subject = faultSubjectOf(call)
  const { faultInjection } = sandbox
  const coming = faultInjection.activeRules(({ onRequest }) => onRequest !== undefined, subject)
  const arrivals = coming.map(
    ({ fault, settings, randomSource }) => fault.onRequest?.(settings, randomSource) ?? {},
  )
  const stopped = refusedByFault(sandbox, call, arrivals)
  const changing = stopped
    ? []
    : faultInjection.activeRules(({ onData }) => onData !== undefined, subject)
  for (const { remainingRequests } of arrivals)
    if (remainingRequests !== undefined) setRemainingQuota(sandbox, call, remainingRequests)
  const outcome =
    stopped ?? withSkewedSignatures(sandbox, arrivals, () => pass(dataEditOf(changing, call)))
  const going = faultInjection.activeRules(({ onResponse }) => onResponse !== undefined, subject)
  const acted = [...coming, ...changing, ...going].map(({ rule }) => rule.name)
  const notes = faultInjection.magicIn(subject).flatMap((found) => amongOthers(found) ?? [])
  const answer = applyResponseFaults(sandbox, outcome.answer, arrivals, going)
  return { ...outcome, faultRules: acted, note: notes.join('; ') || null, answer }
}

/** The answer of the first rule that lets nobody in; null when all do. */
function refusedByFault(
  sandbox: Sandbox,
  { operation }: OperationCall,
  arrivals: readonly RequestEffect[],
): Outcome | null {
  const first = arrivals.find(({ refusal, answer }) => refusal ?? answer)
  if (!first) return null
  const refusal = first.refusal ?? null
  const answer = refusal
    ? operationRefusalResponse(operation, refusal, sandbox)
    : (first.answer as HttpResponse)
  return { answer, caller: null, refusal }
}

function dataEditOf(
  acting: readonly ActiveRule[],
  { operation, body }: OperationCall,
): AnswerEdit | null {
  const schema = bodyOf(operation, body)?.data ?? operation.data
  const edits = acting.map(({ fault, settings, randomSource }) =>
    fault.onData?.(settings, randomSource),
  )
  if (edits.length === 0) return null
  return (data) => edits.reduce((changed, edit) => (edit ? edit(changed, schema) : changed), data)
}

/** Signatures are older or younger while the request is looked at. */
function withSkewedSignatures<T>(
  { faultInjection }: Sandbox,
  arrivals: readonly RequestEffect[],
  look: () => T,
): T {
  faultInjection.signatureSkewMs = arrivals.reduce((sum, { skewMs = 0 }) => sum + skewMs, 0)
  try {
    return look()
  } finally {
    faultInjection.signatureSkewMs = 0
  }
}

function setRemainingQuota(
  { tenancy, clock }: Sandbox,
  call: OperationCall,
  requests: number,
): void {
  const key = tenancy.keys.get(call.signed.AccessKeyId ?? '')
  const quota = key && tenancy.limitsOf(key).monthlyQuota
  if (key && quota != null) tenancy.setUsed(key, clock.nowMs(), Math.max(0, quota - requests))
}

/** The answer as it is sent, after all that is done to it on its way out. */
function applyResponseFaults(
  sandbox: Sandbox,
  answer: HttpResponse,
  arrivals: readonly RequestEffect[],
  going: readonly ActiveRule[],
): HttpResponse {
  const { status, contentType, body, headers = {} } = answer
  const start: OutgoingResponse = { status, contentType, body, headers }
  const { drop, bytesPerSecond, ...left } = going.reduce(
    (leaving, { fault, settings, randomSource }) =>
      fault.onResponse?.(settings, randomSource)(leaving) ?? leaving,
    start,
  )
  const delayMs = arrivals.reduce((sum, { delayMs = 0 }) => sum + delayMs, 0)
  const delivery: ResponseDelivery = {
    ...(delayMs > 0 ? { ready: waitSessionTime(sandbox, delayMs) } : {}),
    ...(drop ? { drop } : {}),
    ...(bytesPerSecond
      ? { chunks: () => throttledChunks(sandbox, left.body, bytesPerSecond) }
      : {}),
  }
  return Object.keys(delivery).length > 0 ? { ...left, delivery } : left
}

/** Until so much session time has passed, or the sandbox is gone. */
function waitSessionTime(sandbox: Sandbox, ms: number): Promise<void> {
  return new Promise((resume) => {
    const forget = sandbox.onStop(resume)
    sandbox.clock.after(ms, () => {
      forget()
      resume()
    })
  })
}

async function* throttledChunks(sandbox: Sandbox, body: string, perSecond: number) {
  const bytes = Buffer.from(body)
  for (let at = 0; at < bytes.length; at += perSecond) {
    if (at > 0) await waitSessionTime(sandbox, 1000)
    yield bytes.subarray(at, at + perSecond)
  }
}

/** What a request is about, by what its parameters mean. */
export function faultSubjectOf({
  operation,
  request,
  query,
  body,
  signed,
}: OperationCall): FaultSubject {
  const { params } = operation
  const given: [TSchema | undefined, unknown][] = [
    [params.path, request.params],
    [params.query, query],
    [params.body, body],
    [bodyOf(operation, body)?.request, body],
  ]
  const named = (...meanings: Meaning[]) =>
    given.flatMap(([schema, values]) => namesIn(schema, values, meanings))
  return {
    operation: operation.id,
    channels: [],
    key: signed.AccessKeyId ?? null,
    coins: named('coin', 'symbol'),
    addresses: named('address'),
  }
}
