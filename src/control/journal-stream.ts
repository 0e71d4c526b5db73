/** The journal as server-sent events. */
import type { Entry } from '../sandbox/journal/entry.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { entryView, type Filter, fits, fitting } from './journal-records.ts'

/** Entries that a slow reader may leave waiting. */
const WAITING_MOST = 10_000

/** What is there after `since`, then what comes; ends when the sandbox is dropped or reset. */
export function journalStream(sandbox: Sandbox, filter: Filter): ReadableStream<string> {
  let release = () => {}
  return new ReadableStream<string>(
    {
      start(controller) {
        let missed = 0
        const send = (entry: Entry) => {
          if ((controller.desiredSize ?? 0) <= 0) {
            missed++
            return
          }
          if (missed > 0) controller.enqueue(`event: dropped\ndata: ${missed}\n\n`)
          missed = 0
          controller.enqueue(eventOf(entry))
        }
        if (filter.since !== undefined)
          for (const entry of fitting(sandbox.journal, filter)) send(entry)
        const silence = sandbox.journal.listen((entry) => {
          if (fits(entry, filter)) send(entry)
        })
        const forget = sandbox.whenDropped(() => {
          release()
          controller.close()
        })
        release = () => {
          silence()
          forget()
        }
        // A first line tells the reader that it is heard.
        controller.enqueue(': the journal\n\n')
      },
      cancel: () => release(),
    },
    { highWaterMark: WAITING_MOST },
  )
}

const eventOf = (entry: Entry) => `id: ${entry.seq}\ndata: ${JSON.stringify(entryView(entry))}\n\n`
