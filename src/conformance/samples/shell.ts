/** Command lines that ask something again, for a POSIX shell. */

/** Names of parameters and what is sent as such: text, or one of the variables `$NONCE`. */
export type SentCredentials = readonly (readonly [name: string, text: string])[]

/** Those that are let in. */
export const RIGHT_CREDENTIALS: SentCredentials = [
  ['AccessKeyId', '$ACCESS_KEY'],
  ['SignatureNonce', '$NONCE'],
  ['Timestamp', '$TIME'],
  ['Signature', '$SIGNATURE'],
]

export interface ShellOptions {
  /** Whose keys are to be set, in words. */
  by?: string
  /** What is sent in place of the right credentials. */
  sent?: SentCredentials
}

/** With curl or websocat; the signature is computed with openssl when it is run. */
export function shellSample(
  asked: Asked,
  { by = 'a key and its secret', sent = RIGHT_CREDENTIALS }: ShellOptions = {},
): string {
  const again = asked.kind === 'request' ? curlLine(asked, sent) : websocatLine(asked, sent)
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

function curlLine(asked: AskedRequest, sent: SentCredentials): string {
  const body = bodyText(asked, sent)
  const data = body === null ? '' : ` -H 'content-type: application/json' --data-raw ${body}`
  const upgrade = asked.opensSocket ? UPGRADE : ''
  return `curl -sS -i${upgrade} -X ${asked.method} ${addressText(asked, sent)}${data}`
}

/** What answers in place of a socket is shown by curl; a socket that opens says nothing there. */
const UPGRADE =
  " --http1.1 --max-time 10 -H 'Connection: Upgrade' -H 'Upgrade: websocket'" +
  " -H 'Sec-WebSocket-Version: 13' -H 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='"

/** Between two frames there is time for what is answered; after the last for what is pushed. */
function websocatLine(asked: AskedSocket, sent: SentCredentials): string {
  const steps = groupsOf(asked.frames).map(printed).join('; sleep 1; ')
  const input = asked.frames.length === 0 ? 'sleep 60' : `{ ${steps}; sleep 60; }`
  // It ends when the target closes; a frame is not cut where it is longer than 64 KiB.
  return `${input} | websocat -E -B 8388608 ${addressText(asked, sent)}`
}

/** Few are told one by one. */
const STEPS_MAX = 10

function groupsOf(frames: readonly string[]): string[][] {
  const [first, last] = [frames.slice(0, STEPS_MAX), frames.slice(STEPS_MAX)]
  return [...first.map((one) => [one]), ...(last.length > 0 ? [last] : [])]
}

const printed = (frames: readonly string[]): string =>
  `printf '%s\\n' ${frames.map(quoted).join(' ')}`

function addressText({ address, signedIn }: Asked, sent: SentCredentials): string {
  if (signedIn !== 'query') return quoted(address)
  const query = sent.map(
    ([name, text]) => `${name}=${IS_VARIABLE.test(text) ? text : inQuery(text)}`,
  )
  return `${quoted(`${address}${address.includes('?') ? '&' : '?'}`)}"${query.join('&')}"`
}

/** Base64 of hexadecimal digits has neither `+` nor `/`: variables stand in a query as they are. */
const IS_VARIABLE = /^\$\w+$/

/** Between double quotes. */
const inQuery = (text: string): string => encodeURIComponent(text).replaceAll('!', '%21')

/** The body, quoted, with its credentials where they stand in it; null when there is none. */
function bodyText({ body, signedIn }: AskedRequest, sent: SentCredentials): string | null {
  if (body === undefined) return null
  const fields = signedIn === 'body' ? fieldsOf(body) : null
  if (fields === null) return quoted(body)
  const inside = Object.entries(fields).map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  )
  const signed = sent.map(([name, text]) =>
    IS_VARIABLE.test(text)
      ? `"${name}":"'"${text}"'"`
      : escaped(`"${name}":${JSON.stringify(text)}`),
  )
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

// What was asked, without its signature: from it a program is written that asks it again.

interface AskedAnywhere {
  /** In full, without credentials. */
  address: string
  signedIn: 'query' | 'body' | 'nowhere'
  /** How old its signature is, s. */
  ageS: number
}

/** A request. */
export interface AskedRequest extends AskedAnywhere {
  kind: 'request'
  method: string
  /** JSON, without credentials. */
  body?: string
  /** It asks for a socket, and is to show what is answered in place of one. */
  opensSocket?: true
}

/** A socket and what its client has said on it. */
export interface AskedSocket extends AskedAnywhere {
  kind: 'socket'
  frames: readonly string[]
}

export type Asked = AskedRequest | AskedSocket

/** Whoever runs a sample sets these two; the signature is made from them. */
const KEY_VARIABLES = ['ACCESS_KEY', 'SECRET_KEY'] as const
