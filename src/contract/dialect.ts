/**
 * The two dialects of sockets as values (the service's documentation, Perpetual-DEX WebSocket and
 * Events).
 *
 * A dialect parses frames and formats replies. It has no state.
 */
import { isJsonObject } from '../platform/json-object.ts'

/** A client's frame, parsed. */
export type ClientCommand =
  | { command: 'ping' }
  | { command: 'subscribe' | 'unsubscribe'; subscription: Record<string, unknown> }
  | { command: 'addresses'; add: boolean; addresses: string[] }
  /** A `POST /info` request over the socket. */
  | { command: 'post'; id: string; type: unknown; payload: unknown }
  | { command: 'stat' }
  | { command: 'close' }
  | { command: 'unknown'; why: string }

export interface Dialect {
  name: 'official' | 'addresses'
  /** Path relative to the prefix, or to the base URL for the venue's own. */
  path: string
  /** Whether a repeated command is acknowledged with a status, or refused as the venue does. */
  repeats: 'status' | 'error'
  /** Whether an acknowledgement has the subscription as it came, or as it was read. */
  echo: 'verbatim' | 'normalised'
  /** The side whose messages keep a connection from being idle. */
  idle: 'client' | 'either'
  /** Interprets a parsed frame. */
  parse(frame: unknown, text: string): ClientCommand
  pong: string
  /** Formats an error. */
  error(text: string): string
  /** The text before the data of a push; a `}` follows it. */
  pushHead(channel: string): string
}

/** Method, subscription, `pong` as a channel; several channels on one path. */
const official = (path: string): Dialect => ({
  name: 'official',
  path,
  repeats: 'status',
  echo: 'verbatim',
  idle: 'client',
  parse: parseOfficial,
  pong: '{"channel":"pong"}',
  error: (text) => `{"channel":"error","data":${JSON.stringify(text)}}`,
  pushHead: (channel) => `{"channel":"${channel}","data":`,
})

/** Type and a set of addresses; one channel on one path. */
const addresses = (path: string, head: string): Dialect => ({
  name: 'addresses',
  path,
  repeats: 'status',
  echo: 'verbatim',
  idle: 'client',
  parse: parseAddressesFrame,
  pong: '{"type":"pong"}',
  error: (text) => `{"type":"error","data":${JSON.stringify(text)}}`,
  pushHead: () => head,
})

/** The four socket paths and their dialects. */
export const NODE_DIALECT = official('/hl/ws')
export const FILLS_DIALECT = addresses('/hl/ws/fills', '{"type":"data","data":')
export const FILLED_ORDERS_DIALECT = addresses('/hl/ws/filled-orders', '{"type":"data","data":')
export const ACCOUNT_STATES_DIALECT = addresses(
  '/hl/ws/clearinghouse-state',
  '{"channel":"clearinghouseState","data":',
)

/** The venue's own socket, for unsigned native clients. */
export const VENUE_DIALECT: Dialect = {
  ...official('/ws'),
  repeats: 'error',
  echo: 'normalised',
  idle: 'either',
  parse: (frame, text) => {
    if (!isJsonObject(frame) || hasRepeatedName(text) || hasHalfCharacter(text))
      return unknownCommand(text)
    return frame.method === 'post' ? parsePost(frame, text) : parseOfficial(frame, text)
  },
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/

function unknownCommand(text: string): ClientCommand {
  return { command: 'unknown', why: unreadableText(text) }
}

/** The error for a frame that cannot be read; clients search it for the frame itself. */
export const unreadableText = (frame: string): string =>
  `Error parsing JSON into valid websocket request: ${frame.slice(0, 4096)}`

function parseOfficial(frame: unknown, text: string): ClientCommand {
  if (!isJsonObject(frame)) return unknownCommand(text)
  if (frame.method === 'ping') return { command: 'ping' }
  if (frame.method !== 'subscribe' && frame.method !== 'unsubscribe') return unknownCommand(text)
  if (!isJsonObject(frame.subscription)) return unknownCommand(text)
  return { command: frame.method, subscription: frame.subscription }
}

function parsePost({ id, request }: Record<string, unknown>, text: string): ClientCommand {
  const number = postNumber(id, text)
  if (number === null || !isJsonObject(request)) return unknownCommand(text)
  if (request.type === 'info' && hasOtherNumber(text)) return unknownCommand(text)
  return { command: 'post', id: number, type: request.type, payload: request.payload }
}

/** The digits of a request's id, which may have 64 bits; null for an invalid one. */
function postNumber(id: unknown, text: string): string | null {
  if (typeof id !== 'number' || !Number.isInteger(id) || id < 0) return null
  if (Number.isSafeInteger(id)) return String(id)
  for (const [, digits = ''] of text.matchAll(/"id"\s*:\s*(\d{16,20})(?!\d|\.|e)/gi))
    if (Number(digits) === id && BigInt(digits) < POST_NUMBERS) return digits
  return null
}

const POST_NUMBERS = 2n ** 64n

/**
 * Whether a number in JSON text, which is valid, is not one of 64 bits, or is written otherwise
 * than in digits: `1.0`, `1e12`. Of text that is no JSON it can take time by its square.
 */
export function hasOtherNumber(text: string): boolean {
  const bare = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
  if (/\d[.eE]/.test(bare)) return true
  const long = bare.match(/\d{20,}/g) ?? []
  return long.some((digits) => digits.length > 20 || BigInt(digits) >= POST_NUMBERS)
}

const HALF_CHARACTER = /\p{Surrogate}/u

/** Whether an escape in JSON text, which is valid, is one half of a character: `\\ud83d` alone. */
export function hasHalfCharacter(text: string): boolean {
  let isHalf = false
  const has = (value: unknown) => typeof value === 'string' && HALF_CHARACTER.test(value)
  if (/\\u[dD][89a-fA-F]/.test(text))
    JSON.parse(text, (name: string, value: unknown) => {
      isHalf ||= has(name) || has(value)
      return value
    })
  return isHalf
}

/** Whether an object in JSON text, which is valid, has a name twice. */
export function hasRepeatedName(text: string): boolean {
  const inside: (Set<string> | null)[] = []
  for (const [token] of text.matchAll(JSON_NAMES)) {
    if (token === '{') inside.push(new Set())
    else if (token === '[') inside.push(null)
    else if (token === '}' || token === ']') inside.pop()
    else if (token.endsWith(':')) {
      const names = inside.at(-1)
      const name = token.slice(0, token.lastIndexOf('"') + 1)
      const plain = name.includes('\\') ? JSON.stringify(JSON.parse(name)) : name
      if (names?.has(plain)) return true
      names?.add(plain)
    }
  }
  return false
}

/** Texts, those with a colon behind them as one with it, and what holds them. */
const JSON_NAMES = /"(?:[^"\\]|\\.)*"(?:\s*:)?|[[\]{}]/g

function parseAddressesFrame(frame: unknown, text: string): ClientCommand {
  if (!isJsonObject(frame)) return unknownCommand(text)
  switch (frame.type) {
    case 'ping':
    case 'stat':
    case 'close':
      return { command: frame.type }
    case 'subscribe':
    case 'unsubscribe':
      return parseAddressList(frame.type === 'subscribe', frame.address)
    default:
      return unknownCommand(text)
  }
}

function parseAddressList(add: boolean, given: unknown): ClientCommand {
  if (!Array.isArray(given))
    return { command: 'unknown', why: 'address must be an array of addresses' }
  const wrong = given.find((item) => typeof item !== 'string' || !ADDRESS.test(item))
  if (wrong !== undefined) {
    const shown = JSON.stringify(wrong)?.slice(0, 80)
    return { command: 'unknown', why: `${shown} is not an address: 0x and 40 hexadecimal digits` }
  }
  return { command: 'addresses', add, addresses: given.map((item: string) => item.toLowerCase()) }
}
