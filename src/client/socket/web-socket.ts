/** Opens a socket by the runtime's own WebSocket, or by `ws` where there is none: Node before 22. */

/**
 * Hands over a socket that has just begun to connect: at once where the runtime has sockets, else
 * when `ws` is loaded.
 *
 * @param url asked for when the socket is made, so that its signature is fresh
 */
export function openWebSocket(url: () => string, use: (socket: WebSocket) => void): void {
  if (typeof globalThis.WebSocket === 'function') return use(new WebSocket(url()))
  // Only where it is needed: a browser's bundle never loads it.
  void import('ws').then(({ default: Socket }) => use(new Socket(url()) as unknown as WebSocket))
}

/** `WebSocket.OPEN`, which is not there to be asked on every runtime. */
export const OPEN = 1
