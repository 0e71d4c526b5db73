/**
 * The wire form of each refusal: status, envelope and text (the service's documentation, Errors).
 * The envelope of a refusal is not the operation's own, so it is declared here.
 */

import type { Envelope } from './operation.ts'
import { type Answers, type ByAnswer, byAnswer, DEFAULT_ANSWERS } from './questions.ts'
import type { Refusal, RefusalName } from './refusal.ts'

// A refusal as it is sent.

/** The text of a refusal. */
export function refusalText(refusal: Refusal): string {
  const text = REFUSALS[refusal.refused].text(refusal as never)
  // Some quote input, which has no bound of its own.
  return text.length <= TEXT_LENGTH ? text : `${text.slice(0, TEXT_LENGTH)}…`
}

const TEXT_LENGTH = 2_000

/** The parts of an operation that its refusals depend on. */
interface Refusing {
  envelope: Envelope
}

/**
 * The envelope of a refusal: its own, but that of a distributor's request follows the question
 * `distributor-refusal`.
 */
export function refusalEnvelope(
  refused: RefusalName,
  operation?: Refusing,
  answers: Answers = DEFAULT_ANSWERS,
): RefusalForm['envelope'] {
  const { envelope } = REFUSALS[refused]
  if (operation?.envelope.kind !== 'C' || !OF_A_REQUEST.has(refused)) return envelope
  const answer = answers['distributor-refusal']
  return answer === 'C' || (answer === 'by-flaw' && refused !== 'missing') ? 'C' : 'B'
}

/** Refusals of a distributor's request. */
const OF_A_REQUEST: ReadonlySet<RefusalName> = new Set<RefusalName>([
  ...(['missing', 'invalid', 'body', 'resourceType', 'action'] as const),
])

/** Status and body of a refusal by an operation, under the answers to the open questions. */
export function refusalForm(
  refusal: Refusal,
  answers?: Answers,
  operation?: Refusing,
): { status: number; body: string } {
  const form = REFUSALS[refusal.refused]
  const { variants } = form
  const variant = answers && variants && byAnswer(variants, answers)
  const text = JSON.stringify(variant?.text ?? refusalText(refusal))
  return {
    status: variant?.status ?? form.status,
    body: BODIES[refusalEnvelope(refusal.refused, operation, answers)](
      variant?.code ?? form.code,
      text,
    ),
  }
}

/** The body of a refusal by an operation. */
export const refusalBody = (refusal: Refusal, operation?: Refusing): string =>
  refusalForm(refusal, undefined, operation).body

const BODIES: Record<RefusalForm['envelope'], (code: string, text: string) => string> = {
  A: (code, text) => `{"success":false,"errorCode":${code},"error":${text},"data":null}`,
  B: (code, text) => `{"code":"${code}","msg":${text},"data":null}`,
  C: (_, text) => `{"success":false,"error":${text}}`,
}

/** Status, envelope, code and text. */
export interface RefusalForm {
  status: number
  envelope: 'A' | 'B' | 'C'
  /** B's code; A's errorCode. */
  code: string
  text: (refusal: never) => string
  /** Its place in the contract; "assumed" where that is silent. */
  source: string
  /** Differences, by the answer to an open question. */
  variants?: Variants | undefined
}

type Variants = ByAnswer<{ status: number; code?: string; text?: string }>

const form = <N extends RefusalName>(
  status: number,
  envelope: 'A' | 'B' | 'C',
  code: string,
  text: (refusal: Refusal<N>) => string,
  source: string,
  variants?: Variants,
): RefusalForm => ({
  status,
  envelope,
  code,
  text: text as (refusal: never) => string,
  source,
  variants,
})

/** The contract gives these no status. */
const STATUS_UNSPECIFIED: Variants = { question: 'refusal-status', is: { ok: { status: 200 } } }
const POSITION_ABSENT: Variants = { question: 'position-absent', is: { '200': { status: 200 } } }
const LEVEL_ABSENT: Variants = { question: 'level-absent', is: { '400': { status: 400 } } }
const NEWS_ABSENT: Variants = {
  question: 'news-absent',
  is: { '404': { status: 404, code: '404' } },
}
const INDEX_UNKNOWN: Variants = {
  question: 'index-unknown',
  is: { '400': { status: 400, code: '400' } },
}
/** The observed texts of limits. */
const limitVariants = (question: 'over-rate' | 'over-quota'): Variants => ({
  question,
  is: {
    '403': { status: 403, code: '403', text: '请求过于频繁' },
    '200': { status: 200 },
  },
})

/** One row for each refusal. */
export const REFUSALS: { [N in RefusalName]: RefusalForm } = {
  signature: form<'signature'>(
    401,
    'B',
    '401',
    () => 'Invalid signature',
    'Errors',
    STATUS_UNSPECIFIED,
  ),
  permission: form<'permission'>(403, 'B', '403', (r) => `Permission denied: ${r.name}`, 'Errors'),
  missing: form<'missing'>(
    400,
    'B',
    '400',
    (r) => `missing required parameter: ${r.parameter}`,
    'Errors',
    STATUS_UNSPECIFIED,
  ),
  invalid: form<'invalid'>(
    400,
    'B',
    '400',
    (r) => `invalid parameter: ${r.parameter} must be ${r.expected}`,
    'assumed',
    STATUS_UNSPECIFIED,
  ),
  body: form<'body'>(
    400,
    'B',
    '400',
    (r) => `invalid request body: expected ${r.expected}`,
    'assumed',
    STATUS_UNSPECIFIED,
  ),
  symbol: form<'symbol'>(400, 'B', '400', (r) => `Unsupported symbol: ${r.symbol}`, 'assumed'),
  bitcoinOnly: form<'bitcoinOnly'>(
    400,
    'B',
    '400',
    () => 'Only BTC-related symbols are supported',
    'assumed',
  ),
  position: form<'position'>(
    400,
    'B',
    '400',
    () => 'position not found',
    'Errors',
    POSITION_ABSENT,
  ),
  news: form<'news'>(200, 'A', '403', () => 'there is no such article', 'assumed', NEWS_ABSENT),
  index: form<'index'>(200, 'A', '304', () => 'invalid_key', 'assumed', INDEX_UNKNOWN),
  alert: form<'alert'>(200, 'A', '400', () => '设置预警失败', 'assumed'),
  alertAbsent: form<'alertAbsent'>(200, 'A', '400', () => 'common.not_exist_id', 'assumed'),
  infoType: form<'infoType'>(200, 'B', '400', (r) => `unknown type ${r.type}`, 'assumed'),
  market: form<'market'>(500, 'B', '500', () => 'unknown coin or dex', 'the perpetual venue'),
  invite: form<'invite'>(400, 'C', '400', () => 'invalid or used invite token', 'Errors'),
  resourceType: form<'resourceType'>(
    400,
    'C',
    '400',
    () => 'resource_type must be perpdex',
    'Errors',
  ),
  action: form<'action'>(
    400,
    'C',
    '400',
    (r) => `unknown action ${r.name}; use the names of the action map`,
    'assumed',
  ),
  level: form<'level'>(
    404,
    'C',
    '404',
    (r) => `level ${r.name} does not exist`,
    'assumed',
    LEVEL_ABSENT,
  ),
  levelCount: form<'levelCount'>(400, 'C', '400', (r) => r.why, 'assumed'),
  subKey: form<'subKey'>(400, 'C', '400', (r) => r.why, 'assumed'),
  subKeyAbsent: form<'subKeyAbsent'>(
    404,
    'C',
    '404',
    (r) => `sub key ${r.name} does not exist`,
    'assumed',
  ),
  rate: form<'rate'>(
    429,
    'B',
    '429',
    (r) => `too many requests: at most ${r.perMinute} a minute`,
    'assumed',
    limitVariants('over-rate'),
  ),
  quota: form<'quota'>(
    429,
    'B',
    '429',
    () => 'the quota of this month is used up',
    'assumed',
    limitVariants('over-quota'),
  ),
  timeRange: form<'timeRange'>(
    400,
    'B',
    '400',
    (r) => `the time range is longer than ${r.maxS} seconds`,
    'assumed',
  ),
  connections: form<'connections'>(
    429,
    'B',
    '429',
    (r) => `too many connections: at most ${r.most}`,
    'assumed',
  ),
  mediaType: form<'mediaType'>(
    415,
    'B',
    '415',
    () => 'Expected request with `Content-Type: application/json`',
    'the perpetual venue',
  ),
  weight: form<'weight'>(429, 'B', '429', () => 'too many requests', 'the perpetual venue'),
  path: form<'path'>(
    404,
    'A',
    '404',
    ({ near }) => (near === undefined ? 'Not Found' : `Not Found, did you mean ${near}?`),
    'assumed',
  ),
  method: form<'method'>(
    405,
    'A',
    '405',
    (r) => `Method Not Allowed, use ${r.allowed.join(' or ')}`,
    'assumed',
  ),
  tooLarge: form<'tooLarge'>(
    413,
    'B',
    '413',
    ({ maxBytes, declaredBytes }) =>
      `request body is larger than ${maxBytes} bytes${declaredBytes ? `: ${declaredBytes}` : ''}`,
    'assumed',
  ),
  fault: form<'fault'>(500, 'B', '500', () => 'internal error', 'assumed'),
  notRecorded: form<'notRecorded'>(404, 'B', '404', (r) => r.why, 'assumed'),
  upstream: form<'upstream'>(502, 'B', '502', (r) => `no answer upstream: ${r.why}`, 'assumed'),
  storage: form<'storage'>(503, 'B', '503', () => 'nothing was changed: try later', 'assumed'),
}
