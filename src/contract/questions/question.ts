/** The form of an open question. */

export interface Question {
  question: string
  /** Where the contract is silent, or what disagrees with it. */
  source: string
  /** The answer we chose. */
  chosen: string
  why: string
  /** Every answer that can be chosen, and what it means. */
  answers: Record<string, string>
}

/**
 * Declares a group of questions; their ids and answers stay known to the compiler, which also
 * keeps the chosen one among them.
 */
export const declareQuestions = <const T extends Record<string, Question>>(
  questions: T & { [Id in keyof T]: { chosen: keyof T[Id]['answers'] } },
): T => questions
