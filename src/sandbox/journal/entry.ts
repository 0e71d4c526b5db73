/** What the journal keeps of requests, frames, the life of sockets, the playhead and the market. */

interface EntryHeader {
  seq: number
  /** Session time and tape time, ms. */
  sessionMs: number
  tapeMs: number
  /** Access key; null for nobody. */
  key: string | null
  /** Rule of the scenario that acted; null for none. */
  rule: string | null
  bytes: number
}

/** A request and its answer. */
export interface RequestEntry extends EntryHeader {
  kind: 'request'
  /** Operation id; null when the path has none. */
  operation: string | null
  method: string
  path: string
  /** As they were sent, signatures struck out; bodies are cut after 2,000 characters. */
  query: string
  body: string
  status: number
  /** The refusal that was given; what it was about, or which magic value of a batch acted. */
  refused: string | null
  subject: string | null
  /**
   * What was answered, cut after 16,000 characters: of refusals always, of the others while
   * somebody follows the journal with their answers. null when it was not kept.
   */
  answer: string | null
  /** Characters of the whole answer. */
  answerLength: number
  /** Time of the machine that it took. */
  durationMs: number
}

/** A frame on a socket. */
export interface FrameEntry extends EntryHeader {
  kind: 'frame'
  direction: 'in' | 'out'
  /** Number of the connection within the sandbox. */
  connection: number
  path: string
  /** Cut after 2,000 characters. */
  text: string
}

/** A socket that was opened, refused, closed, or on which a scenario acted. */
export interface SocketEntry extends EntryHeader {
  kind: 'socket'
  event: 'opened' | 'refused' | 'closed' | 'fault'
  /** null for one that was refused. */
  connection: number | null
  path: string
  /** HTTP status of a refusal, or close code. */
  status: number | null
  refused: string | null
  /** Why it was closed, or what was done to it. */
  subject: string | null
}

/**
 * The playhead begins to fall behind its speed, its speed is followed again, it begins the tape
 * anew, or it was set to another place.
 */
export interface PlayheadEntry extends EntryHeader {
  kind: 'playhead'
  event: 'behind' | 'followed' | 'lap' | 'seek'
  /** Session time that it is behind, ms. */
  lagMs: number
}

/** The market was told to do something, begins it, or has done it. `rule` names a scenario. */
export interface MarketEntry extends EntryHeader {
  kind: 'market'
  event: 'asked' | 'begun' | 'ended'
  /** Number of the market event within the sandbox. */
  id: number
  /** What it is, such as `move of BTC`. */
  subject: string
}

export type JournalEntry = RequestEntry | FrameEntry | SocketEntry | PlayheadEntry | MarketEntry

/** Every sort of entry. */
export const ENTRY_KINDS = ['request', 'frame', 'socket', 'playhead', 'market'] as const

/** Bytes of an entry besides its texts. */
export const ENTRY_OVERHEAD_BYTES = 160

/** Characters of an answer that are kept. */
export const ENTRY_ANSWER_MAX = 16_000

/** Characters of a text that are kept. */
export const ENTRY_TEXT_MAX = 2_000

/** The beginning of a text as a text of its own: a slice would hold on to the whole. */
export const beginningOf = (text: string, length: number): string =>
  text.length <= length ? text : Buffer.from(text.slice(0, length)).toString()

/** The same text without what a signature would be forged by. */
export function withoutSecrets(text: string): string {
  return text
    .replace(/(Signature=)[^&]*/gi, '$1…')
    .replace(/("Signature"\s*:\s*")[^"]*/gi, '$1…')
    .replace(/("secret_key"\s*:\s*")[^"]*/gi, '$1…')
}
