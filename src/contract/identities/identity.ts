/**
 * Identities: what must hold between answers that were given at one instant, whoever gives them.
 * An identity yields what it asks of `POST /info` and gets the answers back, so one declaration
 * serves a sandbox in this process and a service over HTTP alike.
 */
import type { Exact } from '../../decimal/exact.ts'

/** A body of `POST /info`. */
export type InfoBody = { type: string } & Record<string, unknown>

/** Asks one thing after another, and gets what was answered; undefined where it may be paused. */
export type Asking<T> = Generator<InfoBody | undefined, T, unknown>

/** Two sides that should be the same, or of which the left should not be the greater. */
export interface Comparison {
  /** Which of the comparisons of an identity it is: a coin, a window, the number of an order. */
  of: string
  left: Exact
  relation: 'equal' | 'atMost'
  right: Exact
  /** How far they may be apart, where one of them was rounded. */
  within?: Exact
  /** The records that make them up. */
  records: unknown
}

export interface Identity {
  id: string
  /** What holds, in one sentence; the left side first. */
  sentence: string
  /** Its place in the contract, or why it must hold. */
  source: string
  /** The comparisons for an address: none where it has nothing of the sort. */
  compare(address: string): Asking<Comparison[]>
}

/** Whether a comparison holds. */
export function holds({ left, relation, right, within }: Comparison): boolean {
  const difference = left.minus(right)
  const most = within ?? left.minus(left)
  const isBelow = difference.isAtMost(most)
  return relation === 'atMost' ? isBelow : isBelow && right.minus(left).isAtMost(most)
}

/** All rows of a type of info that gives a page at a time, oldest first, each once. */
export function* allRows<T extends { time: number }>(body: InfoBody, most: number): Asking<T[]> {
  const rows: T[] = []
  const seen = new Set<string>()
  for (let startTime = 0; rows.length < ROWS_MOST; ) {
    const page = (yield { ...body, startTime }) as T[]
    const added = page.filter((row) => !seen.has(JSON.stringify(row)))
    for (const row of added) seen.add(JSON.stringify(row))
    rows.push(...added)
    const last = page.at(-1)
    if (page.length < most || added.length === 0 || !last) break
    startTime = last.time
  }
  return rows
}

/** Whoever has more rows is left alone: only the latest ten thousand fills are given. */
const ROWS_MOST = 10_000
