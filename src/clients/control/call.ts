/** A call of the control plane, as its client makes it. */

/** A call of the generated list. */
export interface Call {
  /** `clock` of `control.clock.advance()`; absent for `control.health()`. */
  group?: string
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Relative to `/_control`. */
  path: string
  /** The place of its fields; absent without fields. */
  fields?: 'query' | 'body'
  /** The form of an answer other than one JSON value. */
  answer?: 'page' | 'text'
}

/** Options of any call. */
export interface CallOptions {
  /** Ends the wait for the answer; the call rejects with its reason. */
  signal?: AbortSignal | undefined
}

/** A page of a long list. */
export type Page<T> = T & {
  /** The `cursor` of the next page; null on the last. */
  readonly nextCursor: string | null
}
