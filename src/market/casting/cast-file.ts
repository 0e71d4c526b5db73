import { castWorld } from './cast-world.ts'
import { NO_HISTORY, type RecordedHistory } from './history-input.ts'
import type { TapeInput } from './tape-input.ts'
import { keptIn, removeDatabase, removeJournal } from './writing/kept-file.ts'
import { OtherCasting, WorkerRowSink } from './writing/worker-row-sink.ts'

/** So many events of a long tape are kept at a time, some seconds of work. */
export const KEPT_EVENTS = 500_000

export interface CastFileOptions {
  /** Called now and then with the number of the tape's events that are done. */
  report?: (events: number) => void
  /** Candles for the time before the tape. */
  recorded?: RecordedHistory
  /** How long the history is, whole days; 30 days when left out. */
  historyMs?: number
  /**
   * So many events are kept at a time: a casting that was interrupted is gone on with after the
   * last of them. Nothing is kept when it is left out.
   */
  keepEvery?: number
}

/**
 * Casts the world of a tape and a seed into a new file.
 *
 * It holds its thread: where others wait for the thread, it is called in one of its own. What
 * cannot be cast or written is a UserError, and leaves no file. One that was interrupted, whatever
 * by, may be gone on with: the tape is played again, and rows that are in the file are not written.
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
    if (!(error instanceof OtherCasting)) throw error
    await castFile(tape, seed, file, options)
  } finally {
    rows.close()
  }
}
