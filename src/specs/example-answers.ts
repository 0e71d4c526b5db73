/**
 * Real answers of the default recording, for examples. `bun run generate` asks for them and
 * writes example-answers.json; lists in them are cut after two elements.
 */
import type { Example } from '../contract/operation.ts'
import recorded from './example-answers.json' with { type: 'json' }

/** A request as it was asked, and what was answered. */
export interface ExampleAnswer extends Example {
  answer: unknown
}

/** What was asked of an operation, and answered. */
export function exampleAnswersOf(id: string): readonly ExampleAnswer[] {
  return (recorded as unknown as Record<string, ExampleAnswer[]>)[id] ?? []
}
