/** The class of sockets on Node, which has none before version 22. */
import { createRequire } from 'node:module'
import { UserError } from './user-error.ts'

export const webSocketClass = (): typeof WebSocket => globalThis.WebSocket ?? classOfPackage()

let known: typeof WebSocket | null = null

const MISSING =
  'this Node has no WebSocket, and the package ws, which brings one, is not installed: run ' +
  '`npm install ws`, or take Node 22 or later'

/** Loaded on demand, and synchronously, so that `require` can load its importers. */
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
      // Elsewhere an unhandled error event is followed by the close and has no further effect.
      this.on('error', () => {})
    }
  } as unknown as typeof WebSocket
