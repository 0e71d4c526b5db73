/** What the client has to know of a channel to ask for it. */
export interface ChannelCall {
  /** As frames name it. */
  id: string
  /** Of the socket, relative to the prefix. */
  path: string
  /** Fields that make two subscriptions the same one. */
  key: readonly string[]
  /** Whether it is subscribed to by an object, else by addresses. */
  isOfficial: boolean
  /** Whether one connection can have several. */
  isCounted: boolean
  /** What is pushed is a whole state, which the next push replaces. */
  isState: boolean
}

/** A channel out of its line: `/hl/ws coin,interval counted state`. */
export function channelCall(id: string, line: string): ChannelCall {
  const [path = '', key = '', ...words] = line.split(' ')
  return {
    id,
    path,
    key: key.split(','),
    isOfficial: path === '/hl/ws',
    isCounted: words.includes('counted'),
    isState: words.includes('state'),
  }
}
