/** Command lines that repeat a request, for a POSIX shell. */

/** Names of parameters and their sent values: text, or a variable like `$NONCE`. */
export type SentCredentials = readonly (readonly [name: string, text: string])[]

/** Valid credentials. */
export const RIGHT_CREDENTIALS: SentCredentials = [
  ['AccessKeyId', '$ACCESS_KEY'],
  ['SignatureNonce', '$NONCE'],
  ['Timestamp', '$TIME'],
  ['Signature', '$SIGNATURE'],
]

export interface ShellOptions {
  /** Owner of the keys to set, as text. */
  by?: string
  /** Sent instead of the right credentials. */
  sent?: SentCredentials
}

/** With curl or websocat; openssl computes the signature when it is run. */
export function shellSample(
  requested: Fetched,
  { by = 'a key and its secret', sent = RIGHT_CREDENTIALS }: ShellOptions = {},
): string {
  const again =
    requested.kind === 'request' ? curlLine(requested, sent) : websocatLine(requested, sent)
  if (requested.signedIn === 'nowhere') return again
  const whose = by.replace(/\s+/g, ' ')
  return `# ${KEY_VARIABLES.join(' and ')}: ${whose}\n${signing(requested.ageS)}\n${again}`
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

function curlLine(requested: ReplayRequest, sent: SentCredentials): string {
  const body = bodyText(requested, sent)
  const data = body === null ? '' : ` -H 'content-type: application/json' --data-raw ${body}`
  const upgrade = requested.opensSocket ? UPGRADE : ''
  return `curl -sS -i${upgrade} -X ${requested.method} ${addressText(requested, sent)}${data}`
}

/** curl shows a response in place of a socket; an opened socket prints nothing. */
const UPGRADE =
  " --http1.1 --max-time 10 -H 'Connection: Upgrade' -H 'Upgrade: websocket'" +
  " -H 'Sec-WebSocket-Version: 13' -H 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='"

/** Pauses between two frames for replies; after the last for pushes. */
function websocatLine(requested: RequestedSocket, sent: SentCredentials): string {
  const steps = groupsOf(requested.frames).map(printed).join('; sleep 1; ')
  const input = requested.frames.length === 0 ? 'sleep 60' : `{ ${steps}; sleep 60; }`
  // It ends when the target closes; the buffer keeps frames longer than 64 KiB whole.
  return `${input} | websocat -E -B 8388608 ${addressText(requested, sent)}`
}

/** Maximum number of separate steps. */
const STEPS_MAX = 10

function groupsOf(frames: readonly string[]): string[][] {
  const [first, last] = [frames.slice(0, STEPS_MAX), frames.slice(STEPS_MAX)]
  return [...first.map((one) => [one]), ...(last.length > 0 ? [last] : [])]
}

const printed = (frames: readonly string[]): string =>
  `printf '%s\\n' ${frames.map(quoted).join(' ')}`

function addressText({ address, signedIn }: Fetched, sent: SentCredentials): string {
  if (signedIn !== 'query') return quoted(address)
  const query = sent.map(
    ([name, text]) => `${name}=${IS_VARIABLE.test(text) ? text : inQuery(text)}`,
  )
  return `${quoted(`${address}${address.includes('?') ? '&' : '?'}`)}"${query.join('&')}"`
}

/** Base64 of hexadecimal digits has neither `+` nor `/`: variables need no encoding in a query. */
const IS_VARIABLE = /^\$\w+$/

/** Between double quotes. */
const inQuery = (text: string): string => encodeURIComponent(text).replaceAll('!', '%21')

/** The quoted body with its credentials; null for none. */
function bodyText({ body, signedIn }: ReplayRequest, sent: SentCredentials): string | null {
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

/** Fields of a JSON object; null for anything else. */
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

// Requests without signature: the source of programs that repeat them.

interface RequestedAnywhere {
  /** In full, without credentials. */
  address: string
  signedIn: 'query' | 'body' | 'nowhere'
  /** Age of its signature, s. */
  ageS: number
}

/** A request. */
export interface ReplayRequest extends RequestedAnywhere {
  kind: 'request'
  method: string
  /** JSON, without credentials. */
  body?: string
  /** It requests a socket, and shows the response in place of one. */
  opensSocket?: true
}

/** A socket and its client's frames. */
export interface RequestedSocket extends RequestedAnywhere {
  kind: 'socket'
  frames: readonly string[]
}

export type Fetched = ReplayRequest | RequestedSocket

/** Set by the user of a sample; the signature is made from them. */
const KEY_VARIABLES = ['ACCESS_KEY', 'SECRET_KEY'] as const

// A Python program that repeats a request.

/** Requests by the standard library, sockets by the package `websockets`. */
export const pythonSample = (requested: Fetched): string =>
  requested.kind === 'request' ? requestProgram(requested) : socketProgram(requested)

function requestProgram(requested: ReplayRequest): string {
  const { method, body, signedIn } = requested
  const fields = signedIn === 'body' && body !== undefined ? fieldsOf(body) : null
  const data =
    body === undefined
      ? ''
      : fields
        ? `, data=json.dumps({**json.loads(${text(body)}), **signed()}).encode()`
        : `, data=${text(body)}.encode()`
  const headers = body === undefined ? '' : ", headers={'content-type': 'application/json'}"
  const used = ['json', ...importsOf(requested), 'urllib.error', 'urllib.parse', 'urllib.request']
  return [
    `import ${used.sort().join(', ')}`,
    ...pythonSigning(requested),
    '',
    `url = ${urlText(requested)}`,
    `request = urllib.request.Request(url, method=${text(method)}${data}${headers})`,
    'try:',
    '    answer = urllib.request.urlopen(request)',
    'except urllib.error.HTTPError as refused:',
    '    answer = refused',
    "print(answer.status, answer.read().decode('utf-8'))",
    '',
  ].join('\n')
}

function socketProgram(requested: RequestedSocket): string {
  const modules = ['asyncio', ...importsOf(requested), 'urllib.parse', 'websockets']
  return [
    '# pip install websockets',
    `import ${modules.sort().join(', ')}`,
    ...pythonSigning(requested),
    '',
    '',
    'async def follow():',
    `    async with websockets.connect(${urlText(requested)}) as socket:`,
    ...requested.frames.map((frame) => `        await socket.send(${text(frame)})`),
    '        async for frame in socket:',
    '            print(frame)',
    '',
    '',
    'asyncio.run(follow())',
    '',
  ].join('\n')
}

const importsOf = ({ signedIn }: Fetched): string[] =>
  signedIn === 'nowhere' ? [] : ['base64', 'hashlib', 'hmac', 'os', 'time', 'uuid']

function pythonSigning({ signedIn, ageS }: Fetched): string[] {
  if (signedIn === 'nowhere') return []
  const time = ageS === 0 ? 'int(time.time())' : `int(time.time()) - ${ageS}`
  return [
    '',
    '',
    'def signed():',
    "    key, secret = os.environ['ACCESS_KEY'], os.environ['SECRET_KEY']",
    `    nonce, timestamp = uuid.uuid4().hex, str(${time})`,
    "    text = f'AccessKeyId={key}&SignatureNonce={nonce}&Timestamp={timestamp}'",
    '    digest = hmac.new(secret.encode(), text.encode(), hashlib.sha1).hexdigest()',
    '    signature = base64.b64encode(digest.encode()).decode()',
    "    parts = {'AccessKeyId': key, 'SignatureNonce': nonce, 'Timestamp': timestamp}",
    "    return {**parts, 'Signature': signature}",
    '',
  ]
}

function urlText({ address, signedIn }: Fetched): string {
  if (signedIn !== 'query') return text(address)
  const start = text(`${address}${address.includes('?') ? '&' : '?'}`)
  return `${start} + urllib.parse.urlencode(signed())`
}

/** A Python literal: JSON is valid for texts. */
const text = (value: string): string => JSON.stringify(value)
