import { isUtf8 } from 'node:buffer'
import { UserError } from '../../platform/user-error.ts'
import type { UnknownRecord } from '../recorded-data.ts'
import { textLines } from '../text-lines.ts'
import { clockMs, readTimeMs } from './csv-cells.ts'

/** A line of a recording: a JSON object, perhaps after a clock, or else its text. */
export type RecordedLine = ParsedLine | string

/** A line with a JSON object, parsed together with its neighbours. */
export interface ParsedLine {
  /** null without a clock before it. */
  clockMs: number | null
  value: UnknownRecord
}

/**
 * Parses lines in one batch where each is an object: one by one takes half as long again.
 *
 * If any line is different or invalid, all are returned as texts, so that each is read, and
 * refused, by itself.
 */
export function recordedLines(bytes: Buffer, name: string, first: number): RecordedLine[] {
  return parsedLines(bytes) ?? textLines(bytes, name, first)
}

const [NEWLINE, SPACE, ZERO, NINE, BRACE] = [10, 32, 48, 57, 123]

function parsedLines(bytes: Buffer): ParsedLine[] | null {
  const clocks: (number | null)[] = []
  // A copy: if a line is no object, the original bytes are needed.
  const objects = Buffer.from(bytes)
  for (let at = 0; at <= bytes.length; ) {
    const start = clockEnd(bytes, at)
    if (bytes[start] !== BRACE) return null
    const timeMs = start === at ? null : clockMs(bytes, at, start - 1)
    if (timeMs === null && start > at) return null
    clocks.push(timeMs)
    objects.fill(SPACE, at, start)
    const end = bytes.indexOf(NEWLINE, start)
    at = end < 0 ? bytes.length + 1 : end + 1
  }
  const { values, done } = Bun.JSONL.parseChunk(objects)
  if (!done || values.length !== clocks.length || !isUtf8(bytes)) return null
  return clocks.map((clockMs, line) => ({ clockMs, value: values[line] as UnknownRecord }))
}

/** Offset after a clock of 13 to 19 digits; the start of a line without one. */
function clockEnd(bytes: Buffer, start: number): number {
  let at = start
  while (isDigit(bytes[at] ?? 0)) at++
  const isClock = at - start >= 13 && at - start <= 19 && bytes[at] === SPACE
  return isClock ? at + 1 : start
}

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE

/** A collector's line: a frame of the exchange with the local clock, or a break between frames. */
interface EnvelopedFrame {
  /** null where the line has no arrival time. */
  localMs: number | null
  frame: UnknownRecord
  /** True at a disconnect of the collector; `frame` is empty then. */
  isGap: boolean
  /** True for the venue's greeting, which has no data; `frame` is empty then. */
  isGreeting?: true
}

/** The venue's first socket message, as text, perhaps after a clock. */
const GREETING = /^(?:[\dT:.Z-]+\s+)?"?websocket connection established\.?"?$/i

/** Whether a line is the venue's greeting. */
export const isGreeting = (line: string): boolean =>
  line.length < GREETING_LETTERS && GREETING.test(line.trim())

const GREETING_LETTERS = 100

/** Reason under which greetings are counted. */
export const GREETED = 'greeting of the venue'

/** Field names of the arrival time. */
const TIME_FIELDS = [
  ...['local_timestamp', 'localTimestamp', 'received_at', 'receivedAt', 'recv_ts', 'recv_time'],
  ...['received', 'recv', 'local_time', 'localTime', 'ts', 'timestamp', 'time', 't'],
]
/** Field names of the frame, a text or an object. */
const FRAME_FIELDS = ['raw', 'msg', 'message', 'frame', 'payload', 'data', 'text']
/** Field names of a connection event, and its values. */
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

/** A clock of 13 to 19 digits, or in ISO 8601, before a frame. */
const CLOCK = /^(?:(\d{13,19}) |(\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)\s+)(?=\{)/

/** Fields that say what an exchange's answer to a command is. */
const COMMAND_FIELDS = ['event', 'op', 'type', 'method', 'channel', 'action', 'e']
const ACKNOWLEDGED =
  /^(?:(?:un)?subscri\w*|(?:system)?status|heartbeats?|welcome|ping|pong|ack|login|connected)$/i

/** Whether a line is an exchange's answer to a command, which says nothing of a recording. */
export function isAcknowledgement(line: string): boolean {
  if (!line.startsWith('{') || line.length > ACKNOWLEDGEMENT_MAX) return false
  const record = recordOf(line)
  if (record === null) return false
  if ('result' in record && record.result === null) return true
  return COMMAND_FIELDS.some((field) => ACKNOWLEDGED.test(String(record[field] ?? '')))
}

const ACKNOWLEDGEMENT_MAX = 4096

function recordOf(line: string): UnknownRecord | null {
  try {
    return JSON.parse(line) as UnknownRecord
  } catch {
    return null
  }
}

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

/** An exchange's own frame shares field names with envelopes: `data`, and a time `E` or `T`. */
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
