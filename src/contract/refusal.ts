/**
 * Every way in which the service says no: status, envelope and wording (spec, Errors).
 * The envelope of a refusal is not the operation's own, so it stands here.
 */
import type { Answers, QuestionId } from './questions.ts'

/** The closed list of refusals. */
export type Refusal =
  | { refused: 'signature' }
  | { refused: 'permission'; name: string }
  | { refused: 'missing'; parameter: string }
  | { refused: 'invalid'; parameter: string; expected: string }
  | { refused: 'body'; expected: string }
  | { refused: 'symbol'; symbol: string }
  | { refused: 'position' }
  | { refused: 'infoType'; type: string }
  | { refused: 'invite' }
  | { refused: 'resourceType' }
  | { refused: 'action'; name: string }
  | { refused: 'level'; name: string }
  | { refused: 'weight' }
  | { refused: 'path' }
  | { refused: 'method'; allowed: string[] }
  | { refused: 'tooLarge'; maxBytes: number }
  | { refused: 'fault' }

/** The HTTP status of a refusal under some answers to the open questions. */
export function refusalStatus(refused: RefusalName, answers?: Answers): number {
  const { status, statuses } = REFUSALS[refused]
  return (answers && statuses?.is[answers[statuses.question]]) ?? status
}

export type RefusalName = Refusal['refused']

/** What a refusal looks like on the wire. */
export interface RefusalForm {
  status: number
  envelope: 'A' | 'B' | 'C'
  /** B's code; A's errorCode. */
  code: string
  text: (refusal: never) => string
  /** Where the contract says so; "assumed" where it is silent. */
  source: string
  /** Other statuses, by the answer to an open question. */
  statuses?: Statuses | undefined
}

interface Statuses {
  question: QuestionId
  is: Record<string, number>
}

type Of<N extends RefusalName> = Extract<Refusal, { refused: N }>

const form = <N extends RefusalName>(
  status: number,
  envelope: 'A' | 'B' | 'C',
  code: string,
  text: (refusal: Of<N>) => string,
  source: string,
  statuses?: Statuses,
): RefusalForm => ({
  status,
  envelope,
  code,
  text: text as (refusal: never) => string,
  source,
  statuses,
})

/** The contract gives these no status. */
const UNSAID: Statuses = { question: 'refusal-status', is: { ok: 200 } }
const ABSENT: Statuses = { question: 'level-absent', is: { '400': 400 } }

/** One row for each refusal. */
export const REFUSALS: { [N in RefusalName]: RefusalForm } = {
  signature: form<'signature'>(401, 'B', '401', () => 'Invalid signature', 'Errors', UNSAID),
  permission: form<'permission'>(403, 'B', '403', (r) => `Permission denied: ${r.name}`, 'Errors'),
  missing: form<'missing'>(
    400,
    'B',
    '400',
    (r) => `missing required parameter: ${r.parameter}`,
    'Errors',
    UNSAID,
  ),
  invalid: form<'invalid'>(
    400,
    'B',
    '400',
    (r) => `invalid parameter: ${r.parameter} must be ${r.expected}`,
    'assumed',
    UNSAID,
  ),
  body: form<'body'>(
    400,
    'B',
    '400',
    (r) => `invalid request body: expected ${r.expected}`,
    'assumed',
    UNSAID,
  ),
  symbol: form<'symbol'>(400, 'B', '400', (r) => `Unsupported symbol: ${r.symbol}`, 'assumed'),
  position: form<'position'>(400, 'B', '400', () => 'position not found', 'Errors'),
  infoType: form<'infoType'>(200, 'B', '400', (r) => `unknown type ${r.type}`, 'assumed'),
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
  level: form<'level'>(404, 'C', '404', (r) => `level ${r.name} does not exist`, 'assumed', ABSENT),
  weight: form<'weight'>(429, 'B', '429', () => 'too many requests', 'the perpetual venue'),
  path: form<'path'>(404, 'A', '404', () => 'Not Found', 'assumed'),
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
    (r) => `request body is larger than ${r.maxBytes} bytes`,
    'assumed',
  ),
  fault: form<'fault'>(500, 'B', '500', () => 'internal error', 'assumed'),
}

/** A pair that is not known. */
export const refuseSymbol = (symbol: string): Refusal => ({ refused: 'symbol', symbol })

/** Tells a refusal from an answer. */
export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'refused' in value
}

/** The words of a refusal. */
export function refusalText(refusal: Refusal): string {
  return REFUSALS[refusal.refused].text(refusal as never)
}

/** The body of a refusal. */
export function refusalBody(refusal: Refusal): string {
  const { envelope, code } = REFUSALS[refusal.refused]
  const text = JSON.stringify(refusalText(refusal))
  if (envelope === 'A') return `{"success":false,"errorCode":${code},"error":${text},"data":null}`
  if (envelope === 'B') return `{"code":"${code}","msg":${text},"data":null}`
  return `{"success":false,"error":${text}}`
}
