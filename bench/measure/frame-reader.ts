/**
 * A minimal reading client: opens sockets, sends messages, counts frames.
 *
 * It implements WebSocket itself, so that the server is measured and no client library. Run as a
 * process of its own: it reads the JSON of a `FrameReadOrder` and prints that of a `FrameCount`.
 */
export interface FrameReadOrder {
  port: number
  /** Path and query of each connection. */
  paths: string[]
  /** Sent once each connection is open. */
  messages: string[]
  /** Delay of counting after the last connection was opened. */
  warmMs: number
  countMs: number
}

export interface FrameCount {
  frames: number
  bytes: number
  tookMs: number
}

/** Counts the frames in a stream of bytes in chunks. */
export class FrameCounter {
  frames = 0
  bytes = 0
  private header: number[] = []
  private left = 0

  take(chunk: Uint8Array): void {
    this.bytes += chunk.length
    let at = 0
    while (at < chunk.length) {
      if (this.left > 0) {
        const step = Math.min(this.left, chunk.length - at)
        this.left -= step
        at += step
      } else {
        this.header.push(chunk[at] as number)
        at++
        this.readHeader()
      }
    }
  }

  private readHeader(): void {
    const [, length = 0] = this.header
    const need = (length & 127) === 126 ? 4 : (length & 127) === 127 ? 10 : 2
    if (this.header.length < Math.max(2, need)) return
    const extended = this.header.slice(2).reduce((sum, byte) => sum * 256 + byte, 0)
    this.left = need === 2 ? length & 127 : extended
    this.header = []
    this.frames++
  }
}

/** A client's text frame; masked with zeros, which changes nothing. */
export function frameOf(text: string): Uint8Array {
  const body = new TextEncoder().encode(text)
  const size = body.length < 126 ? [body.length | 128] : [254, body.length >> 8, body.length & 255]
  return new Uint8Array([129, ...size, 0, 0, 0, 0, ...body])
}

/** Receives the bytes of a socket after its upgrade. */
interface ByteSink {
  take(chunk: Uint8Array): void
  /** The server has closed it. */
  closed?(): void
}

/** Opens a socket at a path and query; its bytes go to the sink. */
export function openSocket(port: number, path: string, sink: ByteSink): Promise<Bun.Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Bun.Socket>()
  let responseHead = ''
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
        if (responseHead.endsWith('\r\n\r\n')) return sink.take(chunk)
        const text = chunk.toString('latin1')
        const end = text.indexOf('\r\n\r\n')
        responseHead += end === -1 ? text : text.slice(0, end + 4)
        if (end === -1) return
        if (!responseHead.startsWith('HTTP/1.1 101')) return reject(new Error(responseHead))
        sink.take(chunk.subarray(end + 4))
        resolve(socket)
      },
      error: (_, error) => reject(error),
      close: () => sink.closed?.(),
    },
  }).catch(reject)
  return promise
}

async function readFrames(order: FrameReadOrder): Promise<FrameCount> {
  const counters = order.paths.map(() => new FrameCounter())
  const sum = (of: 'frames' | 'bytes') => counters.reduce((total, one) => total + one[of], 0)
  await Promise.all(
    counters.map(async (counter, at) => {
      const socket = await openSocket(order.port, order.paths[at] as string, counter)
      for (const message of order.messages) socket.write(frameOf(message))
    }),
  )
  await Bun.sleep(order.warmMs)
  const [frames, bytes] = [sum('frames'), sum('bytes')]
  const startMs = performance.now()
  await Bun.sleep(order.countMs)
  const tookMs = performance.now() - startMs
  return { frames: sum('frames') - frames, bytes: sum('bytes') - bytes, tookMs }
}

if (import.meta.main) {
  const order = (await Bun.stdin.json()) as FrameReadOrder
  console.log(JSON.stringify(await readFrames(order)))
  process.exit(0)
}
