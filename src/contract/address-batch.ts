/** Batches of addresses, whose length is an open question. */
import type { Answers } from './questions.ts'

/** The addresses of a batch of accounts or states that are answered. */
export function answeredAddresses(addresses: string[], answers: Answers): string[] {
  return addresses.slice(0, Number(answers['batch-most']))
}
