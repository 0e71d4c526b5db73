/**
 * Many clients that open a socket each as fast as the server accepts them, send one message and
 * wait for the reply. A process of its own: takes an order as JSON on standard input; prints its
 * duration; holds the sockets until its input ends.
 */
import { frameOf, openSocket } from './frame-reader.ts'

export interface CrowdOrder {
  port: number
  /** Path and query of each connection. */
  paths: string[]
  /** Sent on each, once it is open. */
  message: string
}

/** Maximum concurrent openings. */
const AT_ONCE = 500

/** Opens a connection, sends its message and awaits the reply. */
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
