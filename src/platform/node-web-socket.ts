/** The class of sockets on Node, which brings none before version 22. */
import { createRequire } from 'node:module'

export const webSocketClass = (): typeof WebSocket => globalThis.WebSocket ?? classOfPackage()

let known: typeof WebSocket | null = null

/** Not loaded where it is not needed, and not waited for, so that `require` can load what does. */
function classOfPackage(): typeof WebSocket {
  if (known !== null) return known
  const { WebSocket: Socket } = createRequire(import.meta.url)('ws')
  known = class extends Socket {
    constructor(url: string) {
      super(url)
      // Elsewhere an error that nobody listens to is followed by the end and is no more than that.
      this.on('error', () => {})
    }
  } as unknown as typeof WebSocket
  return known
}
