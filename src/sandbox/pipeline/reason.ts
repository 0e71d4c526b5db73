/**
 * Why a request was not answered as a client hopes: what decided, the basis of that, and the mend.
 * It is made while the request is handled, from what the pipeline knew, and kept in the journal.
 */

import { nearestName } from '../../contract/fields/nearest-name.ts'
import type { Operation } from '../../contract/operation.ts'
import { splitSandboxBase } from '../../contract/paths.ts'
import { PREFIXES } from '../../contract/prefixes.ts'
import type { QuestionId } from '../../contract/questions.ts'
import type { Refusal, RefusalName } from '../../contract/refusal.ts'
import { type Basis, basisOf, NO_BASIS } from '../../contract/refusal-basis.ts'
import { refusalText } from '../../contract/refusal-forms.ts'
import { SERVED_OPERATIONS } from '../../contract/served-operations.ts'
import { isMagicRule } from '../fault-injection.ts'
import type { Sandbox } from '../sandbox.ts'
import { SIGNATURE_MENDS, type SignatureDiagnosis } from '../signature-diagnosis.ts'
import type { Outcome } from './http-message.ts'
import type { OperationCall } from './operation-call.ts'

/** The checks of a request, in the order of the pipeline; any of them may decide. */
export type CheckName =
  | 'route'
  | 'sandbox'
  | 'magic'
  | 'rule'
  | 'signature'
  | 'permission'
  | 'limits'
  | 'parameters'
  | 'recording'
  | 'answer'

/** Why a request was answered as it was. */
export interface Reason extends Basis {
  /** The check that decided. */
  check: CheckName
  /** The finding. */
  detail: string
  /** The remedy for a client or its test; null where it is unknown. */
  mend: string | null
}

/** A request whose outcome has a reason; without a call the path has no operation. */
export interface Reasoned {
  path: string
  /** The access key as it was sent. */
  sentKey: string | null
  call: OperationCall | null
}

/** Maximum length of a kept access key: none that exists is longer. */
export const KEY_LENGTH_MAX = 100

/** The reason of an outcome; null for an answer that no rule and no flaw has affected. */
export function reasonOf(sandbox: Sandbox, request: Reasoned, outcome: Outcome): Reason | null {
  const { refusal, faultRules = [], why = null, isByRule = false } = outcome
  const [rule] = faultRules
  if (rule !== undefined && (isByRule || !refusal)) return ruleReason(sandbox, rule, outcome)
  if (refusal) return refusalReason(sandbox, request, refusal, outcome)
  if (why === null) return null
  return { check: 'answer', detail: why, mend: null, ...flawBasis(sandbox, request.call) }
}

/** The basis of an answer that reports a failure without its reason. */
const flawBasis = ({ answers }: Sandbox, call: OperationCall | null): Basis =>
  basisOf({ refused: 'alert' }, call?.operation ?? null, answers)

function ruleReason(
  { faultInjection, id }: Sandbox,
  rule: string,
  { note, refusal }: Outcome,
): Reason {
  const as = refusal ? `, as "${refusal.refused}"` : ''
  if (isMagicRule(rule)) {
    const value = faultInjection.magicMeaning(rule)
    const mend = 'name another coin or address; `magic: "off"` turns magic values off'
    return { check: 'magic', detail: `${note ?? value}${as}`, mend, ...NO_BASIS }
  }
  const scenario = faultInjection.scenarioOf(rule)
  const detail = `rule "${rule}"${scenario === null ? '' : ` of scenario "${scenario}"`} acted${as}`
  const query = scenario === null ? '' : `?name=${encodeURIComponent(scenario)}`
  const mend = `take the scenario off: DELETE /_control/sandboxes/${id}/scenario${query}`
  return { check: 'rule', detail, mend, ...NO_BASIS }
}

function refusalReason(
  sandbox: Sandbox,
  request: Reasoned,
  refusal: Refusal,
  { diagnosis = null, faultRules = [] }: Outcome,
): Reason {
  const operation = request.call?.operation ?? null
  if (refusal.refused === 'path' && operation) return unservedReason(sandbox, operation)
  const acted = faultRules.length > 0 ? ` (rules that acted: ${faultRules.join(', ')})` : ''
  const detail = refusalDetail(refusal, request, diagnosis) + acted
  const mend = mendOf(sandbox, refusal, request, diagnosis)
  const basis = basisOf(refusal, operation, sandbox.answers, questionOf(refusal, diagnosis))
  return { check: checkOf(refusal.refused), detail, mend, ...basis }
}

function unservedReason({ id }: Sandbox, { profile, servedWhen }: Operation): Reason {
  const needs = profile
    ? `profile "${profile}"`
    : `question "${servedWhen?.question}" answered "${servedWhen?.answer}"`
  return {
    check: 'sandbox',
    detail: `sandbox "${id}" does not serve it: that needs ${needs}`,
    mend: `create a sandbox with ${needs}`,
    ...NO_BASIS,
  }
}

/** The check that a refusal belongs to. */
function checkOf(refused: RefusalName): CheckName {
  for (const [check, names] of Object.entries(CHECKS))
    if (names.includes(refused)) return check as CheckName
  return 'answer'
}

const CHECKS: Partial<Record<CheckName, readonly RefusalName[]>> = {
  route: ['path', 'method'],
  signature: ['signature'],
  permission: ['permission'],
  limits: ['rate', 'quota', 'weight', 'connections'],
  parameters: ['missing', 'invalid', 'body', 'mediaType', 'tooLarge', 'timeRange'],
  recording: ['notRecorded', 'upstream'],
}

function refusalDetail(
  refusal: Refusal,
  { sentKey }: Reasoned,
  diagnosis: SignatureDiagnosis | null,
): string {
  if (refusal.refused === 'signature') return diagnosis?.explanation ?? 'the signature is invalid'
  if (refusal.refused !== 'permission') return refusalText(refusal)
  return refusal.name === DISABLED
    ? `key "${sentKey}" is disabled`
    : `key "${sentKey}" lacks ${refusal.name}`
}

const DISABLED = 'KEY_DISABLED'

/** The question that this refusal in particular rests on. */
function questionOf(
  refusal: Refusal,
  diagnosis: SignatureDiagnosis | null,
): QuestionId | undefined {
  if (diagnosis?.mistake === 'replayed-nonce') return 'nonce-reuse'
  if (refusal.refused === 'invalid' && refusal.question) return refusal.question as QuestionId
  const isDisabled = refusal.refused === 'permission' && refusal.name === DISABLED
  return isDisabled || diagnosis?.mistake === 'disabled-key' ? 'disabled-key' : undefined
}

function mendOf(
  sandbox: Sandbox,
  refusal: Refusal,
  request: Reasoned,
  diagnosis: SignatureDiagnosis | null,
): string | null {
  const { call, sentKey } = request
  const keyCall = `PUT /_control/sandboxes/${sandbox.id}/keys/${sentKey}`
  switch (refusal.refused) {
    case 'signature':
      return diagnosis && SIGNATURE_MENDS[diagnosis.mistake]
    case 'permission':
      return refusal.name === DISABLED
        ? `enable it: ${keyCall} with {"status":"active"}`
        : `use a key that has it, or give it: ${keyCall} with {"permissions":["${refusal.name}"]}`
    case 'missing':
      return exampleText(call, refusal.parameter)
    case 'invalid':
      if (refusal.question) return `it must be ${refusal.expected}`
      return exampleText(call, refusal.parameter) ?? `it must be ${refusal.expected}`
    case 'body':
      return `send ${refusal.expected}`
    case 'symbol':
      return symbolMend(sandbox, call, refusal.symbol)
    case 'rate':
    case 'quota':
      return `wait ${refusal.retryAfterS} s, or raise its limits: ${keyCall} with {"limits":{…}}`
    case 'timeRange':
      return `request at most ${refusal.maxS} seconds, or raise \`max_time_range\` of its level`
    case 'mediaType':
      return 'send the header `Content-Type: application/json`'
    case 'path':
      return pathMend(request)
    case 'method':
      return `use ${refusal.allowed.join(' or ')}`
    case 'tooLarge':
      return `send at most ${refusal.maxBytes} bytes`
    case 'notRecorded':
      return 'record it, or replay with `miss: "world"`'
    default:
      return exampleText(call, null)
  }
}

/** `for example dbKey=btcswapusdt:binance`; null where the operation has no such example. */
function exampleText(call: OperationCall | null, parameter: string | null): string | null {
  for (const { path, query, body } of call?.operation.examples ?? []) {
    const fields = { ...path, ...query, ...(body as object | undefined) } as Record<string, unknown>
    const names = parameter === null ? Object.keys(fields) : [parameter]
    const found = names.filter((name) => fields[name] !== undefined)
    if (found.length === 0) continue
    const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
    return `for example ${found.map((name) => `${name}=${text(fields[name])}`).join('&')}`
  }
  return null
}

function symbolMend(sandbox: Sandbox, call: OperationCall | null, symbol: string): string | null {
  const examples = call?.operation.examples ?? []
  const shown = examples.flatMap(({ path, query }) => Object.values({ ...path, ...query }))
  const pairs =
    symbol.includes(':') && !/^i:/i.test(symbol) ? sandbox.facts().futures.symbols() : []
  const nearest = nearestName(symbol, [...pairs, ...sandbox.world.coins, ...shown])
  return nearest === undefined ? exampleText(call, null) : `did you mean ${nearest}?`
}

/** Maximum length of a path for which similar ones are searched. */
const PATH_MAX = 200

function pathMend({ path: fullPath }: Reasoned): string {
  const { path } = splitSandboxBase(fullPath)
  const near = path.length > PATH_MAX ? undefined : nearestPath(path.replace(ANY_PREFIX, ''))
  return near === undefined ? 'every path is at /reference' : `did you mean ${PREFIXES[0]}${near}?`
}

/** The own part of a path that is near, or that begins with all of this one and has one more. */
function nearestPath(own: string): string | undefined {
  const [longer, second] = PATHS.filter(
    (path) => path.startsWith(`${own}/`) && !path.includes('/', own.length + 1),
  )
  const isOnlyOne = longer !== undefined && second === undefined && own !== ''
  return isOnlyOne ? longer : nearestName(own, PATHS, PATH_TYPOS)
}

/** A prefix of the service, or one that is like it. */
const ANY_PREFIX = /^(?:\/api)?(?:\/upgrade)?(?:\/v\d+)?(?=\/)/

/** Paths have words in common: fewer letters than of a single name may be mistyped. */
const PATH_TYPOS = 0.25

const PATHS: readonly string[] = [
  ...new Set(
    SERVED_OPERATIONS.flatMap(({ profile, path }: Operation) =>
      profile === undefined ? path : [],
    ),
  ),
]
