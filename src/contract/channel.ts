/**
 * A channel is a declaration: what is subscribed to, when something is pushed, and what.
 *
 * The session (src/sandbox/session) keeps the state; the channel's dialect says how its frames are
 * spoken.
 */
import type { Access } from './access.ts'
import type { Dialect } from './dialect.ts'
import type { Facts } from './facts.ts'
import { type Static, type TObject, type TSchema, Type } from './schema.ts'
import type { TimelineEvent } from './timeline.ts'

/** How often and how a stream speaks when the market does not. */
export interface PushPolicy {
  /**
   * Least time between two pushes of one stream; what falls between is pushed at its end, as it
   * stands then.
   */
  minGapMs?: number
  /**
   * What is pushed is a whole state of this source: the last one is sent again when the stream is
   * silent, with `stale: true` once the source has been silent for so long that it has expired.
   */
  stateOf?: Source
  /**
   * What is pushed follows from the event alone, and is written once for everybody: it is the
   * event's own data, of no facts, or the state of the market as of the event.
   */
  follows?: 'data' | 'state'
}

/**
 * What a state is made of: the book and best prices of its coin; all that happens to its coin; the
 * whole market.
 */
export type Source = 'book' | 'coin' | 'market'

interface Declaration<S extends TObject, D extends TSchema> {
  id: string
  dialect: Dialect
  access: Access
  title: string
  about?: string
  /** Where the contract says so. */
  source: string
  /** The `subscription` object of the official dialect; `{address, dex}` of the address dialect. */
  subscription: S
  /** Fields that make two subscriptions the same one. */
  key: string[]
  /** Further fields that change what is pushed: a repeated subscription keeps its first ones. */
  options?: string[]
  /** Coin channels: replies carry `status` and `activeCount`. */
  counted: boolean
  pushPolicy?: PushPolicy
  data: D
  examples: Record<string, unknown>[]
  assumed?: string[]
}

/** What a channel answers with; `undefined` pushes nothing. */
interface ChannelHandlers<S, D> {
  /**
   * Topics whose events wake the stream, kind of event and whose: `book/BTC`, `fill/0x…`. Marks are
   * one topic for all coins, `mark/*`.
   */
  topics: (subscription: S, facts: Facts) => string[]
  /** What a new subscriber is sent first; undefined for nothing. */
  snapshot: (subscription: S, facts: Facts) => D | undefined
  /** What is pushed when an event wakes the stream. */
  push: (subscription: S, event: TimelineEvent, facts: Facts) => D | undefined
  /** What has closed since the last push, its own data first: each is pushed before the next. */
  closedBefore?: (subscription: S, pushes: { last: D; next: D }, facts: Facts) => Iterable<D>
  /** Whether the subscription asks for something that exists. */
  exists?: (subscription: S, facts: Facts) => boolean
}

/** A channel as other modules see it. */
export interface Channel extends Declaration<TObject, TSchema> {
  pushPolicy: PushPolicy
  assumed: string[]
  options: string[]
  topics: (subscription: never, facts: Facts) => string[]
  snapshot: (subscription: never, facts: Facts) => unknown
  push: (subscription: never, event: TimelineEvent, facts: Facts) => unknown
  closedBefore?: (subscription: never, pushes: never, facts: Facts) => Iterable<unknown>
  exists?: (subscription: never, facts: Facts) => boolean
}

/** A channel that remembers, for types only, what is subscribed to and what is pushed. */
export interface TypedChannel<S, D> extends Channel {
  readonly shapes?: { subscription: S; data: D }
}

/** Declares a channel. */
export function channel<S extends TObject, D extends TSchema>(
  declaration: Declaration<S, D> & ChannelHandlers<Static<S>, Static<D>>,
): TypedChannel<S, D> {
  const { pushPolicy = {}, data } = declaration
  const pushed = pushPolicy.stateOf && data.type === 'object' ? withStale(data) : data
  const full = { assumed: [], options: [], ...declaration, pushPolicy, data: pushed }
  return full as unknown as TypedChannel<S, D>
}

/** The same data as it is sent again. */
function withStale({ properties, ...data }: TSchema): TSchema {
  const stale = Type.Optional(
    Type.Literal(true, { description: 'what this is made of has been silent, and has expired' }),
  )
  return Type.Object({ ...properties, stale }, { additionalProperties: data.additionalProperties })
}
