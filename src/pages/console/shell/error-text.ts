/** What went wrong, in the words of whoever said so. */
export const errorText = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
