/** A case's socket: frames in order, and every wait bounded. */

import type { OpenedSocket, SocketLog } from './conversation.ts'
import { parsedJson } from './responses.ts'
import type { TransportSocket } from './target-transport.ts'

export type SocketFrame = Record<string, unknown> & { data?: unknown }

/** Timeout of an answer to a frame, ms. */
const REPLY_MS = 15_000
/** Factor on the timeout of a required frame: the machine may be busy. */
const LONGER = 4
/** Connections idle for a minute may be closed; some of it is spent in transit. */
const SILENT_S = 45
/** Maximum frames and characters searched for one, and the number shown in a failure. */
const [FRAMES_MAX, LENGTH_MAX, SHOWN] = [10_000, 64 * 1024 * 1024, 5]
/** The same while no time passes. */
const FRAMES_HELD_MAX = 1_000_000

/** Reports failed conditions and skips. */
interface Assertions {
  assert(condition: unknown, message: string, evidence?: unknown): asserts condition
  skip(why: string): never
  /** Marks a value as judged. */
  judges(value: unknown): void
}

/** Receives each frame, and floods. */
interface SocketListener {
  onFrame(frame: SocketFrame): void
  onFlood(flaw: string): void
}

export class ProbeSocket {
  constructor(
    opened: OpenedSocket,
    private readonly judge: Assertions,
    private readonly listener: SocketListener,
    private readonly replyMs: number | undefined,
    private readonly nowS: () => number,
  ) {
    this.socket = opened.socket
    this.log = opened.log
    this.sentS = nowS()
  }

  private readonly socket: TransportSocket
  private readonly log: SocketLog

  /** Characters read since the last send. */
  private length = 0

  /** Time of the last send, and the longest silence, s. */
  private sentS: number
  private silentS = 0

  get closeCode(): number | null {
    return this.socket.closeCode
  }

  /** Sends a value as JSON. */
  sendJson(frame: unknown): void {
    this.send(JSON.stringify(frame))
  }

  /** Sends text or bytes unchanged. */
  send(data: string | Uint8Array): void {
    this.length = 0
    const nowS = this.nowS()
    this.silentS = Math.max(this.silentS, nowS - this.sentS)
    this.sentS = nowS
    this.log.frame('suite', data)
    this.socket.send(data)
  }

  /** Sends a protocol ping. */
  ping(): void {
    if (!this.socket.ping) this.judge.skip('the transport cannot send pings of the protocol')
    this.log.frame('suite', '(a ping of the protocol)')
    this.socket.ping()
  }

  close(): void {
    for (const text of this.socket.frames.splice(0)) this.log.frame('target', text)
    this.log.ended(this.socket.closeCode)
    this.socket.close()
  }

  /** The next frame; null after the timeout. */
  async next(ms = this.replyMs ?? REPLY_MS): Promise<SocketFrame | null> {
    if (this.socket.frames.length === 0) await this.socket.waitForActivity(ms)
    const { flaw = null, frames } = this.socket
    if (flaw !== null) this.listener.onFlood(flaw)
    this.judge.assert(flaw === null, flaw ?? '')
    const text = frames.shift()
    return text === undefined ? null : this.read(text)
  }

  /** The first matching frame, dropping others; a CheckFailure for none. */
  async waitFor(
    meant: (frame: SocketFrame) => boolean,
    message: string,
    ms = LONGER * (this.replyMs ?? REPLY_MS),
  ): Promise<SocketFrame> {
    const others: SocketFrame[] = []
    const untilS = this.nowS() + ms / 1000
    // Bounded by count for a held clock, and by time for a fast market.
    for (let count = 0; count < FRAMES_MAX || this.nowS() < untilS; count++) {
      const frame = count < FRAMES_HELD_MAX ? await this.next(ms) : null
      if (frame === null) break
      if (meant(frame)) return frame
      others.push(frame)
      if (others.length > SHOWN) others.shift()
    }
    if (this.closeCode !== null && this.silentS > SILENT_S)
      this.judge.skip(`it was closed while it had to wait for ${this.silentS} s`)
    this.judge.assert(false, message, { closeCode: this.closeCode, received: others })
  }

  /** All received frames, without waiting. */
  drain(): SocketFrame[] {
    return this.socket.frames.splice(0).map((text) => this.read(text))
  }

  /** Frames until it is closed, or silent for so long. */
  async untilClosed(ms = this.replyMs ?? REPLY_MS): Promise<SocketFrame[]> {
    const said: SocketFrame[] = []
    for (let count = 0; count < FRAMES_MAX; count++) {
      const frame = await this.next(ms)
      if (frame === null) break
      said.push(frame)
    }
    this.judge.judges(this.socket.closeCode)
    return said
  }

  /** Close code; null when it is still open after so long. */
  async closed(ms = this.replyMs ?? REPLY_MS): Promise<number | null> {
    for (let count = 0; this.socket.closeCode === null && count < FRAMES_MAX; count++) {
      for (const text of this.socket.frames.splice(0)) this.log.frame('target', text)
      await this.socket.waitForActivity(ms)
      if (this.socket.closeCode === null && this.socket.frames.length === 0) return null
    }
    this.judge.judges(this.socket.closeCode)
    return this.socket.closeCode
  }

  private read(text: string): SocketFrame {
    this.log.frame('target', text)
    this.length += text.length
    this.judge.assert(this.length <= LENGTH_MAX, `no more than ${LENGTH_MAX} characters are sent`)
    const frame = parsedJson(text)
    this.judge.assert(isFrame(frame), 'every frame is a JSON object', text.slice(0, 500))
    // A target may answer pings and nothing else.
    if (!isPong(frame)) this.judge.judges(frame)
    this.listener.onFrame(frame)
    return frame
  }
}

/** A reply to a ping, in either form (open). */
export const isPong = (frame: SocketFrame) => frame.channel === 'pong' || frame.type === 'pong'

const isFrame = (value: unknown): value is SocketFrame =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
