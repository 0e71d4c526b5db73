/**
 * Places of a document for what is made of the examples of operations. The document around them is
 * made once; instants in examples are those that a sandbox shows, which differ from one to another.
 */
import type { Operation } from '../operation.ts'
import { exampleAnswersOf, type ShownExample } from './example-answers.ts'
import type { Json } from './schemas.ts'

/** Makes what stands in a place out of the examples of its operation. */
export type MakeExamples = (examples: readonly ShownExample[]) => Json

interface Place {
  operation: Operation
  make: MakeExamples
}

/** Marks a place in the text until it is filled; no text of ours has such a letter. */
const MARK = '\u0000'
const MARKED = /"\\u0000(\d+)"/

export class ExamplePlaces {
  private readonly places: Place[] = []

  /** What stands for the examples in the document. */
  add(operation: Operation, make: MakeExamples): string {
    return MARK + (this.places.push({ operation, make }) - 1)
  }

  /** Writes a document whose places these are, with instants so much later than on the tape. */
  writer(document: Json): (shiftMs: number) => string {
    // Every second part is the number of a place.
    const parts = JSON.stringify(document).split(MARKED)
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

/** What was really sent, or else what the declaration says. */
export function examplesOf(operation: Operation, shiftMs = 0): readonly ShownExample[] {
  const recorded = exampleAnswersOf(operation, shiftMs)
  return recorded.length > 0 ? recorded : operation.examples
}
