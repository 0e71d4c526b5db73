/**
 * The two ways of speaking on a socket (spec, Perpetual-DEX WebSocket and Events), as values.
 *
 * A dialect says how a frame is understood and how a reply is worded. It keeps no state.
 */

/** What a client's frame asks for. */
export type Wish =
  | { wish: 'ping' }
  | { wish: 'subscribe' | 'unsubscribe'; subscription: Record<string, unknown> }
  | { wish: 'addresses'; add: boolean; addresses: string[] }
  /** A question as `POST /info` takes it, over the socket. */
  | { wish: 'post'; id: number; type: unknown; payload: unknown }
  | { wish: 'stat' }
  | { wish: 'close' }
  | { wish: 'unknown'; why: string }

export interface Dialect {
  name: 'official' | 'addresses'
  /** Path relative to the prefix, or to the base URL for the venue's own. */
  path: string
  /** Whether a repeated wish is acknowledged with a status, or refused as the venue does. */
  repeats: 'status' | 'error'
  /** Whose messages keep a connection from being idle. */
  idle: 'client' | 'either'
  /** Understands a parsed frame. */
  understand(frame: unknown, text: string): Wish
  pong: string
  /** How an error is told. */
  error(text: string): string
  /** What stands before the data of a push; a `}` follows it. */
  head(channel: string): string
}

/** Method, subscription, `pong` as a channel; several channels on one path. */
const official = (path: string): Dialect => ({
  name: 'official',
  path,
  repeats: 'status',
  idle: 'client',
  understand: understandOfficial,
  pong: '{"channel":"pong"}',
  error: (text) => `{"channel":"error","data":${JSON.stringify(text)}}`,
  head: (channel) => `{"channel":"${channel}","data":`,
})

/** Type and a set of addresses; one channel on one path. */
const addresses = (path: string, head: string): Dialect => ({
  name: 'addresses',
  path,
  repeats: 'status',
  idle: 'client',
  understand: understandAddresses,
  pong: '{"type":"pong"}',
  error: (text) => `{"type":"error","data":${JSON.stringify(text)}}`,
  head: () => head,
})

/** The four socket paths and how each is spoken. */
export const NODE = official('/hl/ws')
export const FILLS = addresses('/hl/ws/fills', '{"type":"data","data":')
export const FILLED_ORDERS = addresses('/hl/ws/filled-orders', '{"type":"data","data":')
export const ACCOUNT_STATES = addresses(
  '/hl/ws/clearinghouse-state',
  '{"channel":"clearinghouseState","data":',
)

/** The venue's own socket, as unsigned native clients speak it (shapes 3.1, 3.2). */
export const VENUE: Dialect = {
  ...official('/ws'),
  repeats: 'error',
  idle: 'either',
  understand: (frame, text) =>
    isRecord(frame) && frame.method === 'post'
      ? understandPost(frame, text)
      : understandOfficial(frame, text),
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The words for a frame that makes no sense; clients look for the frame itself in them (shapes
 * 3.1).
 */
function unparsable(text: string): Wish {
  return {
    wish: 'unknown',
    why: `Error parsing JSON into valid websocket request: ${text.slice(0, 4096)}`,
  }
}

function understandOfficial(frame: unknown, text: string): Wish {
  if (!isRecord(frame)) return unparsable(text)
  if (frame.method === 'ping') return { wish: 'ping' }
  if (frame.method !== 'subscribe' && frame.method !== 'unsubscribe') return unparsable(text)
  if (!isRecord(frame.subscription)) return unparsable(text)
  return { wish: frame.method, subscription: frame.subscription }
}

function understandPost({ id, request }: Record<string, unknown>, text: string): Wish {
  if (typeof id !== 'number' || !isRecord(request)) return unparsable(text)
  return { wish: 'post', id, type: request.type, payload: request.payload }
}

function understandAddresses(frame: unknown, text: string): Wish {
  if (!isRecord(frame)) return unparsable(text)
  switch (frame.type) {
    case 'ping':
    case 'stat':
    case 'close':
      return { wish: frame.type }
    case 'subscribe':
    case 'unsubscribe':
      return readAddresses(frame.type === 'subscribe', frame.address)
    default:
      return unparsable(text)
  }
}

function readAddresses(add: boolean, given: unknown): Wish {
  if (!Array.isArray(given))
    return { wish: 'unknown', why: 'address must be an array of addresses' }
  const wrong = given.find((item) => typeof item !== 'string' || !ADDRESS.test(item))
  if (wrong !== undefined) {
    const shown = JSON.stringify(wrong)?.slice(0, 80)
    return { wish: 'unknown', why: `${shown} is not an address: 0x and 40 hexadecimal digits` }
  }
  return { wish: 'addresses', add, addresses: given.map((item: string) => item.toLowerCase()) }
}
