import { UserError } from '../../platform/user-error.ts'
import type { Importer, ImportOptions, RecordingReader } from '../importers/importer.ts'
import { LeftOut } from '../importers/left-out.ts'
import { readTimeMs } from '../importers/time-text.ts'
import type { EventDraft, Instrument } from '../tape-event.ts'
import { excerptOf, type UnknownRecord } from '../unknown-record.ts'
import type { SecretRemover } from './har-document.ts'
import { type HarStep, object } from './har-steps.ts'

/**
 * A HAR document becomes a recording: exchanges, sockets and their messages, secrets removed.
 *
 * `tape normalise` makes a market of it.
 */
export const har: Importer = {
  name: 'har',
  order: 'merged',
  container: 'har',
  recognises: ({ container }) => container === 'har',
  createReader: (options) => new HarReader(options),
}

/** Headers that say how bytes were sent, or hold nothing but secrets. */
const NOT_KEPT = new Set([
  ...['connection', 'content-encoding', 'content-length', 'keep-alive', 'transfer-encoding'],
  ...['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key', 'upgrade'],
])

class HarReader implements RecordingReader {
  readonly leftOut = new LeftOut()
  private readonly secrets: SecretRemover

  constructor({ secrets }: ImportOptions) {
    if (secrets === null) throw new Error('a HAR document is imported with something for secrets')
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
