/** What each operation and channel takes and gives, as types read off their declarations. */
import type { DeclaredChannel } from '../contract/channel.ts'
import type { STREAMS } from '../contract/channels.ts'
import type { Declared } from '../contract/operation.ts'
import type { CONTRACT } from '../contract/operations.ts'
import type { Defaulted, Static, TObject, TSchema } from '../contract/schema.ts'

export type Contract = typeof CONTRACT
export type Streams = typeof STREAMS

/** Parameters of an operation: `path`, `query`, `body`, as far as it has them. */
export type Ask<O> =
  O extends Declared<infer P, infer Q, infer B, infer _>
    ? Part<'path', P> & Part<'query', Q> & Part<'body', B>
    : never

/** What an operation answers, out of its envelope. */
export type Data<O> =
  O extends Declared<infer _P, infer _Q, infer _B, infer D extends TSchema> ? Static<D> : never

/** What a channel is asked for: its subscription without the channel's own name. */
export type Wanted<C> =
  C extends DeclaredChannel<infer S extends TObject, infer _>
    ? Flat<Omit<Static<S>, 'type' | 'dex'> & Partial<Pick<Static<S>, 'dex' & keyof Static<S>>>>
    : never

/** What a channel pushes. */
export type Pushed<C> =
  C extends DeclaredChannel<infer _, infer D extends TSchema> ? Static<D> : never

/** A part that may be left out when nothing in it must be given. */
type Part<K extends string, S> = S extends TObject
  ? keyof S['properties'] extends never
    ? unknown
    : Record<never, never> extends Given<S>
      ? { [k in K]?: Given<S> }
      : { [k in K]: Given<S> }
  : S extends TSchema
    ? unknown extends Static<S>
      ? unknown
      : { [k in K]: Static<S> }
    : unknown

/** Parameters before reading: those with a usual value may be left out. */
type Given<S extends TObject> = Flat<
  { [N in keyof Static<S> as N extends Usual<S> ? never : N]: Static<S>[N] } & {
    [N in keyof Static<S> as N extends Usual<S> ? N : never]?: Static<S>[N]
  }
>

type Usual<S extends TObject> = {
  [N in keyof S['properties']]: S['properties'][N] extends Defaulted ? N : never
}[keyof S['properties']]

type Flat<T> = { [N in keyof T]: T[N] } & {}
