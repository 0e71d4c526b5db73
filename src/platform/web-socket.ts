/** The class of the runtime's sockets: Bun, browsers and Node from version 22 on bring one. */
export const webSocketClass = (): typeof WebSocket => WebSocket
