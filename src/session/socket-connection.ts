/** What a session needs of whatever carries its frames. */
export interface SocketConnection {
  /** Sends frames in order, in as few writes as possible. */
  send(frames: readonly string[]): void
  /** Bytes that the other side has not taken yet. */
  pendingBytes(): number
  /** Closes with a code that the client sees. */
  close(code: number, reason: string): void
  /** Drops the connection; the client sees 1006. */
  terminate(): void
}
