/**
 * What would become of a request, check by check, in the order of the pipeline. Nothing changes by
 * it: no usage is counted, no nonce remembered, no answer made.
 */
import type { Ask, Operation } from '../contract/operation.ts'
import { isRefusal, type Refusal } from '../contract/refusal.ts'
import { refusalText } from '../contract/refusal-body.ts'
import { isServed } from '../contract/served.ts'
import { hexDigest, sign, stringToSign } from '../contract/signature.ts'
import { isGranted, wanted } from '../sandbox/admission.ts'
import { diagnose } from '../sandbox/diagnosis.ts'
import { excess } from '../sandbox/metering.ts'
import type { Registry } from '../sandbox/registry.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Key } from '../sandbox/tenancy/key.ts'
import { tenantOf } from '../sandbox/tenancy/tenant.ts'
import { amongOthers } from '../scenario/magic.ts'
import { type Call, callOf, read } from './call.ts'
import type { Request } from './exchange.ts'
import type { Route } from './router.ts'
import { rangeFlaw } from './time-range.ts'
import { subjectOf } from './troubled.ts'

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
  /** null when the operation asks for no signature, or is not known. */
  signature: SignatureSteps | null
}

/**
 * How a signature comes about. The digest itself is a key to the service for half a minute, so only
 * its first letters are shown: enough to see where two computations part.
 */
export interface SignatureSteps {
  stringToSign: string
  steps: string[]
  received: string | null
  mistake: string | null
  words: string
}

/** Explains a request whose route has been looked for. */
export function explain(registry: Registry, route: Route | Refusal, request: Request): Explanation {
  if (isRefusal(route)) {
    const checks = [failed('route', refusalText(route))]
    return { sandbox: null, operation: null, checks, signature: null }
  }
  const { operation } = route
  const call = callOf(operation, { ...request, params: route.params })
  const sandbox = registry.find(request.sandbox, call.owner)
  const passed = [ok('route', `${operation.method} ${operation.path} is ${operation.id}`)]
  if (!sandbox || !isServed(operation, sandbox.terms)) {
    const why = sandbox ? 'this sandbox does not serve it' : `no sandbox "${request.sandbox}"`
    const checks = [...passed, failed('sandbox', why)]
    return { sandbox: null, operation: operation.id, checks, signature: null }
  }
  const how = request.sandbox !== undefined ? 'by its path' : 'by the key, or as the default one'
  passed.push(ok('sandbox', `"${sandbox.id}", found ${how}`))
  const checks = [...passed, ...magicOf(sandbox, call), ...checksOf(sandbox, operation, call)]
  const signature = operation.access.kind === 'public' ? null : stepsOf(sandbox, call)
  return { sandbox: sandbox.id, operation: operation.id, checks, signature }
}

const ok = (check: Check['check'], detail: string): Check => ({ check, passed: true, detail })
const failed = (check: Check['check'], detail: string): Check => ({ check, passed: false, detail })

/** A check that fails for each magic value: whatever the others say, its outcome comes. */
function magicOf({ trouble }: Sandbox, call: Call): Check[] {
  return trouble
    .magicIn(subjectOf(call))
    .map((found) =>
      failed('magic', `${amongOthers(found) ?? `${found.value} is magic`}: ${found.means}`),
    )
}

function checksOf(sandbox: Sandbox, operation: Operation, call: Call): Check[] {
  const here = sandbox.here()
  const ask = read(call, here.shiftMs)
  const parameters = isRefusal(ask)
    ? failed('parameters', refusalText(ask))
    : ok('parameters', JSON.stringify(ask))
  if (operation.access.kind === 'public') return [ok('signature', 'none is asked for'), parameters]
  const wrong = diagnose(sandbox, call.signed, call.query)
  if (wrong) return [failed('signature', wrong.words), parameters]
  const key = sandbox.keyOf(call.signed.AccessKeyId ?? '')
  if (!key) return [parameters]
  const granted = isGranted(sandbox, key, operation.access)
  const over = excess(sandbox, key, sandbox.clock.nowMs())
  const tooLong = isRefusal(ask) ? null : rangeFlaw(sandbox, key, call, ask, here)
  return [
    ok('signature', `it is that of key "${key.accessKey}"`),
    granted
      ? ok('permission', `key "${key.accessKey}" has ${wanted(operation)}`)
      : failed('permission', `key "${key.accessKey}" lacks ${wanted(operation)}`),
    over ? failed('limits', refusalText(over)) : ok('limits', 'there is room'),
    tooLong ? failed('parameters', refusalText(tooLong)) : parameters,
    ...(isRefusal(ask) ? [] : answerOf(sandbox, operation, ask, key)),
  ]
}

/** Whether it can be done, where the answer itself would not say why not. */
function answerOf(
  sandbox: Sandbox,
  { flaw }: Operation,
  ask: Ask<unknown, unknown, unknown>,
  key: Key,
): Check[] {
  if (flaw === null) return []
  const why = flaw(ask as Ask<never, never, never>, sandbox.facts(), tenantOf(sandbox, key))
  return [why === null ? ok('answer', 'it can be done') : failed('answer', why)]
}

function stepsOf(sandbox: Sandbox, { signed, query }: Call): SignatureSteps {
  const { AccessKeyId = '', SignatureNonce = '', Timestamp = '', Signature = null } = signed
  const values = { AccessKeyId, SignatureNonce, Timestamp }
  const key = sandbox.keyOf(AccessKeyId)
  const wrong = diagnose(sandbox, signed, query)
  return {
    stringToSign: stringToSign(values),
    steps: [
      `HMAC-SHA1 of stringToSign with the secret key of "${AccessKeyId}"`,
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
    words: wrong?.words ?? 'the signature is in order',
  }
}
