import type { Connection } from './connection.ts'
import type { SendingSession } from './outgoing-frames.ts'
import type { AffectedSession } from './socket-effects.ts'
import type { Stream, Subscriber } from './stream.ts'

/** A connection as the hub of its sandbox sees it. */
export interface HubSession extends Connection, Subscriber, SendingSession, AffectedSession {
  readonly streams: ReadonlyMap<string, Stream>
  readonly startedMs: number
  readonly socketJournal: { readonly connection: number; readonly path: string }
  readonly idleTimeout: { readonly lastActivityMs: number }
}
