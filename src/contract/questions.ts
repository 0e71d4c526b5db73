/**
 * What the contract leaves open: our answer, why, and the other answers one can switch to.
 * A sandbox is made with `questions: {"<id>": "<answer>"}`. Each group has its file in questions/.
 */
import { ACCESS_QUESTIONS } from './questions/access.ts'
import { COIN_QUESTIONS } from './questions/coin.ts'
import { DISTRIBUTOR_QUESTIONS } from './questions/distributor.ts'
import { FUTURES_QUESTIONS } from './questions/futures.ts'
import type { Question } from './questions/question.ts'
import { SOCKETS_QUESTIONS } from './questions/sockets.ts'
import { VENUE_QUESTIONS } from './questions/venue.ts'

export const QUESTIONS = {
  ...ACCESS_QUESTIONS,
  ...COIN_QUESTIONS,
  ...DISTRIBUTOR_QUESTIONS,
  ...FUTURES_QUESTIONS,
  ...SOCKETS_QUESTIONS,
  ...VENUE_QUESTIONS,
}

export type QuestionId = keyof typeof QUESTIONS

/** The answers in force for a sandbox. */
export type Answers = { [Id in QuestionId]: string }

/** Our own answer to every question. */
export const CHOSEN = Object.fromEntries(
  Object.entries(QUESTIONS).map(([id, question]) => [id, question.chosen]),
) as Answers

/** Checks a choice of answers; gives the full set, or what is wrong in words. */
export function choose(answers: Record<string, string>): Answers | string {
  for (const [id, answer] of Object.entries(answers)) {
    const question = (QUESTIONS as Record<string, Question>)[id]
    if (!question)
      return `no open question "${id}"; there are ${Object.keys(QUESTIONS).sort().join(', ')}`
    if (!(answer in question.answers))
      return `question "${id}" cannot be answered "${answer}"; use ${known(question)}`
  }
  return { ...CHOSEN, ...answers }
}

const known = ({ answers }: Question) => Object.keys(answers).join(' or ')
