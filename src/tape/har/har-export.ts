import { rename, rm } from 'node:fs/promises'
import { UserError } from '../../platform/user-error.ts'
import type { TapeEvent } from '../tape-event.ts'
import { openTape } from '../tape-reader.ts'
import { TextSink } from '../text-sink.ts'
import type { HarDocument, HarEntry, HarHeader, HarMessage } from './har-import.ts'

/** Socket messages belong to their entry, so they are held until it is written. */
const HELD_CHARS_MAX = 256 * 1024 * 1024

/** Counts of exported entries. */
export interface HarExport {
  entries: number
  messages: number
}

/**
 * Writes the exchanges and sockets of a recording as a HAR document, which browser tools load. A
 * tape without any is a `UserError`. The document gets its name only when it is complete.
 */
export async function exportHar(tape: string, out: string, version: string): Promise<HarExport> {
  const sink = await TextSink.open(out, false)
  try {
    const { entries, messages } = await entriesOf(tape)
    if (entries.length === 0)
      throw new UserError(`${tape}: has no exchange and no socket, which a HAR document is made of`)
    const creator = { name: 'tapewright', version }
    const document: HarDocument = { log: { version: '1.2', creator, entries } }
    const text = JSON.stringify(document, null, 1)
    for (let at = 0; at < text.length; at += 1 << 16)
      await sink.write(text.slice(at, at + (1 << 16)))
    await sink.close()
    await rename(sink.file, out)
    return { entries: entries.length, messages }
  } finally {
    await sink.remove()
    await rm(sink.file, { force: true })
  }
}

async function entriesOf(tape: string): Promise<{ entries: HarEntry[]; messages: number }> {
  const entries: HarEntry[] = []
  const sockets = new Map<number, HarEntry>()
  let [messages, chars] = [0, 0]
  for await (const batch of (await openTape(tape)).events(['exchange', 'connection', 'frame']))
    for (const event of batch) {
      const added = entryOf(event)
      if (added) entries.push(added)
      if (added && event.kind === 'connection') sockets.set(event.data.connection, added)
      const message = messageOf(event)
      if (message === null || event.kind === 'exchange') continue
      const { connection } = event.data as { connection: number }
      chars += message.data.length
      if (chars > HELD_CHARS_MAX)
        throw new UserError(`${tape}: has more than 256 MiB of messages: cut it before (tape cut)`)
      sockets.get(connection)?._webSocketMessages?.push(message)
      messages++
    }
  return { entries, messages }
}

function messageOf(event: TapeEvent): HarMessage | null {
  const time = event.time / 1000
  if (event.kind === 'connection')
    return event.data.event === 'error'
      ? { type: 'error', time, opcode: -1, data: event.data.message }
      : null
  // Browsers do not show control frames either.
  if (event.kind !== 'frame' || event.data.control !== undefined) return null
  const { direction, text, base64 } = event.data
  const type = direction === 'in' ? 'send' : 'receive'
  return { type, time, opcode: text === undefined ? 2 : 1, data: text ?? base64 ?? '' }
}

function entryOf(event: TapeEvent): HarEntry | null {
  if (event.kind === 'exchange') {
    const { method, requestBody, requestBase64, status, headers, startedMs } = event.data
    const entry = bareEntry(event.data, startedMs, event.time - startedMs, 'http')
    entry.request.method = method
    entry.response = { ...entry.response, status, headers: headersOf(headers) }
    entry.response.content = contentOf(event.data)
    const text = requestBody ?? Buffer.from(requestBase64 ?? '', 'base64').toString('latin1')
    const mimeType = event.data.requestHeaders['content-type'] ?? ''
    if (text !== '') entry.request.postData = { mimeType, text }
    return entry
  }
  if (event.kind !== 'connection' || event.data.event !== 'open') return null
  const { startedMs, protocols, protocol } = event.data
  const entry = bareEntry(event.data, startedMs, event.time - startedMs, 'ws')
  const name = 'sec-websocket-protocol'
  if (protocols.length > 0) entry.request.headers.push({ name, value: protocols.join(', ') })
  if (protocol !== null) entry.response.headers.push({ name, value: protocol })
  entry.response.status = 101
  entry._resourceType = 'websocket'
  entry._webSocketMessages = []
  return entry
}

function bareEntry(
  { url, requestHeaders }: { url: string; requestHeaders: Record<string, string> },
  startedMs: number,
  time: number,
  scheme: string,
): HarEntry {
  const host = requestHeaders.host ?? 'localhost'
  const sizes = { headersSize: -1, bodySize: -1 }
  return {
    startedDateTime: new Date(startedMs).toISOString(),
    time,
    request: {
      method: 'GET',
      url: `${scheme}://${host}${url}`,
      httpVersion: 'HTTP/1.1',
      headers: headersOf(requestHeaders),
      queryString: queryOf(url),
      cookies: [],
      headersSize: sizes.headersSize,
      bodySize: sizes.bodySize,
    },
    response: {
      status: 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      headers: [],
      cookies: [],
      content: { size: 0, mimeType: 'x-unknown' },
      redirectURL: '',
      headersSize: sizes.headersSize,
      bodySize: sizes.bodySize,
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
  }
}

type Exchange = Extract<TapeEvent, { kind: 'exchange' }>['data']

function contentOf({ responseBody, responseBase64, headers }: Exchange) {
  const mimeType = headers['content-type'] ?? 'x-unknown'
  if (responseBody !== undefined)
    return { size: Buffer.byteLength(responseBody), mimeType, text: responseBody }
  const text = responseBase64 ?? ''
  return { size: Buffer.from(text, 'base64').length, mimeType, text, encoding: 'base64' as const }
}

const headersOf = (headers: Record<string, string>): HarHeader[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value }))

function queryOf(url: string): HarHeader[] {
  const at = url.indexOf('?')
  if (at < 0) return []
  return [...new URLSearchParams(url.slice(at))].map(([name, value]) => ({ name, value }))
}
