/** Talking to a toy market over a socket in memory. */
import { type MemorySocket, memory } from '../src/transport/memory/memory.ts'
import { signed, toyRegistry } from './toy-market.ts'

export const P = '/api/upgrade/v2/hl'

/** A signed socket to a toy market, and its clock. */
export async function open(path = '/ws', wish = {}) {
  const registry = await toyRegistry({ epoch: 'tape', ...wish })
  const sandbox = registry.list()[0]
  if (!sandbox) throw new Error('no default sandbox')
  const socket = memory(registry).connect(`${P}${path}${path.includes('?') ? '&' : '?'}${signed()}`)
  if (!('frames' in socket)) throw new Error(socket.body)
  return { registry, sandbox, socket, advance: (ms: number) => sandbox.clock.advance(ms) }
}

export const say = (socket: MemorySocket, frame: unknown) => socket.send(JSON.stringify(frame))
export const heard = (socket: MemorySocket) =>
  socket.frames.splice(0).map((text) => JSON.parse(text))
export const subscribe = (subscription: object) => ({ method: 'subscribe', subscription })
