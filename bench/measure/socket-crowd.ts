/**
 * A crowd of clients that open a socket each, one after another as fast as the server takes them,
 * say one thing and wait for the answer. A process of its own: takes an order as JSON on standard
 * input; prints how long it took; holds the sockets until its input ends.
 */
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
function join({ port, message }: CrowdOrder, path: string): Promise<{ end(): void }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ end(): void }>()
  let head = ''
  Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      open(socket) {
        socket.write(
          `GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nUpgrade: websocket\r\n` +
            'Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n' +
            'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
        )
      },
      data(socket, chunk) {
        if (head.endsWith('\r\n\r\n')) return resolve(socket)
        const text = chunk.toString('latin1')
        const end = text.indexOf('\r\n\r\n')
        head += end === -1 ? text : text.slice(0, end + 4)
        if (end === -1) return
        if (!head.startsWith('HTTP/1.1 101')) return reject(new Error(head.slice(0, 200)))
        const body = new TextEncoder().encode(message)
        socket.write(new Uint8Array([129, 128 | body.length, 0, 0, 0, 0, ...body]))
      },
      error: (_, error) => reject(error),
      close: () => reject(new Error('closed')),
    },
  }).catch(reject)
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
