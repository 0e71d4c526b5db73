/** The interface for checking answers and pushes. */
import type { Ask } from '../continuity/backfill.ts'
import type { CallParameters, OperationCall } from '../requests/request.ts'

/** A flaw and its place: `[3].px`. */
export interface Flaw {
  path: string
  expected: string
}

export interface Checker {
  /** Throws an AnswerError where the data of an answer violates the contract. */
  check(operation: OperationCall, given: CallParameters, data: unknown): void
  /** The flaw of a push's data; null for none. */
  pushFlaw(channel: string, data: unknown): Flaw | null
  /** Counts the trades of a coin; reports minutes with missing ones. */
  tradeCounter(ask: Ask, coin: unknown, onMissing: OnMissing): { count(timeMs: number): void }
}

/** @param fromMs the beginning of the minute */
export type OnMissing = (fromMs: number, reason: string) => void
