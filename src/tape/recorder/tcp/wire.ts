/**
 * One end of a connection: bytes are sent in order, and queued here while the system takes none.
 */

/** Interface of the runtime's sockets. */
interface RuntimeSocket {
  write(bytes: Buffer): number
  end(): unknown
  terminate(): unknown
  pause(): unknown
  resume(): unknown
}

/** Beyond this the other side is not read until the queue is sent. */
const WAITING_MAX = 256 * 1024

export class Wire {
  private waiting: Buffer[] = []
  private waitingBytes = 0
  private isEnding = false
  private isClosed = false
  private isPaused = false
  /** The wire whose incoming bytes are sent here. */
  private source: Wire | null = null

  constructor(private readonly socket: RuntimeSocket) {}

  /** Sets the source of the bytes sent here, which pauses while the queue is too long. */
  drawFrom(source: Wire): void {
    this.source = source
  }

  send(bytes: Buffer): void {
    if (this.isClosed || bytes.length === 0) return
    const sent = this.waitingBytes > 0 ? 0 : Math.max(0, this.socket.write(bytes))
    if (sent === bytes.length) return
    // A copy: the runtime may reuse the memory of incoming bytes.
    const rest = Buffer.from(bytes.subarray(sent))
    this.waiting.push(rest)
    this.waitingBytes += rest.length
    if (this.waitingBytes > WAITING_MAX) this.source?.pause()
  }

  /** Call when the system takes bytes again. */
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

  /** Closes it once everything has been sent. */
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

  /** Call when the other side has closed it. */
  closed(): void {
    this.isClosed = true
  }

  private close(): void {
    if (this.isClosed) return
    this.isClosed = true
    this.socket.end()
  }
}
