/** The forms of faults. Each fault acts at one point on the way of a request or a frame. */
import type { RefusalName } from '../../contract/refusal.ts'
import { type Static, type TObject, type TSchema, Type } from '../../contract/schema.ts'
import type { RandomSource } from '../../random/random-source.ts'

/** The effect on an arriving request or upgrade. */
export interface RequestEffect {
  /** Delay, ms of the session clock. */
  delayMs?: number
  refusal?: RefusalByRule
  /** A response without further checks. */
  answer?: PlainResponse
  /** How far the service's clock is ahead: the signature is that much older, ms. */
  skewMs?: number
  /** The remaining requests of the key's month. */
  remainingRequests?: number
}

/** A refusal of the contract, and its subject if given. */
export interface RefusalByRule {
  as: RefusalName
  subject?: string | undefined
}

/** A response without its transport. */
export interface PlainResponse {
  status: number
  contentType: string
  body: string
  headers?: Record<string, string>
}

/** A response as it leaves, and how its bytes travel. */
export interface OutgoingResponse extends PlainResponse {
  /** Where the connection is lost. */
  drop?: 'before' | 'middle' | 'after'
  /** Bytes a second. */
  bytesPerSecond?: number
}

/** A push on its way: the data of the frame, and whether it is marked as stale. */
export interface OutgoingPush {
  data: unknown
  stale?: true
}

/** UTF-16 units of JSON that rules may still add to one response or push. */
export interface EditRoom {
  readonly size: number
  left: number
}

/** The initial room of all rules for one response or push. */
export const editRoom = (): EditRoom => ({ size: ROOM_LENGTH, left: ROOM_LENGTH })

const ROOM_LENGTH = 4 << 20

/** Changes data that was of the schema before other rules changed it. */
export type DataEdit = (data: unknown, schema: TSchema, room?: EditRoom) => unknown

/** Transforms each push of one stream to one client; returns the pushes that go out now. */
export interface PushTransform {
  (push: OutgoingPush, schema: TSchema): OutgoingPush[]
  /** The held-back pushes, which go out when the rule has ended. */
  rest?(): OutgoingPush[]
}

export interface Fault {
  name: string
  about: string
  settings: TObject
  /** The flaw of settings that are valid one by one; null for none. */
  check?: (settings: never) => string | null
  onRequest?: (settings: never, random: RandomSource) => RequestEffect
  /** Changes the data of a response or a push. */
  onData?: (settings: never, random: RandomSource) => DataEdit
  onResponse?: (
    settings: never,
    random: RandomSource,
  ) => (response: OutgoingResponse) => OutgoingResponse
  onPush?: (settings: never, random: RandomSource) => PushTransform
  /** A reply that is lost. */
  lostReply?: 'acknowledgement' | 'pong'
  /** Close code of sockets as the rule begins; 1006 drops them. */
  closeCode?: (settings: never) => number
  /** Acts once for each key that has a quota. */
  oncePerQuota?: true
  /** Why a subscription is refused; null for the contract's text. */
  subscriptionRefusal?: (settings: never) => string | null
  /** Maximum number of frames that wait as if the client did not read. */
  stalledFrames?: (settings: never) => number
}

interface FaultEffects<S> {
  check?: (settings: S) => string | null
  onRequest?: (settings: S, random: RandomSource) => RequestEffect
  onData?: (settings: S, random: RandomSource) => DataEdit
  onResponse?: (
    settings: S,
    random: RandomSource,
  ) => (response: OutgoingResponse) => OutgoingResponse
  onPush?: (settings: S, random: RandomSource) => PushTransform
  lostReply?: 'acknowledgement' | 'pong'
  closeCode?: (settings: S) => number
  oncePerQuota?: true
  subscriptionRefusal?: (settings: S) => string | null
  stalledFrames?: (settings: S) => number
}

/** Declares a fault. */
export function fault<S extends TObject>(
  declared: { name: string; about: string; settings: S } & FaultEffects<Static<S>>,
): Fault {
  return declared as unknown as Fault
}

// Responses of rules: their fields, and what HTTP cannot carry of them.

/** The body of a rule's response: text as it is, anything else as JSON. */
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

/** The parts of a rule's response that become HTTP headers. */
interface WrittenHead {
  type?: string | undefined
  headers?: Readonly<Record<string, string>> | undefined
}

/**
 * Why HTTP cannot carry them, as the continuation of "the settings …"; null when it can. Names are
 * tokens and values fields of RFC 9110 (5.6.2, 5.5); the server writes the headers of length and
 * connection.
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

/** Maximum length of a head: many clients refuse more. */
const HEADERS_LENGTH = 8 << 10

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
const isFieldValue = (value: string) => FIELD_VALUE.test(value)

const FRAMING = new Set([
  ...['connection', 'content-length', 'keep-alive', 'proxy-connection', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade'],
])
