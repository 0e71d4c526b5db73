/** The basis of a refusal: a sentence of the contract, an open question, or neither. */

import type { Operation } from './operation.ts'
import type { Question } from './questions/question.ts'
import { type Answers, QUESTIONS, type QuestionId } from './questions.ts'
import type { Refusal, RefusalName } from './refusal.ts'
import { REFUSALS } from './refusal-forms.ts'

/** The basis of a refusal: null where the contract, or the open questions, say nothing of it. */
export interface Basis {
  contract: { place: string; sentence: string } | null
  question: { id: string; question: string; answer: string; means: string } | null
}

/** No basis: a rule of a scenario refuses independently of the contract. */
export const NO_BASIS: Basis = { contract: null, question: null }

/** Whether the contract or an open question says anything of a refusal. */
export const hasBasis = (name: RefusalName): boolean =>
  BASES[name].sentence !== undefined || BASES[name].questions !== undefined

/**
 * The basis of a refusal.
 *
 * @param operation null where the path has none
 * @param about a question that this refusal in particular rests on
 */
export function basisOf(
  refusal: Refusal,
  operation: Pick<Operation, 'assumed'> | null,
  answers: Answers,
  about?: QuestionId,
): Basis {
  const { sentence, questions = [] } = BASES[refusal.refused]
  const { source } = REFUSALS[refusal.refused]
  const id = about ?? questions.find((one) => isOf(one, operation))
  return {
    contract: sentence === undefined ? null : { place: source, sentence },
    question: id === undefined ? null : questionIn(id, answers),
  }
}

function questionIn(id: QuestionId, answers: Answers): Basis['question'] {
  const known: Question = QUESTIONS[id]
  const answer: string = answers[id]
  return { id, question: known.question, answer, means: known.answers[answer] ?? '' }
}

/** Whether a question is about an operation: some are about all of them. */
const isOf = (id: QuestionId, operation: Pick<Operation, 'assumed'> | null): boolean =>
  OF_ALL.has(id) || (operation?.assumed.includes(id) ?? false)

const OF_ALL: ReadonlySet<QuestionId> = new Set<QuestionId>([
  ...(['refusal-status', 'over-rate', 'over-quota', 'over-time-range', 'socket-limits'] as const),
  ...(['venue-rate-limit', 'news-absent', 'index-unknown', 'level-absent', 'info-types'] as const),
])

interface Ground {
  /** Of the contract, at the place that `REFUSALS` names. */
  sentence?: string
  /** Questions that it may rest on; the first of the operation counts. */
  questions?: readonly QuestionId[]
}

const LEVEL_LIMITS =
  'Level quota template: `max_time_range` seconds, `max_request` monthly, `request_rate_limit` ' +
  'per minute; per level, applied to sub keys'

const BASES: { [N in RefusalName]: Ground } = {
  signature: {
    sentence:
      'Invalid signature: envelope B with `code` "401", `msg` "Invalid signature", `data` null',
    questions: ['refusal-status'],
  },
  permission: {
    sentence:
      'Action or permission missing: HTTP 403; envelope B `code` "403", `msg` of the form ' +
      '`Permission denied: <PERMISSION>`',
  },
  missing: {
    sentence:
      'Missing required parameter: envelope B with `code` "400", `msg` stating the missing ' +
      'parameter, `data` null',
    questions: ['window-days', 'refusal-status'],
  },
  invalid: { questions: ['dex-unknown', 'indicator-unknown', 'refusal-status'] },
  body: { questions: ['refusal-status'] },
  symbol: {
    questions: ['unknown-symbol', 'unknown-pair', 'stock-unknown', 'indicator-unknown'],
  },
  bitcoinOnly: { questions: ['coin-margin-coins'] },
  position: {
    sentence: 'Completed-position PnL or executions: position cannot be found: HTTP 400',
    questions: ['position-absent'],
  },
  news: { questions: ['news-absent'] },
  index: { questions: ['index-unknown'] },
  alert: { questions: ['alert-failure'] },
  alertAbsent: { questions: ['alert-failure'] },
  infoType: { questions: ['info-types'] },
  market: { questions: ['dex-unknown'] },
  invite: {
    sentence:
      'Invalid or already consumed invite token: HTTP 400; body `{success:false, error:<string>}`',
  },
  resourceType: { sentence: '`resource_type` other than `perpdex` in a level PUT: HTTP 400' },
  action: { questions: ['distributor-refusal'] },
  level: { questions: ['level-absent'] },
  levelCount: {},
  subKey: { questions: ['sub-key-paths'] },
  subKeyAbsent: { questions: ['sub-key-paths'] },
  rate: { sentence: LEVEL_LIMITS, questions: ['over-rate'] },
  quota: { sentence: LEVEL_LIMITS, questions: ['over-quota'] },
  timeRange: { sentence: LEVEL_LIMITS, questions: ['over-time-range'] },
  connections: {
    sentence:
      'WebSocket connection and subscription counts are limited by additional concurrency ' +
      'limits, and the values of those limits: not shown',
    questions: ['socket-limits'],
  },
  mediaType: {},
  weight: { questions: ['venue-rate-limit'] },
  path: {},
  method: {},
  tooLarge: {},
  fault: { questions: ['stock-unknown'] },
  storage: {},
  notRecorded: {},
  upstream: {},
}
