/** A server on which sandboxes are made. */
export interface SandboxServer {
  url: string
  /** Of its control plane; on loopback there is none. */
  token?: string | undefined
  /**
   * How it has ended by itself, such as `ended with code 1`; null while it serves.
   *
   * @param waitMs its end may be heard of later than felt: so long it is waited for
   */
  ended(waitMs: number): Promise<string | null>
  stop(): Promise<void>
}
