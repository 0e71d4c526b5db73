import { InexactAmount } from '../../decimal/quantity.ts'
import { castWorld } from './cast-world.ts'
import type { TapeInput } from './tape-input.ts'
import { inexactTape, NO_HISTORY, type RecordedHistory } from './tape-input.ts'
import { keptIn, removeDatabase, removeJournal } from './writing/kept-file.ts'
import { OtherCasting, WorkerRowSink } from './writing/worker-row-sink.ts'

/** Interval of checkpoints of a long tape in events, some seconds of work. */
export const KEPT_EVENTS = 500_000

export interface CastFileOptions {
  /** Progress callback with the number of processed events. */
  report?: (events: number) => void
  /** Candles for the time before the tape. */
  recorded?: RecordedHistory
  /** Length of the history, whole days; 30 days when left out. */
  historyMs?: number
  /**
   * Checkpoint interval in events: an interrupted casting resumes after the last one. No
   * checkpoints when left out.
   */
  keepEvery?: number
}

/**
 * Casts the world of a tape and a seed into a new file.
 *
 * Blocks its thread: a server runs it in a thread of its own. What cannot be cast or written is a
 * UserError, and leaves no file. An interrupted casting can be resumed: the tape is played again,
 * and rows that are in the file are not written.
 */
export async function castFile(
  tape: TapeInput,
  seed: string,
  file: string,
  options: CastFileOptions = {},
): Promise<void> {
  const { keepEvery = 0, report, recorded = NO_HISTORY, historyMs } = options
  const rows = new WorkerRowSink(file, keepEvery, keepEvery > 0 ? keptIn(file) : null)
  try {
    await castWorld(tape, seed, rows, report, recorded, historyMs)
    removeJournal(file)
  } catch (error) {
    rows.close()
    removeDatabase(file)
    if (error instanceof InexactAmount) throw inexactTape()
    if (!(error instanceof OtherCasting)) throw error
    await castFile(tape, seed, file, options)
  } finally {
    rows.close()
  }
}
