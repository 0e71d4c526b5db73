/**
 * A channel as a declaration: its subscription, its events and its data.
 *
 * The session (src/sandbox/session) keeps the state; the channel's dialect formats its frames.
 */
import type { TapeMs } from '../clock/instant.ts'
import type { Slices } from '../clock/turns.ts'
import type { Access } from './access.ts'
import type { Dialect } from './dialect.ts'
import type { Facts } from './facts.ts'
import { type Static, type TObject, type TSchema, Type } from './schema.ts'
import type { TimelineEvent } from './timeline.ts'

/** When a stream pushes without an event, and how often at most. */
export interface PushPolicy {
  /**
   * Minimum time between two pushes of one stream; events in between are pushed at its end, with
   * the state of then.
   */
  minGapMs?: number
  /**
   * A push is a whole state of this source: the last one is repeated when the stream is silent,
   * with `stale: true` once the source has been silent for so long that it has expired.
   */
  stateOf?: Source
  /**
   * A push depends on the event alone, and is serialised once for all streams: it is the event's
   * own data, without facts, or the state of the market as of the event.
   */
  follows?: 'data' | 'state'
}

/**
 * The source of a state: the book and best prices of its coin; all events of its coin; the whole
 * market.
 */
export type Source = 'book' | 'coin' | 'market'

interface Declaration<S extends TObject, D extends TSchema> {
  id: string
  dialect: Dialect
  access: Access
  title: string
  about?: string
  /** Its place in the contract. */
  source: string
  /** The `subscription` object of the official dialect; `{address, dex}` of the address dialect. */
  subscription: S
  /** Fields by which two subscriptions are equal. */
  key: string[]
  /** Further fields that change the pushes: a repeated subscription keeps its first ones. */
  options?: string[]
  /** Coin channels: replies have `status` and `activeCount`. */
  counted: boolean
  /** The `channel` of its pushes, where that is not the id: for a coin, or for all. */
  pushedAs?: (subscription: { coin?: string }) => string
  pushPolicy?: PushPolicy
  data: D
  examples: Record<string, unknown>[]
  assumed?: string[]
}

/** Data of a push, in slices where it is long; `undefined` pushes nothing. */
type Pushed<D> = D | undefined | Slices<D | undefined>

/**
 * The data of a channel. One that gives it in slices has a `minGapMs`: events meanwhile are pushed
 * with the state at its end.
 */
interface ChannelHandlers<S, D> {
  /**
   * Topics whose events wake the stream, kind of event and subject: `book/BTC`, `fill/0x…`. Marks
   * are one topic for all coins, `mark/*`.
   */
  topics: (subscription: S, facts: Facts) => string[]
  /** The first push to a new subscriber; undefined for none. */
  snapshot: (subscription: S, facts: Facts) => Pushed<D>
  /**
   * What is pushed when an event wakes the stream.
   *
   * @param sinceMs the moment of the push or snapshot before it, tape time
   */
  push: (subscription: S, event: TimelineEvent, facts: Facts, sinceMs: TapeMs) => Pushed<D>
  /** Data that has closed since the last push, its own first: each is pushed before the next. */
  closedBefore?: (subscription: S, pushes: { last: D; next: D }, facts: Facts) => Iterable<D>
  /** Whether the subscription is of something that exists. */
  exists?: (subscription: S, facts: Facts) => boolean
}

/** A channel as other modules see it. */
export interface Channel extends Declaration<TObject, TSchema> {
  pushPolicy: PushPolicy
  assumed: string[]
  options: string[]
  topics: (subscription: never, facts: Facts) => string[]
  snapshot: (subscription: never, facts: Facts) => unknown
  push: (subscription: never, event: TimelineEvent, facts: Facts, sinceMs: TapeMs) => unknown
  closedBefore?: (subscription: never, pushes: never, facts: Facts) => Iterable<unknown>
  exists?: (subscription: never, facts: Facts) => boolean
}

/** The `channel` in the frames that a channel pushes to a subscription. */
export const pushedName = ({ id, pushedAs }: Channel, subscription: { coin?: string }): string =>
  pushedAs ? pushedAs(subscription) : id

/** A channel with the types of its subscription and pushes. */
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

/** The data with the mark of a stale repetition. */
function withStale({ properties, ...data }: TSchema): TSchema {
  const stale = Type.Optional(
    Type.Literal(true, { description: 'what this is made of has been silent, and has expired' }),
  )
  return Type.Object({ ...properties, stale }, { additionalProperties: data.additionalProperties })
}

type Subscription = Record<string, unknown>

/** Subscriptions of a connection with the same key are equal. */
export const subscriptionKey = (channel: Channel, subscription: Subscription): string =>
  nameBy(channel.key, channel, subscription)

/** Subscriptions of any connections with the same id have the same pushes. */
export const streamId = (channel: Channel, subscription: Subscription): string =>
  nameBy([...channel.key, ...channel.options], channel, subscription)

function nameBy(fields: readonly string[], { dialect, id }: Channel, subscription: Subscription) {
  // False is how a flag is left out.
  const values = fields.map((field) => subscription[field] || '')
  return `${dialect.path} ${id}/${values.join('/')}`
}
