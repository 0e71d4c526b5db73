/**
 * Real answers of the control plane over the default recording, for its document. `bun run
 * generate` asks for them and writes example-answers.json; lists in them are cut.
 */
import recorded from './example-answers.json' with { type: 'json' }

export interface ControlAnswer {
  name: string
  answer: unknown
}

/** The recorded answers of a call. */
export function controlAnswersOf(id: string): readonly ControlAnswer[] {
  return (recorded as Record<string, ControlAnswer[]>)[id] ?? []
}
