/** What each operation and channel takes and gives, as types read off their declarations. */

import type { TypedChannel } from '../../contract/channel.ts'
import type { STREAMS } from '../../contract/channels.ts'
import type { TypedOperation } from '../../contract/operation.ts'
import type { CONTRACT } from '../../contract/operations.ts'
import type { Defaulted, Static, TObject, TSchema } from '../../contract/schema.ts'

export type Contract = typeof CONTRACT
export type Streams = typeof STREAMS

/** Parameters of an operation: `path`, `query`, `body`, as far as it has them. */
export type InputOf<O> =
  O extends TypedOperation<infer P, infer Q, infer B, infer _>
    ? InputPart<'path', P> & InputPart<'query', Q> & InputPart<'body', B>
    : never

/** What an operation answers, out of its envelope. */
export type DataOf<O> =
  O extends TypedOperation<infer _P, infer _Q, infer _B, infer D extends TSchema>
    ? Static<D>
    : never

/** What a channel is asked for: its subscription without the channel's own name. */
export type SubscriptionOf<C> =
  C extends TypedChannel<infer S extends TObject, infer _>
    ? Flat<Omit<Static<S>, 'type' | 'dex'> & Partial<Pick<Static<S>, 'dex' & keyof Static<S>>>>
    : never

/** What a channel pushes. */
export type PushOf<C> = C extends TypedChannel<infer _, infer D extends TSchema> ? Static<D> : never

/** A part that may be left out when nothing in it must be given. */
type InputPart<K extends string, S> = S extends TObject
  ? keyof S['properties'] extends never
    ? unknown
    : Record<never, never> extends UnreadParameters<S>
      ? { [k in K]?: UnreadParameters<S> }
      : { [k in K]: UnreadParameters<S> }
  : S extends TSchema
    ? unknown extends Static<S>
      ? unknown
      : { [k in K]: Static<S> }
    : unknown

/** Parameters before reading: those with a usual value may be left out. */
type UnreadParameters<S extends TObject> = Flat<
  { [N in keyof Static<S> as N extends DefaultedNames<S> ? never : N]: Static<S>[N] } & {
    [N in keyof Static<S> as N extends DefaultedNames<S> ? N : never]?: Static<S>[N]
  }
>

type DefaultedNames<S extends TObject> = {
  [N in keyof S['properties']]: S['properties'][N] extends Defaulted ? N : never
}[keyof S['properties']]

type Flat<T> = { [N in keyof T]: T[N] } & {}
