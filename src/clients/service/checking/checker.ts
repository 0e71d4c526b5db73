/** What answers and pushes are checked by, and what it says. */
import type { Ask } from '../continuity/backfill.ts'
import type { CallParameters, OperationCall } from '../requests/request.ts'

/** What is wrong, and where: `[3].px`. */
export interface Flaw {
  path: string
  expected: string
}

export interface Checker {
  /** Throws an AnswerError where the data of an answer is not as the contract says. */
  check(operation: OperationCall, given: CallParameters, data: unknown): void
  /** What is wrong with the data of a push; null where nothing is. */
  pushFlaw(channel: string, data: unknown): Flaw | null
  /** Counts the trades of a coin; tells those minutes of which some are missing. */
  tradeCounter(ask: Ask, coin: unknown, onMissing: OnMissing): { count(timeMs: number): void }
}

/** @param fromMs the beginning of the minute */
export type OnMissing = (fromMs: number, reason: string) => void
