/** Every operation that some sandbox serves, and whether one does. */
import { OPERATIONS } from './catalogue.ts'
import type { Operation } from './operation.ts'
import type { Answers } from './questions.ts'
import { SUB_KEY_OPERATIONS } from './sub-key-operations.ts'
import { VENUE_OPERATIONS } from './venue.ts'

export const SERVED_OPERATIONS: readonly Operation[] = [
  ...OPERATIONS,
  ...SUB_KEY_OPERATIONS,
  ...VENUE_OPERATIONS,
]

/** Whether a sandbox of that profile, with those answers, serves an operation. */
export function isServed(
  { profile, servedWhen }: Operation,
  own: { profile: 'contract' | 'raw'; answers: Answers },
): boolean {
  if (profile !== undefined && profile !== own.profile) return false
  return servedWhen === undefined || own.answers[servedWhen.question] === servedWhen.answer
}
