import type { BarSource } from '../history/drawn-bars.ts'
import type { DerivedRows } from './derived-rows.ts'
import type { RowSink } from './row-sink.ts'

/** Takes the rows of a world that is cast from its beginning. */
export interface WorldSink extends RowSink, BarSource {
  /** Creates the indexes once most rows are written; later rows update them. */
  createIndexes(): void
  /** Reports the number of processed events of the tape. */
  reached(events: number): void
  /** Awaited regularly for back pressure; undefined when the writer keeps up. */
  drain(): Promise<void> | undefined
  /** Everything is in the file after this. */
  finish(): Promise<void> | void
  /** Derives and writes rows from an input, which the caller must not change. */
  derive(order: DerivedRows): void
  /** Resolves when all so far is written and counted. */
  settled(): Promise<void> | void
}
