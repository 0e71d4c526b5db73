/** Entries of the journal with the fields of their kinds, as the control plane sends them. */
import type { JournalEntry as Sent } from '../../control-client/records.ts'

interface Header {
  seq: number
  sessionMs: number
  tapeMs: number
  key: string | null
  rule: string | null
}

export interface RequestEntry extends Header {
  kind: 'request'
  operation: string | null
  method: string
  path: string
  query: string
  body: string
  status: number
  refused: string | null
  subject: string | null
  answer: string | null
  answerLength: number
  durationMs: number
}

export interface FrameEntry extends Header {
  kind: 'frame'
  direction: 'in' | 'out'
  connection: number
  path: string
  text: string
}

export interface SocketEntry extends Header {
  kind: 'socket'
  event: 'opened' | 'refused' | 'closed' | 'fault'
  connection: number | null
  path: string
  status: number | null
  refused: string | null
  subject: string | null
}

interface PlayheadEntry extends Header {
  kind: 'playhead'
  event: 'behind' | 'followed' | 'lap' | 'seek'
  lagMs: number
}

interface MarketEntry extends Header {
  kind: 'market'
  event: 'asked' | 'begun' | 'ended'
  id: number
  subject: string
}

export type Entry = RequestEntry | FrameEntry | SocketEntry | PlayheadEntry | MarketEntry

/** What was sent, as what it is. */
export const entryOf = (sent: Sent): Entry => sent as object as Entry

const CHANNEL = /"(?:channel|type)"\s*:\s*"(\w+)"/

/** The channel or type that a frame names; null for none. */
export const channelOf = (text: string): string | null => CHANNEL.exec(text)?.[1] ?? null

/** What an entry is about, in one line: an operation, a channel, what has happened. */
export function nameOf(entry: Entry): string {
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
