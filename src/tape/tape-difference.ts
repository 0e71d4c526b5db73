/**
 * Differences between two tapes: in their headers, their counts, and their first different event.
 */
import type { EventKind, TapeEvent, TapeHeader } from './tape-event.ts'
import type { Tape } from './tape-reader.ts'

/** Values of both tapes. */
export interface Pair<T> {
  a: T
  b: T
}

export interface TapeDifference {
  /** Fields of the headers that differ, as text. */
  header: (Pair<string> & { field: string })[]
  /** Events of each kind and of each coin whose counts differ. */
  kinds: (Pair<number> & { kind: string })[]
  coins: (Pair<number> & { coin: string })[]
  events: Pair<number>
  /** The first difference; null where all events are the same. */
  first: FirstDifference | null
}

export interface FirstDifference extends Pair<TapeEvent | null> {
  /** Number of equal events before it. */
  same: number
}

/**
 * Compares two tapes. Events are equal when time, kind, coin and data are: their numbers may
 * differ.
 */
export async function differenceOf(a: Tape, b: Tape): Promise<TapeDifference> {
  const [eventsA, eventsB] = [singly(a), singly(b)]
  const kinds = new PairedCounts()
  const coins = new PairedCounts()
  const events = { a: 0, b: 0 }
  let first: FirstDifference | null = null
  const counted = (side: keyof Pair<unknown>, event: TapeEvent | null) => {
    if (!event) return
    events[side]++
    kinds.count(side, event.kind)
    if (event.coin !== '') coins.count(side, event.coin)
  }
  for (let same = 0; ; same++) {
    const [inA, inB] = [await eventsA(), await eventsB()]
    if (!inA && !inB) break
    counted('a', inA)
    counted('b', inB)
    if (!first && !isSame(inA, inB)) first = { same, a: inA, b: inB }
  }
  return {
    header: headerDifferences(a.header, b.header),
    kinds: kinds.different().map(([kind, pair]) => ({ kind, ...pair })),
    coins: coins.different().map(([coin, pair]) => ({ coin, ...pair })),
    events,
    first,
  }
}

/** Whether there is no difference. */
export const isNone = ({ header, first }: TapeDifference): boolean =>
  header.length === 0 && first === null

function isSame(a: TapeEvent | null, b: TapeEvent | null): boolean {
  if (!a || !b) return false
  const { time, kind, coin, data } = a
  return time === b.time && kind === b.kind && coin === b.coin && Bun.deepEquals(data, b.data)
}

/** One event at a time; null after the last one. */
function singly(tape: Tape): () => TapeEvent | null | Promise<TapeEvent | null> {
  const batches = tape.events()
  let [batch, at] = [[] as TapeEvent[], 0]
  const next = async () => {
    const { value, done } = await batches.next()
    if (done) return null
    ;[batch, at] = [value, 1]
    return batch[0] ?? null
  }
  return () => batch[at++] ?? next()
}

class PairedCounts {
  private readonly counts = new Map<EventKind | string, Pair<number>>()

  count(side: keyof Pair<unknown>, of: string): void {
    let pair = this.counts.get(of)
    if (!pair) {
      pair = { a: 0, b: 0 }
      this.counts.set(of, pair)
    }
    pair[side]++
  }

  different(): [string, Pair<number>][] {
    return [...this.counts].filter(([, { a, b }]) => a !== b).sort(([x], [y]) => (x < y ? -1 : 1))
  }
}

function headerDifferences(a: TapeHeader, b: TapeHeader): TapeDifference['header'] {
  const plain = (['version', 'source', 'startMs', 'endMs'] as const).map((field) => {
    return { field, a: String(a[field]), b: String(b[field]) }
  })
  const names = new Set([...a.instruments, ...b.instruments].map(({ coin }) => coin))
  const instruments = [...names].map((coin) => {
    const text = ({ instruments }: TapeHeader) =>
      JSON.stringify(instruments.find((one) => one.coin === coin)) ?? 'none'
    return { field: coin, a: text(a), b: text(b) }
  })
  return [...plain, ...instruments].filter((one) => one.a !== one.b)
}
