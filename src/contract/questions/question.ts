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

/** Declares a group of questions; their ids stay known to the compiler. */
export const declared = <const T extends Record<string, Question>>(questions: T): T => questions
