/** One connection that comes back: signed anew each time, kept alive by heartbeats. */
import type { SystemClock } from '../../clock/system-clock.ts'
import { webSocketClass } from '../../platform/web-socket.ts'

/** The service closes after 60 s without a message; clients send one at 20 to 30 s. */
const HEARTBEAT_MS = 25_000

const BACKOFF_START_MS = 250
const BACKOFF_MAX_MS = 30_000

/** So often in a row a connection that never was open is tried. */
const ATTEMPTS_MAX = 6

export interface ReconnectingSocketSettings {
  /** Address of the next connection, signed now. */
  url: () => string
  /** The frame of a heartbeat. */
  ping: string
  systemClock: SystemClock
  /** A number in [0, 1): spreads clients that were lost together. */
  random: () => number
  onOpen: () => void
  onMessage: (text: string) => void
  /** Lost, and tried again after `waitMs`; null when it is given up. */
  onLost: (code: number, waitMs: number | null) => void
}

export class ReconnectingSocket {
  private socket: WebSocket | null = null
  private attempts = 0
  private wasOpen = false
  private isClosed = false
  private hasReceived = false
  private hasPinged = false
  private cancelTimer = () => {}

  constructor(private readonly settings: ReconnectingSocketSettings) {
    this.connect()
  }

  get isOpen(): boolean {
    return this.socket !== null && this.socket.readyState === this.socket.OPEN
  }

  /** Sent if it is open; `onOpen` may send it again. */
  send(frame: object): void {
    if (this.isOpen) this.socket?.send(JSON.stringify(frame))
  }

  close(): void {
    this.isClosed = true
    this.cancelTimer()
    this.socket?.close()
  }

  private connect(): void {
    const socket = new (webSocketClass())(this.settings.url())
    this.socket = socket
    socket.onopen = () => {
      this.attempts = 0
      this.wasOpen = true
      this.hasPinged = false
      this.scheduleHeartbeat()
      this.settings.onOpen()
    }
    socket.onmessage = ({ data }) => {
      this.hasReceived = true
      this.settings.onMessage(String(data))
    }
    socket.onclose = ({ code }) => {
      if (this.socket === socket) this.reconnect(code)
    }
  }

  private reconnect(code: number): void {
    this.cancelTimer()
    this.socket = null
    if (this.isClosed) return
    this.attempts++
    const isGivenUp = !this.wasOpen && this.attempts >= ATTEMPTS_MAX
    const waitMs = isGivenUp ? null : backoffMs(this.attempts, this.settings.random())
    if (waitMs !== null)
      this.cancelTimer = this.settings.systemClock.startTimer(waitMs, () => this.connect())
    this.settings.onLost(code, waitMs)
  }

  /** One heartbeat after another; when nothing was received since the last one, it is lost. */
  private scheduleHeartbeat(): void {
    const { systemClock, ping } = this.settings
    this.hasReceived = false
    this.cancelTimer = systemClock.startTimer(HEARTBEAT_MS, () => {
      const silent = this.socket
      if (this.hasReceived || !this.hasPinged) {
        this.hasPinged = true
        silent?.send(ping)
        return this.scheduleHeartbeat()
      }
      this.reconnect(1006)
      silent?.close()
    })
  }
}

/** Doubles each time; a random value between half of it and all of it. */
export function backoffMs(attempt: number, random: number): number {
  const fullMs = Math.min(BACKOFF_MAX_MS, BACKOFF_START_MS * 2 ** (attempt - 1))
  return fullMs * (0.5 + random / 2)
}
