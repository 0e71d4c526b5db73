/** A response that a rule writes itself: its fields, and what HTTP cannot carry of them. */
import { Type } from '../../contract/schema.ts'
import type { PlainResponse } from './fault.ts'

/** A body that a rule gives: text as it is, and anything else as JSON. */
export const plainBody = (
  body: unknown,
  type: string | undefined,
): Pick<PlainResponse, 'body' | 'contentType'> =>
  typeof body === 'string'
    ? { body, contentType: type ?? 'text/plain; charset=utf-8' }
    : { body: JSON.stringify(body ?? null), contentType: type ?? JSON_TYPE }

const JSON_TYPE = 'application/json; charset=utf-8'

export const ContentTypeField = Type.String({ maxLength: 200, description: 'content type' })

export const HeadersField = Type.Record(Type.String(), Type.String(), {
  maxProperties: 50,
  description: 'headers by name, such as `{"retry-after": "5"}`',
})

/** Of what a rule writes, the parts that HTTP has a form for. */
interface WrittenHead {
  type?: string | undefined
  headers?: Readonly<Record<string, string>> | undefined
}

/**
 * Why HTTP cannot carry them, as the continuation of "the settings …"; null when it can. Names are
 * tokens and values fields of RFC 9110 (5.6.2, 5.5); those of the message's length and connection
 * are the server's.
 */
export function headFlaw({ type, headers = {} }: WrittenHead): string | null {
  if (type !== undefined && !isFieldValue(type))
    return 'has a type that is no header value: printable characters on one line are'
  const seen = new Set<string>()
  for (const [name, value] of Object.entries(headers)) {
    const shown = JSON.stringify(name.slice(0, 100))
    if (!TOKEN.test(name))
      return `has a header ${shown}, which is no header name: letters, digits and "-" are`
    if (seen.size === seen.add(name.toLowerCase()).size)
      return `has a header ${shown} twice: names differ by more than their case`
    if (FRAMING.has(name.toLowerCase()))
      return `has a header ${shown}, which the server writes itself: leave it out`
    if (!isFieldValue(value))
      return `has a value of ${shown} that is no header value: printable characters on one line are`
  }
  const length = Object.entries(headers).reduce((sum, one) => sum + one.join().length, 0)
  return length > HEADERS_LENGTH
    ? `has headers of ${length} characters, at most ${HEADERS_LENGTH}`
    : null
}

/** What clients take of a head: many refuse more. */
const HEADERS_LENGTH = 8 << 10

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
const isFieldValue = (value: string) => FIELD_VALUE.test(value)

const FRAMING = new Set([
  ...['connection', 'content-length', 'keep-alive', 'proxy-connection', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade'],
])
