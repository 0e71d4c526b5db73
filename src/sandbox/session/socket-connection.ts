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
  /** A new group of connections, where there is a way to send the same to many at once. */
  openGroup?(): SocketGroup
}

/** Connections that are sent the same, in order with what each is sent besides. */
export interface SocketGroup {
  /** Whether it can be one of them. */
  add(connection: SocketConnection): boolean
  remove(connection: SocketConnection): void
  send(frames: readonly string[]): void
}

/** A connection that nothing is sent on any more, and what its client is to see. */
export interface Closing {
  connection: SocketConnection
  /** 1006 drops it. */
  code: number
  reason: string
}

/** Closes it now. */
export function closeConnection({ connection, code, reason }: Closing): void {
  if (code === 1006) connection.terminate()
  else connection.close(code, reason)
}
