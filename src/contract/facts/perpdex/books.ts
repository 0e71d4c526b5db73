/** Queries about order books of the perpetual venue. */
import type { Bbo, L2Book } from '../../records/book.ts'

export interface BookQuery {
  coin: string
  /**
   * Round prices to so many significant figures, 2 to 5; null or undefined for the book as it is.
   */
  nSigFigs?: number | null
  /** With nSigFigs 5 only: 2 or 5. */
  mantissa?: number | null
}

export interface BooksFacts {
  /** null for an unknown coin. */
  l2(query: BookQuery): L2Book | null
  bbo(coin: string): Bbo | null
}
