/** What a rule can do. Each fault acts at one point on the way of a request or a frame. */
import type { RefusalName } from '../../contract/refusal.ts'
import type { Static, TObject, TSchema } from '../../contract/schema.ts'
import type { RandomSource } from '../../random/random-source.ts'

/** What is done as a request or an upgrade arrives. */
export interface RequestEffect {
  /** It waits so long, ms of the session clock. */
  delayMs?: number
  refusal?: RefusalByRule
  /** Answered so, without any further check. */
  answer?: PlainResponse
  /** The service's clock is so much ahead: its signature is that much older, ms. */
  skewMs?: number
  /** The key has so many requests of its month left. */
  remainingRequests?: number
}

/** A refusal of the contract, and what it is about where that is said. */
export interface RefusalByRule {
  as: RefusalName
  subject?: string | undefined
}

/** An answer without its transport. */
export interface PlainResponse {
  status: number
  contentType: string
  body: string
  headers?: Record<string, string>
}

/** An answer as it leaves, and how its bytes travel. */
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

/** UTF-16 units of JSON that rules may still put into one answer or push. */
export interface EditRoom {
  readonly size: number
  left: number
}

/** Room for what all rules put into one answer or push. */
export const editRoom = (): EditRoom => ({ size: ROOM_LENGTH, left: ROOM_LENGTH })

const ROOM_LENGTH = 4 << 20

/** Changes data, which once was of the schema. */
export type DataEdit = (data: unknown, schema: TSchema, room?: EditRoom) => unknown

/** Takes each push of one stream to one client; gives those that go out now. */
export interface PushTransform {
  (push: OutgoingPush, schema: TSchema): OutgoingPush[]
  /** What it holds back, which goes out when the rule is over. */
  rest?(): OutgoingPush[]
}

export interface Fault {
  name: string
  about: string
  settings: TObject
  /** What makes no sense in settings that are sound one by one; null for nothing. */
  check?: (settings: never) => string | null
  onRequest?: (settings: never, random: RandomSource) => RequestEffect
  /** Of the data of an answer, and of a push. */
  onData?: (settings: never, random: RandomSource) => DataEdit
  onResponse?: (
    settings: never,
    random: RandomSource,
  ) => (response: OutgoingResponse) => OutgoingResponse
  onPush?: (settings: never, random: RandomSource) => PushTransform
  /** Replies that are lost. */
  lostReply?: 'acknowledgement' | 'pong'
  /** Sockets are closed with this code as the rule begins; 1006 drops them. */
  closeCode?: (settings: never) => number
  /** Acts once for each key that has a quota. */
  oncePerQuota?: true
  /** Why a subscription is refused; null for the words of the contract. */
  subscriptionRefusal?: (settings: never) => string | null
  /** Frames wait as if the client did not read; how many may. */
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
