/** The first line and the header lines of an HTTP/1.1 message; letters are bytes. */
import { isUtf8 } from 'node:buffer'
import { MessageFlaw } from './message-flaw.ts'

export interface MessageHead {
  first: string
  /** Header lines in order, as they came. */
  fields: readonly HeaderField[]
}

export interface HeaderField {
  /** In lower case. */
  name: string
  value: string
  line: string
}

/** Bytes that a head may have. */
export const HEAD_BYTES_MAX = 64 * 1024

const END = Buffer.from('\r\n\r\n')

/**
 * Where the head at the start of these bytes ends; null when it has not all come. A line that ends
 * without a carriage return is a flaw at once: its head would never end (RFC 9112, 2.2).
 */
export function headEnd(bytes: Buffer): number | null {
  const at = bytes.indexOf(END)
  const end = at < 0 ? bytes.length : at + END.length
  if (end > HEAD_BYTES_MAX)
    throw new MessageFlaw(`sent a head of more than ${HEAD_BYTES_MAX / 1024} KiB`)
  checkLineEnds(bytes, end)
  return at < 0 ? null : end
}

function checkLineEnds(bytes: Buffer, end: number): void {
  for (let at = bytes.indexOf(LF); at >= 0 && at < end; at = bytes.indexOf(LF, at + 1))
    if (bytes[at - 1] !== CR) throw new MessageFlaw('sent a line of a head that ends in LF alone')
}

const [LF, CR] = [10, 13]

/** Reads a whole head, which ends in an empty line. */
export function readHead(bytes: Buffer): MessageHead {
  const [first = '', ...lines] = bytes.toString('latin1').slice(0, -END.length).split('\r\n')
  // Whoever reads it after us may take it for the end of a line (RFC 9112, 2.2).
  if ([first, ...lines].some((line) => line.includes('\r')))
    throw new MessageFlaw('sent a head with a CR alone in a line')
  return { first, fields: lines.map(readField) }
}

/** The bytes of a head. */
export const headBytes = ({ first, fields }: MessageHead): Buffer =>
  Buffer.from([first, ...fields.map(({ line }) => line), '', ''].join('\r\n'), 'latin1')

/** A part of a head as text: letters where its bytes are UTF-8, else a letter for each byte. */
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

/** The values of a header joined by commas; null where it is not there. */
export function headerValue({ fields }: MessageHead, name: string): string | null {
  const found = fields.filter((field) => field.name === name)
  return found.length === 0 ? null : found.map(({ value }) => value).join(', ')
}

/** Without spaces and tabs around it; other bytes may be parts of a letter. */
const trimmed = (value: string): string => value.replace(/^[ \t]+|[ \t]+$/g, '')

function readField(line: string): HeaderField {
  const colon = line.indexOf(':')
  const name = line.slice(0, Math.max(0, colon))
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
    throw new MessageFlaw('sent a header line without a name')
  return { name: name.toLowerCase(), value: trimmed(line.slice(colon + 1)), line }
}
