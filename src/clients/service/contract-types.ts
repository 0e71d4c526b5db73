/** Types of operations and channels, inferred from their declarations. */

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

/** The data of an operation's answer, without its envelope. */
export type DataOf<O> =
  O extends TypedOperation<infer _P, infer _Q, infer _B, infer D extends TSchema>
    ? Static<D>
    : never

/** The subscription of a channel, without the channel's own name. */
export type SubscriptionOf<C> =
  C extends TypedChannel<infer S extends TObject, infer _>
    ? Flat<Omit<Static<S>, 'type' | 'dex'> & Partial<Pick<Static<S>, 'dex' & keyof Static<S>>>>
    : never

/** The data of a channel's pushes. */
export type PushOf<C> = C extends TypedChannel<infer _, infer D extends TSchema> ? Static<D> : never

/** A part is optional when none of its fields is required. */
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

/** Unparsed parameters: those with a default are optional. */
type UnreadParameters<S extends TObject> = Flat<
  { [N in keyof Static<S> as N extends DefaultedNames<S> ? never : N]: Static<S>[N] } & {
    [N in keyof Static<S> as N extends DefaultedNames<S> ? N : never]?: Static<S>[N]
  }
>

type DefaultedNames<S extends TObject> = {
  [N in keyof S['properties']]: S['properties'][N] extends Defaulted ? N : never
}[keyof S['properties']]

type Flat<T> = { [N in keyof T]: T[N] } & {}
