/** One connection that comes back: signed anew each time, kept alive by heartbeats. */
import type { Machine } from '../../clock/machine.ts'

/** The service closes after 60 s without a message; clients send one at 20 to 30 s. */
const HEARTBEAT_MS = 25_000

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 30_000

/** So often in a row a connection that never was open is tried. */
const MOST_ATTEMPTS = 6

export interface LineSettings {
  /** Address of the next connection, signed now. */
  address: () => string
  /** The frame of a heartbeat. */
  ping: string
  by: Machine
  /** A number in [0, 1): spreads clients that were lost together. */
  chance: () => number
  opened: () => void
  heard: (text: string) => void
  /** Lost, and tried again after `waitMs`; null when it is given up. */
  lost: (code: number, waitMs: number | null) => void
}

export class Line {
  private socket: WebSocket | null = null
  private attempts = 0
  private wasOpen = false
  private isClosed = false
  private wasHeard = false
  private hasPinged = false
  private cancel = () => {}

  constructor(private readonly settings: LineSettings) {
    this.connect()
  }

  get isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN
  }

  /** Sent if it is open; whoever listens to `opened` says it again after that. */
  send(frame: object): void {
    if (this.isOpen) this.socket?.send(JSON.stringify(frame))
  }

  close(): void {
    this.isClosed = true
    this.cancel()
    this.socket?.close()
  }

  private connect(): void {
    const socket = new WebSocket(this.settings.address())
    this.socket = socket
    socket.onopen = () => {
      this.attempts = 0
      this.wasOpen = true
      this.hasPinged = false
      this.beat()
      this.settings.opened()
    }
    socket.onmessage = ({ data }) => {
      this.wasHeard = true
      this.settings.heard(String(data))
    }
    socket.onclose = ({ code }) => {
      if (this.socket === socket) this.again(code)
    }
  }

  private again(code: number): void {
    this.cancel()
    this.socket = null
    if (this.isClosed) return
    this.attempts++
    const isGivenUp = !this.wasOpen && this.attempts >= MOST_ATTEMPTS
    const waitMs = isGivenUp ? null : waitOf(this.attempts, this.settings.chance())
    if (waitMs !== null) this.cancel = this.settings.by.timer(waitMs, () => this.connect())
    this.settings.lost(code, waitMs)
  }

  /** One heartbeat after another; when nothing was heard since the last one, it is lost. */
  private beat(): void {
    const { by, ping } = this.settings
    this.wasHeard = false
    this.cancel = by.timer(HEARTBEAT_MS, () => {
      const silent = this.socket
      if (this.wasHeard || !this.hasPinged) {
        this.hasPinged = true
        silent?.send(ping)
        return this.beat()
      }
      this.again(1006)
      silent?.close()
    })
  }
}

/** Doubles each time, between half and the whole of it, by chance. */
export function waitOf(attempt: number, chance: number): number {
  const whole = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1))
  return whole * (0.5 + chance / 2)
}
