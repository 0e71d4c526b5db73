import type { TapeMs } from '../clock/instant.ts'
import type { TimelineEvent } from './facts.ts'

/** All events of a world in order, in chunks that are read when they are needed. */
export interface Timeline {
  startMs: TapeMs
  endMs: TapeMs
  chunkMs: number
  /**
   * All events with startMs + index x chunkMs <= time < the next: by time, then mark, funding,
   * ledger, trade, fill, order, book, bbo, then in the order in which they were written.
   */
  chunk(index: number): readonly TimelineEvent[]
}
