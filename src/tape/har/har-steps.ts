import { UserError } from '../../platform/user-error.ts'
import { readTimeMs } from '../importers/time-text.ts'
import { excerptOf, type UnknownRecord } from '../unknown-record.ts'

/** What happened in a HAR document, one thing after the other. */
export interface HarStep {
  /** Which entry of the document, from 1. */
  entry: number
  timeMs: number
  kind: 'exchange' | 'open' | 'message'
  /** The entry, or the message. */
  data: UnknownRecord
}

/** The steps of all entries in order of time: exchanges when they end, sockets as they go on. */
export function harSteps(document: unknown): HarStep[] {
  const { log } = object(document, 'the document')
  const { entries } = object(log, 'log')
  if (!Array.isArray(entries)) throw new UserError('has no list of entries in its log')
  const steps = entries.flatMap((entry, at) => {
    try {
      return entrySteps(object(entry, 'an entry'), at + 1)
    } catch (error) {
      if (error instanceof UserError) throw new UserError(`entry ${at + 1} ${error.message}`)
      throw error
    }
  })
  return steps.sort((a, b) => a.timeMs - b.timeMs)
}

function entrySteps(entry: UnknownRecord, at: number): HarStep[] {
  const startedMs = readTimeMs(String(entry.startedDateTime ?? ''), 'iso')
  const messages = entry._webSocketMessages
  if (!Array.isArray(messages)) {
    const took = typeof entry.time === 'number' && entry.time > 0 ? entry.time : 0
    return [{ entry: at, timeMs: Math.floor(startedMs + took), kind: 'exchange', data: entry }]
  }
  const said = messages.map((message): HarStep => {
    const data = object(message, 'a message')
    const timeMs = readTimeMs(String(data.time ?? ''), 's')
    return { entry: at, timeMs: Math.max(startedMs, timeMs), kind: 'message', data }
  })
  return [{ entry: at, timeMs: startedMs, kind: 'open', data: entry }, ...said]
}

/** An object of a document; a `UserError` says what stands there instead. */
export function object(value: unknown, what: string): UnknownRecord {
  if (typeof value === 'object' && value !== null) return value as UnknownRecord
  throw new UserError(`has ${excerptOf(value)} where ${what} belongs`)
}
