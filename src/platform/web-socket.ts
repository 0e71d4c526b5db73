/** The runtime's class of sockets: Bun, browsers and Node from version 22 on have one. */
export const webSocketClass = (): typeof WebSocket => WebSocket
