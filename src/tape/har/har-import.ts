import { UserError } from '../../platform/user-error.ts'
import { LeftOut } from '../importers/bad-rows.ts'
import { readTimeMs } from '../importers/csv-cells.ts'
import type { Importer, ImportOptions, RecordingReader } from '../importers/importer.ts'
import { excerptOf, type UnknownRecord } from '../recorded-data.ts'
import type { EventDraft, Instrument } from '../tape-event.ts'

/**
 * Recorded parts of a HAR document: HTTP Archive 1.2, with socket messages as browsers add them.
 *
 * @see http://www.softwareishard.com/blog/har-12-spec/
 * @see https://developer.chrome.com/blog/new-in-devtools-76#websocket
 */
export interface HarDocument {
  log: { version: string; creator: { name: string; version: string }; entries: HarEntry[] }
}

export interface HarHeader {
  name: string
  value: string
}

export interface HarEntry {
  /** ISO 8601. */
  startedDateTime: string
  /** Duration, ms. */
  time: number
  request: {
    method: string
    url: string
    httpVersion: string
    headers: HarHeader[]
    queryString: HarHeader[]
    cookies: never[]
    headersSize: number
    bodySize: number
    postData?: { mimeType: string; text: string; comment?: string }
  }
  response: {
    status: number
    statusText: string
    httpVersion: string
    headers: HarHeader[]
    cookies: never[]
    content: { size: number; mimeType: string; text?: string; encoding?: 'base64' }
    redirectURL: string
    headersSize: number
    bodySize: number
  }
  cache: object
  timings: { send: number; wait: number; receive: number }
  _resourceType?: string
  _webSocketMessages?: HarMessage[]
}

/** A socket message. */
export interface HarMessage {
  type: 'send' | 'receive' | 'error'
  /** Seconds since 1970. */
  time: number
  /** 1 for text; the data of others is base64. */
  opcode: number
  data: string
}

/** Removes secrets from recorded data. */
export interface SecretRemover {
  /** A path with its query. */
  url(target: string): string
  text(text: string): string
  isSecretName(name: string): boolean
}

/** A step of a HAR document in order of time. */
export interface HarStep {
  /** Number of its entry in the document, from 1. */
  entry: number
  timeMs: number
  kind: 'exchange' | 'open' | 'message'
  /** The entry, or the message. */
  data: UnknownRecord
}

/**
 * The steps of all entries in order of time: exchanges at their end, socket messages at their time.
 */
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
    const durationMs = typeof entry.time === 'number' && entry.time > 0 ? entry.time : 0
    return [
      { entry: at, timeMs: Math.floor(startedMs + durationMs), kind: 'exchange', data: entry },
    ]
  }
  const frameSteps = messages.map((message): HarStep => {
    const data = object(message, 'a message')
    const timeMs = readTimeMs(String(data.time ?? ''), 's')
    return { entry: at, timeMs: Math.max(startedMs, timeMs), kind: 'message', data }
  })
  return [{ entry: at, timeMs: startedMs, kind: 'open', data: entry }, ...frameSteps]
}

/** An object of a document; a `UserError` that shows any other value. */
function object(value: unknown, what: string): UnknownRecord {
  if (typeof value === 'object' && value !== null) return value as UnknownRecord
  throw new UserError(`has ${excerptOf(value)} where ${what} belongs`)
}

/**
 * Converts a HAR document to a recording: exchanges, sockets and their messages, secrets removed.
 *
 * `tape normalise` turns it into a market.
 */
export const har: Importer = {
  name: 'har',
  order: 'merged',
  container: 'har',
  recognises: ({ container }) => container === 'har',
  createReader: (options) => new HarReader(options),
}

/** Headers of the transfer, and headers that contain only secrets. */
const NOT_KEPT = new Set([
  ...['connection', 'content-encoding', 'content-length', 'keep-alive', 'transfer-encoding'],
  ...['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key', 'upgrade'],
])

class HarReader implements RecordingReader {
  readonly leftOut = new LeftOut()
  private readonly secrets: SecretRemover

  constructor({ secrets }: ImportOptions) {
    if (secrets === null) throw new Error('importing a HAR document needs a secret remover')
    this.secrets = secrets
  }

  record({ kind, data, entry, timeMs }: HarStep): EventDraft[] {
    if (kind === 'message') return this.message(data, entry, timeMs)
    const request = object(data.request, 'a request')
    const address = /^(?:https?|wss?):\/\/[^/?#]*([^#]*)/i.exec(String(request.url ?? ''))
    if (!address) {
      this.leftOut.count('entry of another kind than http and ws')
      return []
    }
    const url = this.secrets.url(address[1]?.startsWith('/') ? address[1] : `/${address[1]}`)
    const startedMs = readTimeMs(String(data.startedDateTime), 'iso')
    const requestHeaders = this.headers(request.headers)
    const response = object(data.response, 'a response')
    if (kind === 'exchange')
      return this.exchange(request, response, { url, startedMs, timeMs, requestHeaders })
    const offered = headerIn(request.headers, 'sec-websocket-protocol')
    const protocol = headerIn(response.headers, 'sec-websocket-protocol')
    const protocols = offered === null ? [] : offered.split(',').map((one) => one.trim())
    const opened = { connection: entry, event: 'open', startedMs, url, requestHeaders } as const
    return [
      { time: timeMs, kind: 'connection', coin: '', data: { ...opened, protocols, protocol } },
    ]
  }

  end(): EventDraft[] {
    return []
  }

  instruments(): Instrument[] {
    return []
  }

  private exchange(
    { method, postData }: UnknownRecord,
    { status, headers, content }: UnknownRecord,
    about: {
      url: string
      startedMs: number
      timeMs: number
      requestHeaders: Record<string, string>
    },
  ): EventDraft[] {
    if (typeof status !== 'number' || status === 0) {
      this.leftOut.count('request without an answer')
      return []
    }
    const { text: said } = (postData ?? {}) as UnknownRecord
    const body = this.body((content ?? {}) as UnknownRecord)
    const { url, startedMs, timeMs: time, requestHeaders } = about
    const data = {
      ...body,
      startedMs,
      method: String(method),
      url,
      requestHeaders,
      requestBody: typeof said === 'string' ? this.secrets.text(said) : '',
      status,
      headers: this.headers(headers),
    }
    return [{ time, kind: 'exchange', coin: '', data } as EventDraft]
  }

  private body({ text, encoding, size }: UnknownRecord) {
    if (typeof text !== 'string')
      return {
        responseBody: '',
        ...(size === 0 ? {} : { error: 'the HAR document has not kept the body' }),
      }
    if (encoding !== 'base64') return { responseBody: this.secrets.text(text) }
    const plain = textIn(Buffer.from(text, 'base64'))
    return plain === null ? { responseBase64: text } : { responseBody: this.secrets.text(plain) }
  }

  private message(
    { type, opcode, data }: UnknownRecord,
    entry: number,
    time: number,
  ): EventDraft[] {
    if (typeof data !== 'string') throw new UserError(`has a message of ${excerptOf(data)}`)
    if (type === 'error') {
      const message = this.secrets.text(data)
      const failed = { connection: entry, event: 'error', message } as const
      return [{ time, kind: 'connection', coin: '', data: failed }]
    }
    if (type !== 'send' && type !== 'receive')
      throw new UserError(`has a message of type ${excerptOf(type)}, known: send and receive`)
    const direction = type === 'send' ? 'in' : 'out'
    const content = opcode === 2 ? { base64: data } : { text: this.secrets.text(data) }
    return [{ time, kind: 'frame', coin: '', data: { connection: entry, direction, ...content } }]
  }

  private headers(given: unknown): Record<string, string> {
    const kept = headersIn(given).filter(
      ([name]) => !NOT_KEPT.has(name) && !name.startsWith(':') && !this.secrets.isSecretName(name),
    )
    return Object.fromEntries(kept.map(([name, value]) => [name, this.secrets.text(value)]))
  }
}

function headersIn(given: unknown): [name: string, value: string][] {
  if (!Array.isArray(given)) return []
  return given.map((one) => {
    const { name, value } = object(one, 'a header')
    return [String(name).toLowerCase(), String(value)]
  })
}

const headerIn = (given: unknown, wanted: string): string | null =>
  headersIn(given).find(([name]) => name === wanted)?.[1] ?? null

function textIn(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
