/** The journal as server-sent events. */
import type { JournalEntry } from '../sandbox/journal/entry.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import {
  type JournalFilterFields,
  journalEntryView,
  matchesFilter,
  matchingEntries,
} from './journal-records.ts'

/** Entries that a slow reader may leave waiting. */
const QUEUE_MAX = 10_000

/** What is there after `since`, then what comes; ends when the sandbox is dropped or reset. */
export function journalStream(
  sandbox: Sandbox,
  filter: JournalFilterFields,
): ReadableStream<string> {
  let release = () => {}
  return new ReadableStream<string>(
    {
      start(controller) {
        let missed = 0
        const send = (entry: JournalEntry) => {
          if ((controller.desiredSize ?? 0) <= 0) {
            missed++
            return
          }
          if (missed > 0) controller.enqueue(`event: dropped\ndata: ${missed}\n\n`)
          missed = 0
          controller.enqueue(eventOf(entry))
        }
        if (filter.since !== undefined)
          for (const entry of matchingEntries(sandbox.journal, filter)) send(entry)
        const removeListener = sandbox.journal.listen((entry) => {
          if (matchesFilter(entry, filter)) send(entry)
        })
        const removeStopListener = sandbox.onStop(() => {
          release()
          controller.close()
        })
        release = () => {
          removeListener()
          removeStopListener()
        }
        // A first line tells the reader that the stream is open.
        controller.enqueue(': the journal\n\n')
      },
      cancel: () => release(),
    },
    { highWaterMark: QUEUE_MAX },
  )
}

const eventOf = (entry: JournalEntry) =>
  `id: ${entry.seq}\ndata: ${JSON.stringify(journalEntryView(entry))}\n\n`
