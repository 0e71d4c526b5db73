/** What may be said of a single call. */
export interface CallOptions {
  /** Ends the call: it rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Longest wait for the answer, ms; that of the client when left out. */
  timeoutMs?: number | undefined
  /** How often a read is asked again; that of the client when left out. */
  retries?: number | undefined
  /** Whether the answer is checked by its schema; as the client does when left out. */
  checked?: boolean | undefined
}
