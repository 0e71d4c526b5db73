/**
 * A crowd of clients that open a socket each, one after another as fast as the server takes them,
 * say one thing and wait for the answer. A process of its own: takes an order as JSON on standard
 * input; prints how long it took; holds the sockets until its input ends.
 */
import { frameOf, openSocket } from './frame-reader.ts'

export interface CrowdOrder {
  port: number
  /** Path and query of each connection. */
  paths: string[]
  /** Sent on each, once it is open. */
  message: string
}

/** Connections that are being opened at once. */
const AT_ONCE = 500

/** Opens a connection, says its message and waits for what comes back. */
async function join({ port, message }: CrowdOrder, path: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const socket = await openSocket(port, path, {
    take: (chunk) => {
      if (chunk.length > 0) resolve()
    },
    closed: () => reject(new Error('closed')),
  })
  socket.write(frameOf(message))
  return promise
}

async function joinAll(order: CrowdOrder): Promise<number> {
  const startMs = performance.now()
  let next = 0
  const joinOn = async () => {
    for (let at = next++; at < order.paths.length; at = next++)
      await join(order, order.paths[at] as string)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, joinOn))
  return performance.now() - startMs
}

if (import.meta.main) {
  const lines = console[Symbol.asyncIterator]()
  const { value } = await lines.next()
  console.log(JSON.stringify({ tookMs: await joinAll(JSON.parse(value as string)) }))
  await lines.next()
  process.exit(0)
}
