/** Command lines that ask something again, for a POSIX shell. */
import { type Asked, type AskedRequest, type AskedSocket, KEY_VARIABLES } from './asked.ts'

/**
 * With curl or websocat; the signature is computed with openssl when it is run.
 *
 * @param by whose keys are to be set, in words
 */
export function shellSample(asked: Asked, by = 'a key and its secret'): string {
  const again = asked.kind === 'request' ? curlLine(asked) : websocatLine(asked)
  if (asked.signedIn === 'nowhere') return again
  const whose = by.replace(/\s+/g, ' ')
  return `# ${KEY_VARIABLES.join(' and ')}: ${whose}\n${signing(asked.ageS)}\n${again}`
}

function signing(ageS: number): string {
  const time = ageS === 0 ? '$(date +%s)' : `$(($(date +%s) - ${ageS}))`
  return (
    `NONCE=$(openssl rand -hex 8) TIME=${time}\n` +
    `SIGNATURE=$(printf 'AccessKeyId=%s&SignatureNonce=%s&Timestamp=%s' "$ACCESS_KEY" "$NONCE" ` +
    `"$TIME" | openssl dgst -sha1 -hmac "$SECRET_KEY" -r | cut -c1-40 | tr -d '\\n' | ` +
    'openssl base64 -A)'
  )
}

/** In a query; Base64 of hexadecimal digits has neither `+` nor `/`. */
const IN_QUERY =
  'AccessKeyId=$ACCESS_KEY&SignatureNonce=$NONCE&Timestamp=$TIME&Signature=$SIGNATURE'

const FIELDS: readonly [string, string][] = [
  ['AccessKeyId', '$ACCESS_KEY'],
  ['SignatureNonce', '$NONCE'],
  ['Timestamp', '$TIME'],
  ['Signature', '$SIGNATURE'],
]

function curlLine(asked: AskedRequest): string {
  const body = bodyText(asked)
  const data = body === null ? '' : ` -H 'content-type: application/json' --data-raw ${body}`
  return `curl -sS -i -X ${asked.method} ${addressText(asked)}${data}`
}

function websocatLine(asked: AskedSocket): string {
  const sent = asked.frames.map((text) => ` ${quoted(text)}`).join('')
  // Without end: what is pushed comes later.
  const input = sent === '' ? 'sleep 60' : `{ printf '%s\\n'${sent}; sleep 60; }`
  return `${input} | websocat ${addressText(asked)}`
}

function addressText({ address, signedIn }: Asked): string {
  if (signedIn !== 'query') return quoted(address)
  return `${quoted(`${address}${address.includes('?') ? '&' : '?'}`)}"${IN_QUERY}"`
}

/** The body, quoted, with its credentials where they stand in it; null when there is none. */
function bodyText({ body, signedIn }: AskedRequest): string | null {
  if (body === undefined) return null
  const fields = signedIn === 'body' ? fieldsOf(body) : null
  if (fields === null) return quoted(body)
  const inside = Object.entries(fields).map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  )
  const signed = FIELDS.map(([name, value]) => `"${name}":"'"${value}"'"`)
  return `'{${[...inside.map(escaped), ...signed].join(',')}}'`
}

/** Those of a JSON object; null for what is none. */
export function fieldsOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

const escaped = (text: string): string => text.replaceAll("'", "'\\''")

const quoted = (text: string): string => `'${escaped(text)}'`
