/** A reconnecting socket: signed anew for each connection, kept alive by heartbeats. */
import type { SystemClock } from '../../../clock/system-clock.ts'
import { ClientError } from '../errors.ts'
import { backoffMs } from '../settings.ts'

/** The service closes after 60 s without a message; clients send one at 20 to 30 s. */
const HEARTBEAT_MS = 25_000

/** A connection of this length is sound: the delays start again after it. */
const SOUND_MS = 10_000

/** Maximum number of attempts in a row for a refused connection. */
const REFUSALS_MAX = 6

/** The service's reason for refusing a connection. */
export interface UpgradeRefusal {
  error: ClientError
  /** Minimum wait, s; null where it has none. */
  retryAfterS: number | null
  /** It will be refused again. */
  isFinal: boolean
  /** It concerns the caller: after some attempts it is given up. */
  isOfCaller: boolean
}

export interface ReconnectingSocketSettings {
  /** Address of the next connection, signed now. */
  url: () => Promise<string>
  socketClass: () => new (url: string) => WebSocket
  /** Requests the reason of a refusal by HTTP; null where that gives none. */
  refusal: () => Promise<UpgradeRefusal | null>
  /** The frames of a heartbeat. */
  heartbeat: readonly string[]
  /** Longest wait for a connection to open, ms. */
  connectMs: number
  systemClock: SystemClock
  /** A number in [0, 1): spreads clients that were disconnected together. */
  random: () => number
  onOpen: () => void
  onMessage: (text: string) => void
  /** Lost, and retried after `waitMs`; null when it is given up. */
  onLost: (loss: Loss) => void
}

export interface Loss {
  code: number
  waitMs: number | null
  /** Number of losses and refusals in a row. */
  attempts: number
  /** The reason of a refusal, where it is known. */
  error: ClientError | null
}

export class ReconnectingSocket {
  private socket: WebSocket | null = null
  private attempts = 0
  private openedMs: number | null = null
  private refusal: UpgradeRefusal | null = null
  private hasRequested = false
  private isClosed = false
  private hasReceived = false
  private hasPinged = false
  private cancelTimer = () => {}

  constructor(private readonly settings: ReconnectingSocketSettings) {
    void this.connect()
  }

  get isOpen(): boolean {
    return this.socket !== null && this.socket.readyState === this.socket.OPEN
  }

  /** Sends a frame if it is open; `onOpen` may send it again. */
  send(frame: object): void {
    if (this.isOpen) this.socket?.send(JSON.stringify(frame))
  }

  /** Opens another connection in its place. */
  renew(): void {
    const old = this.socket
    if (old === null) return
    void this.lost(1006)
    old.close()
  }

  close(): void {
    this.isClosed = true
    this.cancelTimer()
    this.socket?.close()
  }

  private async connect(): Promise<void> {
    const { url, socketClass, connectMs, systemClock } = this.settings
    const address = await url().catch((error: unknown) => error as ClientError)
    if (this.isClosed) return
    if (typeof address !== 'string') return this.impossible(address)
    let socket: WebSocket
    try {
      socket = new (socketClass())(address)
    } catch (error) {
      return this.impossible(new ClientError('client', (error as Error).message))
    }
    this.socket = socket
    this.openedMs = null
    this.cancelTimer = systemClock.startTimer(connectMs, () => {
      void this.lost(1006)
      socket.close()
    })
    socket.onopen = () => this.socket === socket && this.opened()
    socket.onmessage = ({ data }) => {
      if (this.socket !== socket) return
      this.hasReceived = true
      this.settings.onMessage(String(data))
    }
    socket.onclose = ({ code }) => {
      if (this.socket === socket) void this.lost(code)
    }
  }

  private opened(): void {
    this.cancelTimer()
    this.openedMs = this.settings.systemClock.monotonicMs()
    this.hasPinged = false
    this.scheduleHeartbeat()
    this.settings.onOpen()
  }

  private async lost(code: number): Promise<void> {
    const { systemClock, random, onLost } = this.settings
    const { openedMs } = this
    this.cancelTimer()
    this.socket = null
    if (this.isClosed) return
    if (openedMs !== null) {
      if (systemClock.monotonicMs() - openedMs >= SOUND_MS) this.attempts = 0
      this.refusal = null
      this.hasRequested = false
    } else await this.askOnce()
    if (this.isClosed) return
    this.attempts++
    const { refusal } = this
    const isGivenUp =
      refusal?.isFinal || (refusal?.isOfCaller && this.attempts >= REFUSALS_MAX) || false
    const ownMs = backoffMs(this.attempts, random())
    const waitMs = isGivenUp ? null : Math.max(ownMs, (refusal?.retryAfterS ?? 0) * 1000)
    if (waitMs !== null) this.cancelTimer = systemClock.startTimer(waitMs, () => this.connect())
    // The given wait counts for this attempt only.
    if (refusal) this.refusal = { ...refusal, retryAfterS: null }
    onLost({ code, waitMs, attempts: this.attempts, error: refusal?.error ?? null })
  }

  /**
   * Once for each outage: a service under load gets no additional requests. A refusal of the caller
   * is soon given up, and may be cured by another clock.
   */
  private async askOnce(): Promise<void> {
    if (this.hasRequested && !this.refusal?.isOfCaller) return
    this.hasRequested = true
    this.refusal = await this.settings.refusal()
  }

  /** Without a signature or a socket a retry is useless. */
  private impossible(error: ClientError): void {
    this.isClosed = true
    this.settings.onLost({ code: 1006, waitMs: null, attempts: 1, error })
  }

  /** Sends heartbeats; when nothing was received since the last one, the connection is lost. */
  private scheduleHeartbeat(): void {
    const { systemClock, heartbeat } = this.settings
    this.hasReceived = false
    this.cancelTimer = systemClock.startTimer(HEARTBEAT_MS, () => {
      if (!this.hasReceived && this.hasPinged) return this.renew()
      this.hasPinged = true
      for (const frame of heartbeat) this.socket?.send(frame)
      this.scheduleHeartbeat()
    })
  }
}

/** Reports a time without news. */
export class SilenceWatch {
  private newsMs = 0
  private cancel: (() => void) | null = null

  /** @param limitMs null for no limit */
  constructor(
    private readonly systemClock: SystemClock,
    private readonly limitMs: number | null,
    private readonly onSilent: (forMs: number) => void,
  ) {}

  get isOn(): boolean {
    return this.limitMs !== null
  }

  /** Notes news: it stores a time and sets no timer, as it is called for every push. */
  news(): void {
    this.newsMs = this.systemClock.monotonicMs()
    if (this.cancel === null && this.limitMs !== null) this.check(this.limitMs)
  }

  stop(): void {
    this.cancel?.()
    this.cancel = null
  }

  private check(inMs: number): void {
    const limitMs = this.limitMs ?? 0
    this.cancel = this.systemClock.startTimer(inMs, () => {
      const forMs = this.systemClock.monotonicMs() - this.newsMs
      this.cancel = null
      if (forMs >= limitMs) this.onSilent(forMs)
      else this.check(limitMs - forMs)
    })
  }
}
