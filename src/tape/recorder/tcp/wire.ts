/** One end of a connection: bytes go out in order, and what does not go out yet waits here. */

/** What the runtime's sockets have of it. */
interface RuntimeSocket {
  write(bytes: Buffer): number
  end(): unknown
  terminate(): unknown
  pause(): unknown
  resume(): unknown
}

/** More than this waits for nobody: the other side is not read until it has gone out. */
const WAITING_MAX = 256 * 1024

export class Wire {
  private waiting: Buffer[] = []
  private waitingBytes = 0
  private isEnding = false
  private isClosed = false
  private isPaused = false
  /** The wire that what goes out here comes in by. */
  private source: Wire | null = null

  constructor(private readonly socket: RuntimeSocket) {}

  /** What goes out here has come in there, which is not read while too much waits. */
  drawFrom(source: Wire): void {
    this.source = source
  }

  send(bytes: Buffer): void {
    if (this.isClosed || bytes.length === 0) return
    const sent = this.waitingBytes > 0 ? 0 : Math.max(0, this.socket.write(bytes))
    if (sent === bytes.length) return
    // A copy: the runtime may use the memory of what came in again.
    const rest = Buffer.from(bytes.subarray(sent))
    this.waiting.push(rest)
    this.waitingBytes += rest.length
    if (this.waitingBytes > WAITING_MAX) this.source?.pause()
  }

  /** The system takes bytes again. */
  drain(): void {
    while (this.waitingBytes > 0) {
      const next = this.waiting[0] as Buffer
      const sent = Math.max(0, this.socket.write(next))
      this.waitingBytes -= sent
      if (sent < next.length) {
        this.waiting[0] = next.subarray(sent)
        return
      }
      this.waiting.shift()
    }
    this.source?.resume()
    if (this.isEnding) this.close()
  }

  pause(): void {
    if (this.isPaused || this.isClosed) return
    this.isPaused = true
    this.socket.pause()
  }

  resume(): void {
    if (!this.isPaused || this.isClosed) return
    this.isPaused = false
    this.socket.resume()
  }

  /** Closes it once everything has gone out. */
  end(): void {
    this.isEnding = true
    if (this.waitingBytes === 0) this.close()
  }

  /** Closes it now. */
  cut(): void {
    if (this.isClosed) return
    this.isClosed = true
    this.socket.terminate()
  }

  /** The other side has closed it. */
  closed(): void {
    this.isClosed = true
  }

  private close(): void {
    if (this.isClosed) return
    this.isClosed = true
    this.socket.end()
  }
}
