/** The faults of requests: on arrival, on the data, and on the response. */

import { monthOf } from '../../clock/instant.ts'
import type { Slices } from '../../clock/turns.ts'
import type { Meaning } from '../../contract/meaning.ts'
import { bodyOf } from '../../contract/operation.ts'
import type { Refusal } from '../../contract/refusal.ts'
import type { TSchema } from '../../contract/schema.ts'
import { refusalByRule } from '../authorization.ts'
import { amongOthers } from '../fault-injection.ts'
import { namesIn } from '../meaning-values.ts'
import type { Sandbox } from '../sandbox.ts'
import { editRoom, type OutgoingResponse, type RequestEffect } from '../scenario/fault.ts'
import type { ActiveRule, FaultSubject } from '../scenario/scenario-run.ts'
import { waitSessionTime } from '../session-wait.ts'
import type { HttpResponse, Outcome, ResponseDelivery } from './http-message.ts'
import { operationRefusalResponse } from './http-message.ts'
import type { OperationCall } from './operation-call.ts'

/** A change of a response's data. */
export type AnswerEdit = (data: unknown) => Slices<unknown>

/** Runs a request under the active faults of its sandbox. */
export function* withRequestFaults(
  sandbox: Sandbox,
  call: OperationCall,
  run: (edit: AnswerEdit | null) => Slices<Outcome>,
): Slices<Outcome> {
  const subject = { ...faultSubjectOf(call), quotaKey: quotaKeyOf(sandbox, call) }
  const { faultInjection } = sandbox
  const requestRules = faultInjection.activeRules(
    ({ onRequest }) => onRequest !== undefined,
    subject,
  )
  const effects = requestRules.map(
    ({ fault, settings, randomSource }) => fault.onRequest?.(settings, randomSource) ?? {},
  )
  const replaced = refusedByFault(sandbox, call, effects)
  const dataRules = replaced
    ? []
    : faultInjection.activeRules(({ onData }) => onData !== undefined, subject)
  for (const [at, { remainingRequests }] of effects.entries())
    if (remainingRequests !== undefined)
      setRemainingQuota(sandbox, call, remainingRequests, requestRules[at]?.spent)
  const outcome =
    replaced ?? (yield* withSkewedSignatures(sandbox, effects, run(dataEditOf(dataRules, call))))
  const responseRules = faultInjection.activeRules(({ onResponse }) => onResponse !== undefined, {
    ...subject,
    refused: outcome.refusal?.refused,
  })
  const ruleNames = [...requestRules, ...dataRules, ...responseRules].map(({ rule }) => rule.name)
  const notes = faultInjection.magicIn(subject).flatMap((found) => amongOthers(found) ?? [])
  const answer = applyResponseFaults(sandbox, outcome.answer, effects, responseRules)
  const clockAheadMs = skewOf(effects)
  const note = notes.join('; ') || null
  return { ...outcome, faultRules: ruleNames, note, answer, clockAheadMs }
}

/** The response of the first rule that refuses or replaces requests; null for none. */
function refusedByFault(
  sandbox: Sandbox,
  { operation, signed }: OperationCall,
  effects: readonly RequestEffect[],
): Outcome | null {
  const first = effects.find(({ refusal, answer }) => refusal ?? answer)
  if (!first) return null
  const accessKey = signed.AccessKeyId ?? ''
  const refusal =
    (first.refusal && refusalByRule(sandbox, first.refusal, operation, accessKey)) ?? null
  const answer = refusal
    ? withRetryAfter(operationRefusalResponse(operation, refusal, sandbox), refusal)
    : (first.answer as HttpResponse)
  return { answer, caller: sandbox.keyOf(accessKey) ?? null, refusal, isByRule: true }
}

/** A rule's refusal for a limit says when to try again: nothing else could. */
function withRetryAfter(answer: HttpResponse, refusal: Refusal): HttpResponse {
  if (!('retryAfterS' in refusal) || answer.status !== 429) return answer
  return {
    ...answer,
    headers: { ...answer.headers, 'retry-after': String(refusal.retryAfterS) },
  }
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
  return function* (data) {
    const room = editRoom()
    let changed = data
    for (const edit of edits) {
      changed = edit ? edit(changed, schema, room) : changed
      yield
    }
    return changed
  }
}

/** Skews signatures while this request is handled, and for no other one. */
function* withSkewedSignatures<T>(
  { faultInjection }: Sandbox,
  effects: readonly RequestEffect[],
  work: Slices<T>,
): Slices<T> {
  const skewMs = skewOf(effects)
  for (;;) {
    faultInjection.signatureSkewMs = skewMs
    let step: IteratorResult<undefined | Promise<unknown>, T>
    try {
      step = work.next()
    } finally {
      faultInjection.signatureSkewMs = 0
    }
    if (step.done) return step.value
    yield step.value
  }
}

const skewOf = (effects: readonly RequestEffect[]) =>
  effects.reduce((sum, { skewMs = 0 }) => sum + skewMs, 0)

function setRemainingQuota(
  sandbox: Sandbox,
  call: OperationCall,
  remaining: number,
  spent: ActiveRule['spent'] | undefined,
): void {
  const key = sandbox.keyOf(call.signed.AccessKeyId ?? '')
  const quota = key && sandbox.limitsOf(key).monthlyQuota
  if (!key || quota == null) return
  const { tenancy, clock } = sandbox
  const nowMs = clock.nowMs()
  const used = Math.max(0, quota - remaining)
  const requests = Math.max(0, used - tenancy.usage.inMonth(key.accessKey, nowMs))
  // Usage so far stays counted.
  spent?.set(key.accessKey, { month: monthOf(nowMs), requests })
  if (requests > 0) tenancy.setUsed(key, nowMs, used)
}

/** The key of a request, if it has a quota. */
function quotaKeyOf(sandbox: Sandbox, { signed }: OperationCall): string | undefined {
  const key = sandbox.keyOf(signed.AccessKeyId ?? '')
  if (!key || sandbox.config.metering === 'off') return undefined
  return sandbox.limitsOf(key).monthlyQuota === null ? undefined : key.accessKey
}

/** The response after all faults of its delivery. */
function applyResponseFaults(
  sandbox: Sandbox,
  answer: HttpResponse,
  effects: readonly RequestEffect[],
  responseRules: readonly ActiveRule[],
): HttpResponse {
  const { status, contentType, body, headers = {} } = answer
  const start: OutgoingResponse = { status, contentType, body, headers }
  const { drop, bytesPerSecond, ...rest } = responseRules.reduce(
    (response, { fault, settings, randomSource }) =>
      fault.onResponse?.(settings, randomSource)(response) ?? response,
    start,
  )
  const delayMs = effects.reduce((sum, { delayMs = 0 }) => sum + delayMs, 0)
  const delivery: ResponseDelivery = {
    ...(delayMs > 0 ? { ready: delayed(sandbox, rest.body.length, delayMs) } : {}),
    ...(drop ? { drop } : {}),
    ...(bytesPerSecond
      ? { chunks: () => throttledChunks(sandbox, rest.body, bytesPerSecond) }
      : {}),
  }
  return Object.keys(delivery).length > 0 ? { ...rest, delivery } : rest
}

/** Waits while there is room for waiting responses; without room there is no delay. */
function delayed(sandbox: Sandbox, length: number, delayMs: number): Promise<void> {
  const { memory } = sandbox
  if (!memory.hasRoomFor(length)) return Promise.resolve()
  memory.add('faults', length)
  const over = waitSessionTime(sandbox, delayMs)
  void over.then(() => memory.add('faults', -length))
  return over
}

async function* throttledChunks(sandbox: Sandbox, body: string, perSecond: number) {
  const { memory } = sandbox
  const bytes = Buffer.from(body)
  if (!memory.hasRoomFor(bytes.length)) {
    yield bytes
    return
  }
  memory.add('faults', bytes.length)
  try {
    for (let at = 0; at < bytes.length; at += perSecond) {
      if (at > 0) await waitSessionTime(sandbox, 1000)
      yield bytes.subarray(at, at + perSecond)
    }
  } finally {
    memory.add('faults', -bytes.length)
  }
}

/** The fault subject of a request, by the meaning of its parameters. */
export function faultSubjectOf({
  operation,
  request,
  query,
  body,
  signed,
}: OperationCall): FaultSubject {
  const { params, id } = operation
  const { type } = (body ?? {}) as { type?: unknown }
  const given: [TSchema | undefined, unknown][] = [
    [params.path, request.params],
    [params.query, query],
    [params.body, body],
    [bodyOf(operation, body)?.request, body],
  ]
  const named = (...meanings: Meaning[]) =>
    given.flatMap(([schema, values]) => namesIn(schema, values, meanings))
  return {
    operations: typeof type === 'string' ? [id, `${id}/${type}`] : [id],
    channels: [],
    key: signed.AccessKeyId ?? null,
    coins: named('coin', 'symbol'),
    addresses: named('address'),
  }
}
