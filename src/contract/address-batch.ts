/** Batches of addresses, whose length is an open question; they are answered a few at a time. */
import type { Slices } from '../clock/turns.ts'
import type { Answers } from './questions.ts'

/** The addresses of a batch of accounts or states that are answered. */
export function answeredAddresses(addresses: string[], answers: Answers): string[] {
  return addresses.slice(0, Number(answers['batch-most']))
}

/** Addresses to a slice: less than a millisecond of work. */
const ADDRESSES_EACH = 8

/** The rows of addresses, in their order. */
export function* rowsInSlices<T>(
  addresses: readonly string[],
  rowsOf: (some: string[]) => readonly T[],
): Slices<T[]> {
  const rows: T[] = []
  for (let at = 0; at < addresses.length; at += ADDRESSES_EACH) {
    yield
    rows.push(...rowsOf(addresses.slice(at, at + ADDRESSES_EACH)))
  }
  return rows
}
