/** One call of the control plane, as its client makes it. */

/** A call as it stands in the generated list. */
export interface Call {
  /** `clock` of `control.clock.advance()`; none of `control.health()`. */
  group?: string
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Relative to `/_control`. */
  path: string
  /** Where its fields go; it has none when this is left out. */
  fields?: 'query' | 'body'
  /** Other than one JSON value. */
  answer?: 'page' | 'text'
}

/** What may be said about any call. */
export interface CallOptions {
  /** Ends the wait for the answer; the call rejects with its reason. */
  signal?: AbortSignal | undefined
}

/** A page of a long list. */
export type Page<T> = T & {
  /** Ask for it as `cursor` to have the next page; null on the last. */
  readonly nextCursor: string | null
}
