/** A reason of the journal or of `explain`, as lines of text for people. */
import type { Basis } from './refusal-basis.ts'

/** A reason as the control plane shows it. */
export interface ShownReason extends Basis {
  /** The check that decided. */
  check: string
  /** The finding. */
  detail: string
  /** The remedy; null where it is unknown. */
  mend: string | null
}

/**
 * `permission: key "demo-bare" lacks HL_TICKERS`, then the mend, and what it rests on: each in a
 * line of its own.
 */
export function reasonLines({ check, detail, mend, contract, question }: ShownReason): string[] {
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
