/**
 * Explains the handling of a request: its answer first, then what decided, and each check. The
 * request is handled by the real pipeline, in a copy of its sandbox: nothing is counted, stored or
 * journaled, and no request goes to another service.
 */

import type { Slices } from '../../clock/turns.ts'
import type { Operation, OperationInput } from '../../contract/operation.ts'
import { isRefusal, type Refusal } from '../../contract/refusal.ts'
import { NO_BASIS } from '../../contract/refusal-basis.ts'
import { refusalText } from '../../contract/refusal-forms.ts'
import { type Credentials, sign, stringToSign } from '../../contract/signature.ts'
import { hexDigest } from '../../platform/hmac-sha1.ts'
import {
  credentialsIn,
  isGranted,
  isSignatureRequired,
  limitRefusal,
  type ProtectedEndpoint,
  permissionNameOf,
} from '../authorization.ts'
import { amongOthers } from '../fault-injection.ts'
import { beginningOf } from '../journal/journal.ts'
import type { Registry } from '../registry.ts'
import type { Sandbox } from '../sandbox.ts'
import { decideUpgrade, type SocketEndpoint, socketOf } from '../session/socket-upgrade.ts'
import {
  diagnoseSignature,
  SIGNATURE_MENDS,
  type SignatureDiagnosis,
} from '../signature-diagnosis.ts'
import type { ApiKey } from '../tenancy/api-key.ts'
import { tenantOf } from '../tenancy/tenant.ts'
import { type HttpRequest, type HttpResponse, parseQuery, refusalResponse } from './http-message.ts'
import { withCountedSignature } from './leniency.ts'
import type { Route } from './operation-call.ts'
import { type OperationCall, operationCallOf, readParameters } from './operation-call.ts'
import { answerCall, answerUnroutable, timeRangeRefusal } from './pipeline.ts'
import type { CheckName, Reason } from './reason.ts'
import { faultSubjectOf } from './request-faults.ts'

export interface Check {
  check: CheckName
  passed: boolean
  detail: string
}

/** The answer that a request would get now. */
export interface ExplainedAnswer {
  status: number
  contentType: string
  headers: Record<string, string>
  /** Cut after `ANSWER_MAX` characters. */
  body: string
  /** Length of the whole body. */
  bodyLength: number
  /** How a scenario delivers it; null for at once and whole. */
  delivery: string | null
}

export interface Explanation {
  /** The very answer; null where only another service knows it. */
  answer: ExplainedAnswer | null
  /** The deciding rule or flaw; null for an answer that none affects. */
  reason: Reason | null
  sandbox: string | null
  operation: string | null
  checks: Check[]
  /** null when the operation requires no signature, or is unknown. */
  signature: SignatureSteps | null
}

/**
 * The steps of a signature. The digest is valid for half a minute, so only its first letters are
 * shown: enough to see where two computations differ.
 */
export interface SignatureSteps {
  stringToSign: string
  steps: string[]
  received: string | null
  mistake: string | null
  explanation: string
}

/** Explains a routed request, in slices. */
export function* explainRequest(
  registry: Registry,
  route: Route | Refusal,
  request: HttpRequest,
): Slices<Explanation> {
  const call = isRefusal(route)
    ? null
    : operationCallOf(route.operation, { ...request, params: route.params })
  const ownerName = call ? call.ownerName : parseQuery(request.query).AccessKeyId
  const sandbox = registry.find(request.sandbox, ownerName)
  if (!sandbox) return unknownSandbox(request, call)
  const copy = registry.rehearsalOf(sandbox)
  try {
    const socket = request.method === 'GET' ? socketOf(request.path) : null
    if (!call && socket) return yield* explainUpgrade(copy, socket.socket, request)
    if (!call) return unrouted(copy, request, route as Refusal)
    return yield* explainCall(copy, call, sandbox.config.miss === 'upstream')
  } finally {
    copy.drop()
  }
}

/** @param asksUpstream whether another service answers what is not recorded */
function* explainCall(
  copy: Sandbox,
  sent: OperationCall,
  asksUpstream: boolean,
): Slices<Explanation> {
  const call = withCountedSignature(sent, copy.answers)
  const { operation, request } = call
  const how = request.sandbox !== undefined ? 'by its path' : 'by the key, or as the default one'
  const isPublic = !isSignatureRequired(copy, operation, call.signed)
  const wrong = isPublic ? null : yield* diagnoseSignature(copy, call.signed, call.query)
  const checks = [
    passedCheck('route', `${operation.method} ${operation.path} is ${operation.id}`),
    passedCheck('sandbox', `"${copy.id}", found ${how}`),
    ...magicOf(copy, call),
    ...checksOf(copy, call, { isPublic, wrong }),
  ]
  const signature = isPublic ? null : signatureStepsOf(copy, call.signed, wrong)
  const answered = yield* answerCall(copy, call, null)
  const reason = reasonIn(copy, wrong)
  const isUpstreams = asksUpstream && reason?.check === 'recording'
  return {
    answer: isUpstreams ? null : explainedAnswer(answered),
    reason: isUpstreams
      ? { ...reason, detail: `${reason.detail}: the request goes to the upstream service` }
      : reason,
    sandbox: copy.id,
    operation: operation.id,
    checks: withDecision(checks, reason),
    signature,
  }
}

/** Explains an upgrade to a socket. */
function* explainUpgrade(
  copy: Sandbox,
  socket: SocketEndpoint,
  request: HttpRequest,
): Slices<Explanation> {
  const query = parseQuery(request.query)
  const signed = credentialsIn(query)
  const endpoint = socket.channels[0] as ProtectedEndpoint
  const isPublic = !isSignatureRequired(copy, endpoint, signed)
  const wrong = isPublic ? null : yield* diagnoseSignature(copy, signed, query)
  const decided = decideUpgrade(copy, socket, query, null)
  const reason = 'response' in decided ? reasonIn(copy, wrong) : null
  const checks = [
    passedCheck('route', `${socket.dialect.path} is a socket`),
    passedCheck('sandbox', `"${copy.id}"`),
    wrong
      ? failedCheck('signature', wrong.explanation)
      : passedCheck('signature', isPublic ? 'none is required' : 'it is in order'),
  ]
  return {
    answer: explainedAnswer('response' in decided ? decided.response : UPGRADED),
    reason,
    sandbox: copy.id,
    operation: null,
    checks: withDecision(checks, reason),
    signature: isPublic ? null : signatureStepsOf(copy, signed, wrong),
  }
}

/** The answer to an accepted upgrade. */
const UPGRADED: HttpResponse = { status: 101, contentType: '', body: '' }

/** The reason that the pipeline has kept; every key was tried for the mistake here. */
function reasonIn({ journal }: Sandbox, wrong: SignatureDiagnosis | null): Reason | null {
  const newest = journal.entry(journal.newest)
  const reason = newest && 'reason' in newest ? newest.reason : null
  if (reason?.check !== 'signature' || wrong === null) return reason
  return { ...reason, detail: wrong.explanation, mend: SIGNATURE_MENDS[wrong.mistake] }
}

/** The checks with what the pipeline has decided, where they have not foreseen it. */
function withDecision(checks: readonly Check[], reason: Reason | null): Check[] {
  // A recording is answered from whatever the request's parameters are.
  if (reason === null) return checks.filter(({ passed }) => passed)
  const { check, detail } = reason
  if (checks.some((one) => one.check === check && !one.passed)) return [...checks]
  const others = checks.filter((one) => one.check !== check)
  const isEarly = check === 'rule' || check === 'recording'
  const at = isEarly ? 2 : checks.findIndex((one) => one.check === check)
  return others.toSpliced(at === -1 ? others.length : at, 0, failedCheck(check, detail))
}

/** Maximum length of a shown answer. */
const ANSWER_MAX = 16_000

function explainedAnswer({ status, contentType, headers = {}, body, delivery }: HttpResponse) {
  return {
    status,
    contentType,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'date')),
    body: beginningOf(body, ANSWER_MAX),
    bodyLength: body.length,
    delivery: delivery ? deliveryText(delivery) : null,
  } satisfies ExplainedAnswer
}

function deliveryText({ ready, drop, chunks }: NonNullable<HttpResponse['delivery']>): string {
  const parts = [
    ...(ready ? ['delayed'] : []),
    ...(drop ? [`the connection is lost ${DROPS[drop]}`] : []),
    ...(chunks ? ['sent slowly'] : []),
  ]
  return parts.join(', ')
}

const DROPS = { before: 'before it', middle: 'in the middle of it', after: 'after it' } as const

function unknownSandbox(request: HttpRequest, call: OperationCall | null): Explanation {
  const why = `there is no sandbox "${request.sandbox?.slice(0, 100)}"`
  const mend = 'GET /_control/sandboxes lists them'
  return {
    answer: explainedAnswer(refusalResponse({ refused: 'path' })),
    reason: { check: 'sandbox', detail: why, mend, ...NO_BASIS },
    sandbox: null,
    operation: call?.operation.id ?? null,
    checks: [failedCheck('sandbox', why)],
    signature: null,
  }
}

/** The explanation of a path without an operation. */
function unrouted(copy: Sandbox, request: HttpRequest, refusal: Refusal): Explanation {
  const answer = explainedAnswer(answerUnroutable(copy, request, refusal))
  const reason = reasonIn(copy, null)
  const checks = withDecision([], reason)
  return { answer, reason, sandbox: copy.id, operation: null, checks, signature: null }
}

/** The shown part of a given text. */
const shown = (text: string) =>
  text.length <= SHOWN_LENGTH ? text : `${text.slice(0, SHOWN_LENGTH)}… (${text.length} characters)`

const SHOWN_LENGTH = 2_000

const passedCheck = (check: Check['check'], detail: string): Check => ({
  check,
  passed: true,
  detail,
})

const failedCheck = (check: Check['check'], detail: string): Check => ({
  check,
  passed: false,
  detail,
})

/** A failed check for each magic value, whose outcome overrides the others. */
function magicOf({ faultInjection }: Sandbox, call: OperationCall): Check[] {
  return faultInjection
    .magicIn(faultSubjectOf(call))
    .map((found) =>
      failedCheck('magic', `${amongOthers(found) ?? `${found.value} is magic`}: ${found.means}`),
    )
}

function checksOf(
  sandbox: Sandbox,
  call: OperationCall,
  { isPublic, wrong }: { isPublic: boolean; wrong: SignatureDiagnosis | null },
): Check[] {
  const { operation } = call
  const position = sandbox.position()
  const input = operation.flawAsSent?.(call.request) ?? readParameters(call, position)
  const parameters = isRefusal(input)
    ? failedCheck('parameters', refusalText(input))
    : passedCheck('parameters', shown(JSON.stringify(input)))
  if (isPublic) return [passedCheck('signature', 'none is required'), parameters]
  if (wrong) return [failedCheck('signature', wrong.explanation), parameters]
  const key = sandbox.keyOf(call.signed.AccessKeyId ?? '')
  if (!key) return [parameters]
  const granted = isGranted(sandbox, key, operation.access)
  const isMetered = sandbox.config.metering === 'on'
  const overLimit = isMetered ? limitRefusal(sandbox, key, sandbox.clock.nowMs()) : null
  const tooLong = isRefusal(input) ? null : timeRangeRefusal(sandbox, key, call, input, position)
  return [
    passedCheck('signature', `it is that of key "${key.accessKey}"`),
    granted
      ? passedCheck('permission', `key "${key.accessKey}" has ${permissionNameOf(operation)}`)
      : failedCheck('permission', `key "${key.accessKey}" lacks ${permissionNameOf(operation)}`),
    overLimit
      ? failedCheck('limits', refusalText(overLimit))
      : passedCheck('limits', 'there is room'),
    tooLong ? failedCheck('parameters', refusalText(tooLong)) : parameters,
    ...(isRefusal(input) ? [] : answerOf(sandbox, operation, input, key)),
  ]
}

/** Whether the data can be had, where the response itself would not say why not. */
function answerOf(
  sandbox: Sandbox,
  { flaw }: Operation,
  input: OperationInput<unknown, unknown, unknown>,
  key: ApiKey,
): Check[] {
  if (flaw === null) return []
  const why = flaw(
    input as OperationInput<never, never, never>,
    sandbox.facts(),
    tenantOf(sandbox, key),
  )
  return [why === null ? passedCheck('answer', 'it can be done') : failedCheck('answer', why)]
}

function signatureStepsOf(
  sandbox: Sandbox,
  signed: Partial<Credentials>,
  wrong: SignatureDiagnosis | null,
): SignatureSteps {
  const { AccessKeyId = '', SignatureNonce = '', Timestamp = '', Signature = null } = signed
  const values = { AccessKeyId, SignatureNonce, Timestamp }
  const key = sandbox.keyOf(AccessKeyId)
  return {
    stringToSign: shown(stringToSign(values)),
    steps: [
      `HMAC-SHA1 of stringToSign with the secret key of "${shown(AccessKeyId)}"`,
      `as 40 lower-case hexadecimal digits${
        key
          ? `, which begin with ${hexDigest(stringToSign(values), key.secretKey).slice(0, 6)}`
          : ''
      }`,
      `these digits in Base64: 56 characters${
        key ? `, which begin with ${sign(values, key.secretKey).slice(0, 8)}` : ''
      }`,
    ],
    received: Signature === null ? null : receivedText(Signature),
    mistake: wrong?.mistake ?? null,
    explanation: wrong?.explanation ?? 'the signature is in order',
  }
}

/** A signature is valid for half a minute: only its beginning is shown. */
const receivedText = (signature: string) =>
  `${signature.slice(0, 8)}… (${signature.length} character${signature.length === 1 ? '' : 's'})`
