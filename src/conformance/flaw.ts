/** What is wrong with what was said, and what was expected and found where both are values. */
export interface Flaw {
  message: string
  evidence?: { expected: unknown; found: unknown }
}
