/** The journal as it is written: server-sent events, one by one. */
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import type { JournalEntry } from './records.ts'

/** So many entries had to make room before they could be sent. */
export interface JournalGap {
  kind: 'dropped'
  count: number
}

/** Entries as they come, until the sandbox is dropped or reset; leaving the loop ends the call. */
export async function* journalEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<JournalEntry | JournalGap, void> {
  const waiting: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (event) => waiting.push(event) })
  const decoder = new TextDecoder()
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      parser.feed(decoder.decode(value, { stream: true }))
      for (const event of waiting.splice(0)) yield entryOf(event)
    }
  } finally {
    await reader.cancel()
  }
}

const entryOf = ({ event, data }: EventSourceMessage): JournalEntry | JournalGap =>
  event === 'dropped' ? { kind: 'dropped', count: Number(data) } : JSON.parse(data)
