/**
 * Loads one server as fast as it answers, from a process of its own: one pending request on each of
 * some open connections. It implements HTTP itself, because a client library would be slower. Takes
 * an order as JSON on standard input and prints its counts.
 */
export interface LoadOrder {
  port: number
  /** Path and query of each request, in turn. */
  paths: string[]
  connections: number
  warmMs: number
  countMs: number
}

export interface LoadResult {
  /** All answers, those of the warm-up too. */
  answered: number
  perSecond: number
  p99Ms: number
}

async function load({ port, paths, connections, warmMs, countMs }: LoadOrder): Promise<LoadResult> {
  const startMs = performance.now()
  const span = { fromMs: startMs + warmMs, untilMs: startMs + warmMs + countMs }
  const requests = paths.map((path) =>
    Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nAccept: */*\r\n\r\n`),
  )
  const tookMs: number[] = []
  let next = 0
  const nextRequest = () => requests[next++ % requests.length] as Buffer
  const all = Array.from({ length: connections }, () => new Connection(nextRequest, span, tookMs))
  await Promise.all(all.map((one) => one.run(port)))
  tookMs.sort((a, b) => a - b)
  const p99Ms = tookMs[Math.floor(tookMs.length * 0.99)] ?? 0
  const answered = all.reduce((sum, one) => sum + one.count, 0)
  return { answered, perSecond: (tookMs.length / countMs) * 1000, p99Ms }
}

type Socket = { write(data: Uint8Array): number; end(): void }

class Connection {
  count = 0
  private sentMs = 0
  /** Remaining bytes of the body. */
  private left = 0
  private head = ''
  private readonly done = Promise.withResolvers<void>()

  constructor(
    private readonly nextRequest: () => Buffer,
    private readonly span: { fromMs: number; untilMs: number },
    private readonly tookMs: number[],
  ) {}

  run(port: number): Promise<void> {
    const { resolve, reject } = this.done
    const socket = {
      open: (socket: Socket) => this.send(socket),
      data: (socket: Socket, chunk: Buffer) => this.receive(socket, chunk),
      error: (_: Socket, error: Error) => reject(error),
      close: () => resolve(),
    }
    Bun.connect({ hostname: 'localhost', port, socket }).catch(reject)
    return this.done.promise
  }

  private send(socket: Socket): void {
    this.sentMs = performance.now()
    socket.write(this.nextRequest())
  }

  private receive(socket: Socket, chunk: Buffer): void {
    if (this.left > 0) {
      this.left -= chunk.length
      if (this.left <= 0) this.answered(socket)
      return
    }
    this.head += chunk.toString('latin1')
    const end = this.head.indexOf('\r\n\r\n')
    if (end === -1) return
    if (!/^HTTP\/1\.1 200/.test(this.head))
      return this.done.reject(new Error(this.head.slice(0, 80)))
    const length = Number(/content-length: (\d+)/i.exec(this.head)?.[1])
    this.left = length - (this.head.length - end - 4)
    this.head = ''
    if (this.left <= 0) this.answered(socket)
  }

  private answered(socket: Socket): void {
    const nowMs = performance.now()
    this.count++
    const { fromMs, untilMs } = this.span
    if (this.sentMs >= fromMs && nowMs < untilMs) this.tookMs.push(nowMs - this.sentMs)
    if (nowMs < untilMs) return this.send(socket)
    socket.end()
    this.done.resolve()
  }
}

if (import.meta.main) console.log(JSON.stringify(await load(JSON.parse(await Bun.stdin.text()))))
