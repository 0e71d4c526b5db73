import { castWorld } from './cast-world.ts'
import { NO_HISTORY, type RecordedHistory } from './history-input.ts'
import type { TapeInput } from './tape-input.ts'
import { WorkerRowSink } from './writing/worker-row-sink.ts'

/**
 * Casts the world of a tape and a seed into a new file.
 *
 * It holds its thread: where others wait for the thread, it is called in one of its own. What
 * cannot be cast or written is a UserError.
 *
 * @param report called now and then with the number of the tape's events that are done
 * @param recorded candles for the time before the tape
 * @param historyMs how long the history is, whole days; 30 days when left out
 */
export async function castFile(
  tape: TapeInput,
  seed: string,
  file: string,
  report: (events: number) => void = () => {},
  recorded: RecordedHistory = NO_HISTORY,
  historyMs?: number,
): Promise<void> {
  const rows = new WorkerRowSink(file)
  try {
    await castWorld(tape, seed, rows, report, recorded, historyMs)
  } finally {
    rows.close()
  }
}
