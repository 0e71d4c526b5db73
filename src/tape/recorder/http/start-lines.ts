/** The first lines of requests and answers. */
import { MessageFlaw } from './message-flaw.ts'
import type { MessageHead } from './message-head.ts'

export interface RequestLine {
  method: string
  /** Path and query, byte for byte. */
  target: string
  version: string
}

/** Reads the first line of a request that asks for a path. */
export function requestLine({ first }: MessageHead): RequestLine {
  // Letters are bytes, and some that are parts of a letter of UTF-8 would be spaces otherwise.
  const found = /^(?<method>[A-Z]+) (?<target>[!-~\x80-\xff]+) (?<version>HTTP\/1\.[01])$/.exec(
    first,
  )
  const { method = '', target = '', version = '' } = found?.groups ?? {}
  if (first === 'PRI * HTTP/2.0')
    throw new MessageFlaw('begins with HTTP/2: have it speak HTTP/1.1, which can be recorded')
  if (!found) throw new MessageFlaw('sent something that is no HTTP/1.1 request')
  if (!target.startsWith('/') && target !== '*')
    throw new MessageFlaw('asks for another host: a recorder is no general proxy')
  return { method, target, version }
}

/** What an HTTP/2 connection begins with: its settings, or why it ends. */
export function checkNoHttp2(bytes: Buffer): void {
  const isOfConnection = bytes.length >= 9 && bytes[0] === 0 && bytes.readUInt32BE(5) === 0
  if (isOfConnection && (bytes[3] === SETTINGS || bytes[3] === GOAWAY))
    throw new MessageFlaw('speaks HTTP/2 alone: only HTTP/1.1 and WebSocket can be recorded')
}

const SETTINGS = 4
const GOAWAY = 7

/** The status of an answer. */
export function answerStatus({ first }: MessageHead): number {
  const [, status] = /^HTTP\/1\.[01] ([1-9]\d\d)(?: |$)/.exec(first) ?? []
  if (status === undefined) throw new MessageFlaw('answered with something that is no HTTP/1.1')
  return Number(status)
}
