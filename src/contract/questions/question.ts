/** The form of an open question. */

export interface Question {
  question: string
  /** The silent or contradictory place in the contract. */
  source: string
  /** Our answer. */
  chosen: string
  why: string
  /** All answers with their descriptions. */
  answers: Record<string, string>
}

/**
 * Declares a group of questions; their ids and answers stay known to the compiler, which also
 * checks the chosen one.
 */
export const declareQuestions = <const T extends Record<string, Question>>(
  questions: T & { [Id in keyof T]: { chosen: keyof T[Id]['answers'] } },
): T => questions
