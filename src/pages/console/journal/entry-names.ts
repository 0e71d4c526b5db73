/** What entries of the journal are called in the page. */
import type { JournalEntry } from '../../../clients/control/records.ts'

const CHANNEL = /"(?:channel|type)"\s*:\s*"(\w+)"/

/** The channel or type that a frame names; null for none. */
export const channelOf = (text: string): string | null => CHANNEL.exec(text)?.[1] ?? null

/** What an entry is about, in one line: an operation, a channel, what has happened. */
export function nameOf(entry: JournalEntry): string {
  switch (entry.kind) {
    case 'request':
      return entry.operation ?? entry.path
    case 'frame':
      return channelOf(entry.text) ?? entry.text.slice(0, 40)
    case 'socket':
      return `${entry.event} ${entry.path}`
    case 'playhead':
      return entry.event
    case 'market':
      return `${entry.subject}: ${entry.event}`
  }
}
