/** Where others were answered once they asked alone, that no answer came says nothing. */
export const asLate = <T extends { message: string }>(result: T) => ({
  ...result,
  verdict: 'skipped' as const,
  looked: false,
  conversation: [],
  message: `${result.message} while others asked, and too many were not to look at all again`,
})
