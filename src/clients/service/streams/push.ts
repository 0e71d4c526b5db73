/** A push, and what there is to know of it. */

/** What there is to know of a push. */
export interface PushInfo {
  /** The state has expired: a book that is not to be traded on. */
  stale: boolean
  /** What stood when it was subscribed to; no news. */
  isSnapshot: boolean
  /** Fetched, or sent again by the service, after it was missed. */
  isBackfill: boolean
}

export type Listener<D> = (data: D, info: PushInfo) => void

/** A push as iteration gives it. */
export interface Push<D> extends PushInfo {
  data: D
}
