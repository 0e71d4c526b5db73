/** What a rule can do. Each deed acts at one of the points of the way of a request or a frame. */
import type { Refusal } from '../contract/refusal.ts'
import type { Static, TObject, TSchema } from '../contract/schema.ts'
import type { Dice } from '../random/dice.ts'

/** What is done as a request or an upgrade arrives. */
export interface Arrival {
  /** It waits so long, ms of the session clock. */
  delayMs?: number
  refusal?: Refusal
  /** Answered so, and not looked at any further. */
  answer?: Plain
  /** Its signature is so much older than it is, ms. */
  skewMs?: number
  /** The key has so many requests left. */
  leave?: number
}

/** An answer without its carrier. */
export interface Plain {
  status: number
  contentType: string
  body: string
  headers?: Record<string, string>
}

/** An answer as it leaves, and how its bytes travel. */
export interface Leaving extends Plain {
  /** Where the connection is lost. */
  drop?: 'before' | 'middle' | 'after'
  /** Bytes a second. */
  drip?: number
}

/** A push on its way: the data of the frame, and whether it is marked as stale. */
export interface Pushed {
  data: unknown
  stale?: true
}

/** Changes data, which once was of the schema. */
export type Edit = (data: unknown, schema: TSchema) => unknown

/** Takes each push of one stream to one client; gives those that go out now. */
export type Flow = (push: Pushed, schema: TSchema) => Pushed[]

export interface Deed {
  name: string
  about: string
  settings: TObject
  arrive?: (settings: never, dice: Dice) => Arrival
  /** Of the data of an answer, and of a push. */
  edit?: (settings: never, dice: Dice) => Edit
  depart?: (settings: never, dice: Dice) => (leaving: Leaving) => Leaving
  flow?: (settings: never, dice: Dice) => Flow
  /** Replies that are lost. */
  loses?: 'acknowledgement' | 'pong'
  /** Sockets are closed with this code as the rule begins; 1006 drops them. */
  closes?: (settings: never) => number
  /** Frames wait as if the client did not read. */
  stalls?: true
}

interface Acts<S> {
  arrive?: (settings: S, dice: Dice) => Arrival
  edit?: (settings: S, dice: Dice) => Edit
  depart?: (settings: S, dice: Dice) => (leaving: Leaving) => Leaving
  flow?: (settings: S, dice: Dice) => Flow
  loses?: 'acknowledgement' | 'pong'
  closes?: (settings: S) => number
  stalls?: true
}

/** Declares a deed. */
export function deed<S extends TObject>(
  declared: { name: string; about: string; settings: S } & Acts<Static<S>>,
): Deed {
  return declared as unknown as Deed
}
