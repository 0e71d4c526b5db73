/** The class of sockets on Node, which brings none before version 22. */
import { createRequire } from 'node:module'
import { UserError } from './user-error.ts'

export const webSocketClass = (): typeof WebSocket => globalThis.WebSocket ?? classOfPackage()

let known: typeof WebSocket | null = null

const MISSING =
  'this Node has no WebSocket, and the package ws, which brings one, is not installed: run ' +
  '`npm install ws`, or take Node 22 or later'

/** Not loaded where it is not needed, and not waited for, so that `require` can load what does. */
function classOfPackage(): typeof WebSocket {
  known ??= quietClassOf(loadedPackage().WebSocket)
  return known
}

function loadedPackage() {
  try {
    return createRequire(import.meta.url)('ws')
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'MODULE_NOT_FOUND') throw error
    throw new UserError(MISSING)
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the package comes without types
const quietClassOf = (Socket: any): typeof WebSocket =>
  class extends Socket {
    constructor(url: string) {
      super(url)
      // Elsewhere an error that nobody listens to is followed by the end and is no more than that.
      this.on('error', () => {})
    }
  } as unknown as typeof WebSocket
