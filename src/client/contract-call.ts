/** What the client has to know of an operation or a channel to ask for it. */

export interface OperationCall {
  id: string
  method: string
  /** Relative to the prefix. */
  path: string
  hasBody?: true
  /** Without an envelope around its answer. */
  isBare?: true
}

export interface ChannelCall {
  /** As frames name it. */
  id: string
  /** Of the socket, relative to the prefix. */
  path: string
  /** Whether it is subscribed to by an object, else by addresses. */
  isOfficial: boolean
  /** Whether one connection can have several. */
  isCounted: boolean
}
