/** The class of sockets on Node, which brings none before version 22. */
import { createRequire } from 'node:module'

export const webSocketClass = (): typeof WebSocket =>
  // Not loaded where it is not needed, and not waited for, so that `require` can load what does.
  globalThis.WebSocket ?? createRequire(import.meta.url)('ws').WebSocket
