/**
 * Open questions: our answer where the contract is silent, the reason, and the other answers. A
 * sandbox is made with `questions: {"<id>": "<answer>"}`. Each group has its file in questions/.
 */
import { UserError } from '../platform/user-error.ts'
import { AUTHENTICATION_QUESTIONS } from './questions/authentication.ts'
import { COIN_QUESTIONS } from './questions/coin.ts'
import { CONTENT_QUESTIONS } from './questions/content.ts'
import { DISTRIBUTOR_QUESTIONS } from './questions/distributor.ts'
import { ERRORS_QUESTIONS } from './questions/errors.ts'
import { FUTURES_QUESTIONS } from './questions/futures.ts'
import { INDEX_QUESTIONS } from './questions/index.ts'
import { INDICATOR_QUESTIONS } from './questions/indicator.ts'
import { LENIENCY_QUESTIONS } from './questions/leniency.ts'
import { LIMITS_QUESTIONS } from './questions/limits.ts'
import { MIX_QUESTIONS } from './questions/mix.ts'
import { PERPDEX_QUESTIONS } from './questions/perpdex.ts'
import type { Question } from './questions/question.ts'
import { SIGNAL_QUESTIONS } from './questions/signal.ts'
import { SOCKETS_QUESTIONS } from './questions/sockets.ts'
import { STOCK_QUESTIONS } from './questions/stock.ts'
import { VENUE_QUESTIONS } from './questions/venue.ts'

export const QUESTIONS = {
  ...AUTHENTICATION_QUESTIONS,
  ...ERRORS_QUESTIONS,
  ...LIMITS_QUESTIONS,
  ...DISTRIBUTOR_QUESTIONS,
  ...STOCK_QUESTIONS,
  ...FUTURES_QUESTIONS,
  ...INDEX_QUESTIONS,
  ...COIN_QUESTIONS,
  ...MIX_QUESTIONS,
  ...SIGNAL_QUESTIONS,
  ...CONTENT_QUESTIONS,
  ...INDICATOR_QUESTIONS,
  ...PERPDEX_QUESTIONS,
  ...SOCKETS_QUESTIONS,
  ...LENIENCY_QUESTIONS,
  ...VENUE_QUESTIONS,
}

export type QuestionId = keyof typeof QUESTIONS

/** The declared answers of a question. */
export type AnswerTo<Id extends QuestionId> = Extract<
  keyof (typeof QUESTIONS)[Id]['answers'],
  string
>

/** The answers in force for a sandbox. */
export type Answers = { [Id in QuestionId]: AnswerTo<Id> }

/** A value that depends on the answer to one question: one for each answer that differs. */
export type ByAnswer<T> = {
  [Id in QuestionId]: { question: Id; is: { [A in AnswerTo<Id>]?: T } }
}[QuestionId]

/** One answer to one question. */
export type OneAnswer = { [Id in QuestionId]: { question: Id; answer: AnswerTo<Id> } }[QuestionId]

/** Our own answer to every question. */
export const DEFAULT_ANSWERS = Object.fromEntries(
  Object.entries(QUESTIONS).map(([id, question]) => [id, question.chosen]),
) as Answers

/** The value for the answer in force; undefined for the default one. */
export function byAnswer<T>({ question, is }: ByAnswer<T>, answers: Answers): T | undefined {
  return (is as Partial<Record<string, T>>)[answers[question]]
}

/** Parses answers from outside; a UserError names the question or the answer. */
export function readAnswers(given: Readonly<Record<string, string>>): Partial<Answers> {
  for (const [id, answer] of Object.entries(given)) {
    if (!isQuestion(id))
      throw new UserError(
        `no open question "${id.slice(0, 100)}"; ` +
          `there are ${Object.keys(QUESTIONS).sort().join(', ')}`,
      )
    const question: Question = QUESTIONS[id]
    if (!Object.hasOwn(question.answers, answer))
      throw new UserError(
        `question "${id}" cannot be answered "${answer.slice(0, 100)}"; ` +
          `use ${answerNames(question)}`,
      )
  }
  return given as Partial<Answers>
}

const isQuestion = (id: string): id is QuestionId => Object.hasOwn(QUESTIONS, id)

const answerNames = ({ answers }: Question) => Object.keys(answers).join(' or ')
