/**
 * Real answers of the default recording, for examples. `bun run generate` asks for them and
 * writes example-answers.json; lists in them are cut after two elements.
 */
import type { Example } from '../contract/operation.ts'
import recorded from './example-answers.json' with { type: 'json' }

/** A request as it was sent, and its answer. */
export interface ExampleAnswer extends Example {
  answer: unknown
}

/** The recorded requests of an operation, with their answers. */
export function exampleAnswersOf(id: string): readonly ExampleAnswer[] {
  return (recorded as unknown as Record<string, ExampleAnswer[]>)[id] ?? []
}
