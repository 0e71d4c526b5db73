/** A reason of the journal or of `explain`, as lines of text for people. */
import type { Reason } from './records.ts'

/**
 * `permission: key "demo-bare" lacks HL_TICKERS`, then the mend, and what it rests on: each in a
 * line of its own.
 */
export function reasonLines({ check, detail, mend, contract, question }: Reason): string[] {
  return [
    `${check}: ${detail}`,
    ...(mend === null ? [] : [`what to do: ${mend}`]),
    ...(contract === null ? [] : [`the contract, ${contract.place}: ${contract.sentence}`]),
    ...(question === null
      ? []
      : [
          `open question ${question.id}: ${question.question} ` +
            `Answered "${question.answer}" here: ${question.means}`,
        ]),
  ]
}
