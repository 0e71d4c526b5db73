/**
 * One HTTP connection, one request at a time. A client library would be slower than the measured
 * server.
 */
export class HttpConnection {
  private socket: Bun.Socket | null = null
  private head = ''
  /** Remaining bytes of the body. */
  private left = 0
  private status = 0
  private waiting: PromiseWithResolvers<number> | null = null

  constructor(private readonly port: number) {}

  async open(): Promise<this> {
    const lost = () => this.waiting?.reject(new Error('the connection was closed'))
    this.socket = await Bun.connect({
      hostname: '127.0.0.1',
      port: this.port,
      socket: { data: (_, chunk) => this.receive(chunk), close: lost, error: lost },
    })
    return this
  }

  /** Requests a path and query; returns the status after the whole response. */
  get(path: string): Promise<number> {
    this.waiting = Promise.withResolvers<number>()
    this.socket?.write(`GET ${path} HTTP/1.1\r\nHost: localhost:${this.port}\r\n\r\n`)
    return this.waiting.promise
  }

  close(): void {
    this.waiting = null
    this.socket?.end()
  }

  private receive(chunk: Buffer): void {
    if (this.left > 0) this.left -= chunk.length
    else {
      this.head += chunk.toString('latin1')
      const end = this.head.indexOf('\r\n\r\n')
      if (end === -1) return
      this.status = Number(this.head.slice(9, 12))
      const length = Number(/content-length: (\d+)/i.exec(this.head)?.[1] ?? 0)
      this.left = length - (this.head.length - end - 4)
      this.head = ''
    }
    if (this.left <= 0) this.waiting?.resolve(this.status)
  }
}
