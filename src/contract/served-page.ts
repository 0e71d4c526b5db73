/** Numbered pages with a last page. */
import type { Answers } from './questions.ts'
import type { Refusal } from './refusal.ts'

/** A body with the page to answer, or a refusal (question `page-beyond-last`). */
export function servedPage<B extends { pageNum: number }>(
  body: B,
  last: number,
  answers: Answers,
): B | Refusal<'invalid'> {
  if (body.pageNum <= last) return body
  if (answers['page-beyond-last'] === 'last') return { ...body, pageNum: last }
  return { refused: 'invalid', parameter: 'pageNum', expected: `a whole number from 1 to ${last}` }
}
