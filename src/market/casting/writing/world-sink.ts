import type { BarSource } from '../history/drawn-bars.ts'
import type { DerivedRows } from './derived-rows.ts'
import type { RowSink } from './row-sink.ts'

/** Takes the rows of a world that is cast from its beginning. */
export interface WorldSink extends RowSink, BarSource {
  /** Makes the indexes, once most rows are there; later rows are indexed as they come. */
  createIndexes(): void
  /** So many events of the tape are done. */
  reached(events: number): void
  /** Awaited now and then, so that the writer can keep up; undefined when it does. */
  drain(): Promise<void> | undefined
  /** Everything is in the file after this. */
  finish(): Promise<void> | void
  /** Has rows made of what is given and written; it is not changed by who gives it. */
  derive(order: DerivedRows): void
  /** Resolves when all so far is written, and counted. */
  settled(): Promise<void> | void
}
