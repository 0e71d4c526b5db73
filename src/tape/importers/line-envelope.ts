import { UserError } from '../../user-error.ts'
import type { UnknownRecord } from '../unknown-record.ts'
import { readTimeMs } from './time-text.ts'

/** A line of a collector: a frame of the exchange with the local clock, or a break between them. */
export interface EnvelopedFrame {
  /** null where the line does not say when the frame came. */
  localMs: number | null
  frame: UnknownRecord
  /** True where the collector was disconnected; `frame` is empty then. */
  isGap: boolean
}

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
export function readEnvelope(line: string): EnvelopedFrame {
  const space = clockEnd(line)
  if (space > 0)
    return { localMs: clockMs(line, space), frame: parsed(line, space + 1), isGap: false }
  const text = line.trim()
  if (text === '') return { localMs: null, frame: {}, isGap: true }
  if (text.startsWith('{')) return unwrapped(parsed(text, 0))
  const iso = /^(\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)\s+(?=\{)/.exec(text)
  if (!iso) throw new UserError('is not "<local clock, ns> <JSON frame>", and no JSON object')
  const [whole, time = ''] = iso
  return { localMs: readTimeMs(time, 'auto'), frame: parsed(text, whole.length), isGap: false }
}

const [ZERO, NINE, SPACE, BRACE] = [48, 57, 32, 123]

/** Where the space behind a clock of 13 to 19 digits is, with a frame behind it; 0 for none. */
function clockEnd(line: string): number {
  let at = 0
  while (at < 20 && line.charCodeAt(at) >= ZERO && line.charCodeAt(at) <= NINE) at++
  const isClock = at >= 13 && at < 20
  return isClock && line.charCodeAt(at) === SPACE && line.charCodeAt(at + 1) === BRACE ? at : 0
}

/** Nanoseconds, as most collectors have it, are cut without the cost of telling units apart. */
function clockMs(line: string, end: number): number {
  if (end < 18) return readTimeMs(line.slice(0, end), 'auto')
  let ms = 0
  for (let at = 0; at < end - 6; at++) ms = ms * 10 + (line.charCodeAt(at) - ZERO)
  return ms
}

function unwrapped(record: UnknownRecord): EnvelopedFrame {
  if (isNative(record)) return { localMs: null, frame: record, isGap: false }
  const localMs = timeIn(record)
  for (const field of FRAME_FIELDS) {
    const value = record[field]
    if (typeof value === 'string' && value.startsWith('{'))
      return { localMs, frame: parsed(value, 0), isGap: false }
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

function parsed(line: string, from: number): UnknownRecord {
  let frame: unknown
  try {
    frame = JSON.parse(from === 0 ? line : line.slice(from))
  } catch {
    throw new UserError('has a frame that is not whole JSON')
  }
  if (typeof frame === 'object' && frame !== null) return frame as UnknownRecord
  throw new UserError('has a frame that is no object')
}
