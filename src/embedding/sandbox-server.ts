/** A server on which sandboxes are made. */
export interface SandboxServer {
  url: string
  /** Of its control plane; on loopback there is none. */
  token?: string | undefined
  /** How it has ended, when it has done so by itself; null while it serves. */
  ended(): string | null
  stop(): Promise<void>
}
