/** First line and header lines of an HTTP/1.1 message; each character is a byte. */
import { isUtf8 } from 'node:buffer'

/** Framing of a message body by its head (RFC 9112, section 6). */
export type BodyFraming =
  | { kind: 'length'; bytes: number }
  | { kind: 'chunked' }
  /** Until the connection ends. */
  | { kind: 'close' }

const EMPTY: BodyFraming = { kind: 'length', bytes: 0 }

/** Framing of a request: without a length it has no body. */
export const requestFraming = (head: MessageHead): BodyFraming => statedFraming(head) ?? EMPTY

/** Framing of a response, which depends on the request's method. */
export function answerFraming(head: MessageHead, method: string, status: number): BodyFraming {
  if (method === 'HEAD' || status === 204 || status === 304) return EMPTY
  return statedFraming(head) ?? { kind: 'close' }
}

function statedFraming(head: MessageHead): BodyFraming | null {
  const encoding = headerValue(head, 'transfer-encoding')
  const length = headerValue(head, 'content-length')
  if (encoding !== null && length !== null)
    throw new MessageFlaw('states a length and sends chunks all the same')
  if (encoding !== null) {
    if (/(^|,)\s*chunked\s*$/i.test(encoding)) return { kind: 'chunked' }
    throw new MessageFlaw(`uses the transfer encoding "${encoding}", which does not end in chunked`)
  }
  if (length === null) return null
  if (!/^\d{1,15}$/.test(length)) throw new MessageFlaw(`states "${length}" as its length`)
  return { kind: 'length', bytes: Number(length) }
}

/** First lines of requests and responses. */
interface RequestLine {
  method: string
  /** Path and query, byte for byte. */
  target: string
  version: string
}

/** Parses the first line of a request with a path. */
export function requestLine({ first }: MessageHead): RequestLine {
  // Characters are bytes, and some parts of a UTF-8 character would be whitespace otherwise.
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

/** Rejects the preface of an HTTP/2 connection. */
export function checkNoHttp2(bytes: Buffer): void {
  const isOfConnection = bytes.length >= 9 && bytes[0] === 0 && bytes.readUInt32BE(5) === 0
  if (isOfConnection && (bytes[3] === SETTINGS || bytes[3] === GOAWAY))
    throw new MessageFlaw('speaks HTTP/2 alone: only HTTP/1.1 and WebSocket can be recorded')
}

const SETTINGS = 4
const GOAWAY = 7

/** The status of a response. */
export function answerStatus({ first }: MessageHead): number {
  const [, status] = /^HTTP\/1\.[01] ([1-9]\d\d)(?: |$)/.exec(first) ?? []
  if (status === undefined) throw new MessageFlaw('answered with something that is no HTTP/1.1')
  return Number(status)
}

/** A violation of HTTP or WebSocket by one side, in words that follow "it". */
export class MessageFlaw extends Error {}

export interface MessageHead {
  first: string
  /** Header lines in order of arrival. */
  fields: readonly HeaderField[]
}

export interface HeaderField {
  /** In lower case. */
  name: string
  value: string
  line: string
}

/** Maximum bytes of a head. */
const HEAD_BYTES_MAX = 64 * 1024

const END = Buffer.from('\r\n\r\n')

/**
 * End of the head at the start of these bytes; null while it is incomplete. A line that ends
 * without a carriage return is an error at once: its head would never end (RFC 9112, 2.2).
 */
export function headEnd(bytes: Buffer): number | null {
  // Behind a head there may be megabytes, which are not searched.
  const start = bytes.subarray(0, HEAD_BYTES_MAX + 1)
  const at = start.indexOf(END)
  const end = at < 0 ? start.length : at + END.length
  if (end > HEAD_BYTES_MAX)
    throw new MessageFlaw(`sent a head of more than ${HEAD_BYTES_MAX / 1024} KiB`)
  checkLineEnds(start.subarray(0, end))
  return at < 0 ? null : end
}

function checkLineEnds(bytes: Buffer): void {
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1))
    if (bytes[at - 1] !== CR) throw new MessageFlaw('sent a line of a head that ends in LF alone')
}

const [LF, CR] = [10, 13]

/** Parses a whole head, which ends in an empty line. */
export function readHead(bytes: Buffer): MessageHead {
  const [first = '', ...lines] = bytes.toString('latin1').slice(0, -END.length).split('\r\n')
  // A later reader may take it for the end of a line (RFC 9112, 2.2).
  if ([first, ...lines].some((line) => line.includes('\r')))
    throw new MessageFlaw('sent a head with a CR alone in a line')
  return { first, fields: lines.map(readField) }
}

/** The bytes of a head. */
export const headBytes = ({ first, fields }: MessageHead): Buffer =>
  Buffer.from([first, ...fields.map(({ line }) => line), '', ''].join('\r\n'), 'latin1')

/** A part of a head as text: decoded where its bytes are UTF-8, else a character for each byte. */
export function headText(part: string): string {
  const bytes = Buffer.from(part, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : part
}

/** A header line. */
export const headerField = (name: string, value: string): HeaderField => ({
  name: name.toLowerCase(),
  value,
  line: `${name}: ${value}`,
})

/** The values of a header joined by commas; null for a missing one. */
export function headerValue({ fields }: MessageHead, name: string): string | null {
  const found = fields.filter((field) => field.name === name)
  return found.length === 0 ? null : found.map(({ value }) => value).join(', ')
}

/** Trims spaces and tabs only; other bytes may be parts of a character. */
const trimmed = (value: string): string => value.replace(/^[ \t]+|[ \t]+$/g, '')

function readField(line: string): HeaderField {
  const colon = line.indexOf(':')
  const name = line.slice(0, Math.max(0, colon))
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
    throw new MessageFlaw('sent a header line without a name')
  return { name: name.toLowerCase(), value: trimmed(line.slice(colon + 1)), line }
}
