/**
 * Placeholders of a document for the examples of operations. The document around them is made once;
 * instants in examples are shown times, which differ between sandboxes.
 */
import type { Operation } from '../operation.ts'
import type { Json } from './components.ts'
import { exampleAnswersOf, type ShownExample } from './example-answers.ts'

/** Makes the content of a placeholder from the examples of its operation. */
export type MakeExamples = (examples: readonly ShownExample[]) => Json

interface Place {
  operation: Operation
  make: MakeExamples
}

/** Marks a placeholder in the text; no text of ours has such a letter. */
const MARK = '\u0000'
const MARKED = /"\\u0000(\d+)"/

export class ExamplePlaces {
  private readonly places: Place[] = []

  /** Adds a placeholder and returns its mark. */
  add(operation: Operation, make: MakeExamples): string {
    return MARK + (this.places.push({ operation, make }) - 1)
  }

  /** Fills in the placeholders of a document, with instants shifted against those of the tape. */
  writer(document: Json): (shiftMs: number) => string {
    // Every second part is the number of a placeholder.
    const parts = JSON.stringify(document, null, 1).split(MARKED)
    return (shiftMs) => {
      const known = new Map<Operation, readonly ShownExample[]>()
      const filled = ({ operation, make }: Place) => {
        const examples = known.get(operation) ?? examplesOf(operation, shiftMs)
        known.set(operation, examples)
        return JSON.stringify(make(examples))
      }
      return parts
        .map((part, at) => (at % 2 === 0 ? part : filled(this.places[Number(part)] as Place)))
        .join('')
    }
  }
}

/** The recorded examples, or else the declared ones. */
export function examplesOf(operation: Operation, shiftMs = 0): readonly ShownExample[] {
  const recorded = exampleAnswersOf(operation, shiftMs)
  return recorded.length > 0 ? recorded : operation.examples
}
