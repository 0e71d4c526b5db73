/**
 * Explains the handling of a request, check by check, in the order of the pipeline. Nothing is
 * changed by it: no usage counted, no nonce stored, no response made.
 */

import type { Slices } from '../../clock/turns.ts'
import type { Operation, OperationInput } from '../../contract/operation.ts'
import { isRefusal, type Refusal } from '../../contract/refusal.ts'
import { refusalText } from '../../contract/refusal-forms.ts'
import { isServed } from '../../contract/served-operations.ts'
import { sign, stringToSign } from '../../contract/signature.ts'
import { hexDigest } from '../../platform/hmac-sha1.ts'
import { isGranted, limitRefusal, permissionNameOf } from '../authorization.ts'
import { amongOthers } from '../fault-injection.ts'
import type { Registry } from '../registry.ts'
import type { Sandbox } from '../sandbox.ts'
import { diagnoseSignature, type SignatureDiagnosis } from '../signature-diagnosis.ts'
import type { ApiKey } from '../tenancy/api-key.ts'
import { tenantOf } from '../tenancy/tenant.ts'
import type { HttpRequest } from './http-message.ts'
import type { Route } from './operation-call.ts'
import { type OperationCall, operationCallOf, readParameters } from './operation-call.ts'
import { timeRangeRefusal } from './pipeline.ts'
import { faultSubjectOf } from './request-faults.ts'

export interface Check {
  check:
    | 'route'
    | 'sandbox'
    | 'magic'
    | 'signature'
    | 'permission'
    | 'limits'
    | 'parameters'
    | 'answer'
  passed: boolean
  detail: string
}

export interface Explanation {
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
  if (isRefusal(route)) {
    const checks = [failedCheck('route', refusalText(route))]
    return { sandbox: null, operation: null, checks, signature: null }
  }
  const { operation } = route
  const call = operationCallOf(operation, { ...request, params: route.params })
  const sandbox = registry.find(request.sandbox, call.ownerName)
  const passed = [passedCheck('route', `${operation.method} ${operation.path} is ${operation.id}`)]
  if (!sandbox || !isServed(operation, sandbox.config)) {
    const why = sandbox
      ? 'this sandbox does not serve it'
      : `no sandbox "${request.sandbox?.slice(0, 100)}"`
    const checks = [...passed, failedCheck('sandbox', why)]
    return { sandbox: null, operation: operation.id, checks, signature: null }
  }
  const how = request.sandbox !== undefined ? 'by its path' : 'by the key, or as the default one'
  passed.push(passedCheck('sandbox', `"${sandbox.id}", found ${how}`))
  const isPublic = operation.access.kind === 'public'
  const wrong = isPublic ? null : yield* diagnoseSignature(sandbox, call.signed, call.query)
  passed.push(...magicOf(sandbox, call))
  const checks = [...passed, ...checksOf(sandbox, operation, call, wrong)]
  const signature = isPublic ? null : signatureStepsOf(sandbox, call, wrong)
  return { sandbox: sandbox.id, operation: operation.id, checks, signature }
}

/** The shown part of a given text. */
const shown = (text: string) =>
  text.length <= SHOWN_LENGTH ? text : `${text.slice(0, SHOWN_LENGTH)}… (${text.length} letters)`

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
  operation: Operation,
  call: OperationCall,
  wrong: SignatureDiagnosis | null,
): Check[] {
  const position = sandbox.position()
  const input = readParameters(call, position)
  const parameters = isRefusal(input)
    ? failedCheck('parameters', refusalText(input))
    : passedCheck('parameters', shown(JSON.stringify(input)))
  if (operation.access.kind === 'public')
    return [passedCheck('signature', 'none is asked for'), parameters]
  if (wrong) return [failedCheck('signature', wrong.explanation), parameters]
  const key = sandbox.keyOf(call.signed.AccessKeyId ?? '')
  if (!key) return [parameters]
  const granted = isGranted(sandbox, key, operation.access)
  const overLimit = limitRefusal(sandbox, key, sandbox.clock.nowMs())
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
  { signed }: OperationCall,
  wrong: SignatureDiagnosis | null,
): SignatureSteps {
  const { AccessKeyId = '', SignatureNonce = '', Timestamp = '', Signature = null } = signed
  const values = { AccessKeyId, SignatureNonce, Timestamp }
  const key = sandbox.keyOf(AccessKeyId)
  return {
    stringToSign: shown(stringToSign(values)),
    steps: [
      `HMAC-SHA1 of stringToSign with the secret key of "${shown(AccessKeyId)}"`,
      `as 40 lower-case hexadecimal letters${
        key
          ? `, which begin with ${hexDigest(stringToSign(values), key.secretKey).slice(0, 6)}`
          : ''
      }`,
      `these letters in Base64: 56 letters${
        key ? `, which begin with ${sign(values, key.secretKey).slice(0, 8)}` : ''
      }`,
    ],
    received: Signature === null ? null : `${Signature.slice(0, 8)}… (${Signature.length} letters)`,
    mistake: wrong?.mistake ?? null,
    explanation: wrong?.explanation ?? 'the signature is in order',
  }
}
