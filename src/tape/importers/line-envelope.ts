import { UserError } from '../../platform/user-error.ts'
import type { UnknownRecord } from '../unknown-record.ts'
import type { RecordedLine } from './recorded-line.ts'
import { readTimeMs } from './time-text.ts'

/** A line of a collector: a frame of the exchange with the local clock, or a break between them. */
export interface EnvelopedFrame {
  /** null where the line does not say when the frame came. */
  localMs: number | null
  frame: UnknownRecord
  /** True where the collector was disconnected; `frame` is empty then. */
  isGap: boolean
  /** True of the venue's greeting, which tells nothing; `frame` is empty then. */
  isGreeting?: true
}

/** What the perpetual venue sends first on a socket, as text, perhaps behind a clock. */
const GREETING = /^(?:[\dT:.Z-]+\s+)?"?websocket connection established\.?"?$/i

/** Whether a line is the venue's greeting. */
export const isGreeting = (line: string): boolean =>
  line.length < GREETING_LETTERS && GREETING.test(line.trim())

const GREETING_LETTERS = 100

/** What greetings are counted as. */
export const GREETED = 'greeting of the venue'

/** What collectors call the time at which a frame came. */
const TIME_FIELDS = [
  ...['local_timestamp', 'localTimestamp', 'received_at', 'receivedAt', 'recv_ts', 'recv_time'],
  ...['received', 'recv', 'local_time', 'localTime', 'ts', 'timestamp', 'time', 't'],
]
/** What they call the frame, a text or an object. */
const FRAME_FIELDS = ['raw', 'msg', 'message', 'frame', 'payload', 'data', 'text']
/** What they call what happened to the connection, and what happens to it. */
const EVENT_FIELDS = ['event', 'type', 'status', 'kind', 'op']
const GAP_WORDS = /^(?:dis|re)?-?connect(?:ed|ion)?(?:[_ -](?:lost|closed))?$|^gap$|^closed?$/i

/**
 * Reads a line of frames: `<clock> <frame>` with the clock in ns, µs or ms or as ISO 8601, a bare
 * frame, or an object with a time and a frame. An empty line is a disconnect, as is an object that
 * says so. Anything else is a `UserError`.
 */
export function readEnvelope(line: RecordedLine): EnvelopedFrame {
  if (typeof line !== 'string')
    return line.clockMs === null
      ? unwrapped(line.value)
      : { localMs: line.clockMs, frame: line.value, isGap: false }
  const text = line.trim()
  if (text === '') return { localMs: null, frame: {}, isGap: true }
  if (text.startsWith('{')) return unwrapped(parsed(text))
  if (isGreeting(text)) return { localMs: null, frame: {}, isGap: false, isGreeting: true }
  const clock = CLOCK.exec(text)
  if (!clock) throw new UserError('is not "<local clock, ns> <JSON frame>", and no JSON object')
  const [whole, counted, iso = ''] = clock
  const localMs = counted ? readTimeMs(counted, 'auto') : readTimeMs(iso, 'iso')
  return { localMs, frame: parsed(text.slice(whole.length)), isGap: false }
}

/** A clock of 13 to 19 digits, or one as ISO 8601, before a frame. */
const CLOCK = /^(?:(\d{13,19}) |(\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)\s+)(?=\{)/

function unwrapped(record: UnknownRecord): EnvelopedFrame {
  if (isNative(record)) return { localMs: null, frame: record, isGap: false }
  const localMs = timeIn(record)
  for (const field of FRAME_FIELDS) {
    const value = record[field]
    if (typeof value === 'string' && value.startsWith('{'))
      return { localMs, frame: parsed(value), isGap: false }
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { localMs, frame: value as UnknownRecord, isGap: false }
  }
  const isGap = EVENT_FIELDS.some((field) => GAP_WORDS.test(String(record[field] ?? '')))
  return isGap ? { localMs, frame: {}, isGap } : { localMs: null, frame: record, isGap: false }
}

/** An exchange's own frame has fields that envelopes have too: `data`, and a time `E` or `T`. */
const isNative = (record: UnknownRecord): boolean =>
  ['channel', 'stream', 'lastUpdateId', 'e', 'u'].some((field) => record[field] !== undefined)

function timeIn(record: UnknownRecord): number | null {
  for (const field of TIME_FIELDS) {
    const value = record[field]
    if (typeof value !== 'number' && typeof value !== 'string') continue
    return readTimeMs(String(value), 'auto')
  }
  return null
}

function parsed(text: string): UnknownRecord {
  try {
    return JSON.parse(text) as UnknownRecord
  } catch {
    throw new UserError('has a frame that is not whole JSON')
  }
}
