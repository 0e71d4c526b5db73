import type { Result } from './runner.ts'

/** Where others were answered once they asked alone, that no answer came says nothing. */
export const asLate = (result: Result): Result => ({
  ...result,
  verdict: 'skipped',
  looked: false,
  conversation: [],
  message: `${result.message} while others asked, and too many were not to look at all again`,
})
