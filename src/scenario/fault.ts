/** What a rule can do. Each fault acts at one point on the way of a request or a frame. */
import type { RefusalName } from '../contract/refusal.ts'
import type { Static, TObject, TSchema } from '../contract/schema.ts'
import type { RandomSource } from '../random/random-source.ts'

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
  /** Coins that there are not, by all their names: it is read as if it named unknown ones. */
  unlistedCoins?: readonly string[]
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

/** Changes data, which once was of the schema. */
export type DataEdit = (data: unknown, schema: TSchema) => unknown

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
  /**
   * It looks for the coins of its rule itself, in all that is asked and told: the rule acts on what
   * is about other coins too.
   */
  findsCoins?: true
  /** What makes no sense in settings that are sound one by one; null for nothing. */
  check?: (settings: never) => string | null
  onRequest?: (settings: never, random: RandomSource, coins: readonly string[]) => RequestEffect
  /** Of the data of an answer, and of a push. */
  onData?: (settings: never, random: RandomSource, coins: readonly string[]) => DataEdit
  onResponse?: (
    settings: never,
    random: RandomSource,
  ) => (response: OutgoingResponse) => OutgoingResponse
  /** Of a push: what is done to its data is then done by it alone. */
  onPush?: (settings: never, random: RandomSource, coins: readonly string[]) => PushTransform
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
  findsCoins?: true
  check?: (settings: S) => string | null
  onRequest?: (settings: S, random: RandomSource, coins: readonly string[]) => RequestEffect
  onData?: (settings: S, random: RandomSource, coins: readonly string[]) => DataEdit
  onResponse?: (
    settings: S,
    random: RandomSource,
  ) => (response: OutgoingResponse) => OutgoingResponse
  onPush?: (settings: S, random: RandomSource, coins: readonly string[]) => PushTransform
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
