/** Batches of addresses, whose length is an open question; they are answered in slices. */
import type { Slices } from '../clock/turns.ts'
import type { Answers } from './questions.ts'

/** The addresses of a batch that are answered. */
export function answeredAddresses(addresses: string[], answers: Answers): string[] {
  return addresses.slice(0, Number(answers['batch-most']))
}

/** The rows of addresses, in their order, each in a slice, as the first of them may take long. */
export function* rowsInSlices<T>(
  addresses: readonly string[],
  rowsOf: (some: string[]) => readonly T[],
): Slices<T[]> {
  const rows: T[] = []
  for (const address of addresses) {
    yield
    rows.push(...rowsOf([address]))
  }
  return rows
}
