/** What can be said of a stream besides what it pushes. */
import type { ClientError } from '../errors.ts'

/** Times are the service's own, of what was pushed, ms; null where nothing has been pushed. */
export type StreamEvent =
  /** It is followed; said again when a stale or silent one has come to life. */
  | { type: 'live' }
  /** Its state has expired: it says so itself, or its time stands while it is sent again. */
  | { type: 'stale'; sinceMs: number | null }
  /** Nothing new has come for so long, though the connection answers. */
  | { type: 'silent'; forMs: number; sinceMs: number | null }
  /** Its connection is gone, and is tried again after `retryMs`; null for never. */
  | { type: 'lost'; code: number; retryMs: number | null }
  /** It is followed again; `filled` is how many elements were fetched of what was missed. */
  | { type: 'resumed'; fromMs: number | null; toMs: number | null; filled: number }
  /** What happened between is missing, and could not be fetched. */
  | { type: 'gap'; fromMs: number | null; toMs: number | null; reason: string }
  /** A push that is not as the contract says, and was not passed on. */
  | { type: 'invalid'; path: string; expected: string }
  /** The service does not let it be followed. */
  | { type: 'refused'; reason: string; error: ClientError }
  /** This subscription, or the whole client, was closed. */
  | { type: 'closed' }

/** What a stream is like now. */
export type StreamState = 'waiting' | 'live' | 'stale' | 'silent' | 'lost' | 'refused' | 'closed'
