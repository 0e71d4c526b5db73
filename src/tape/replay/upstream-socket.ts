/** A subscription at the real service, on a connection of its own. */
import { startBackgroundTimer } from '../../clock/system-clock.ts'
import { webSocketClass } from '../../platform/web-socket.ts'
import { jsonOf } from './json-text.ts'

/** What is subscribed to, and where. */
export interface UpstreamSubscription {
  /** Path and query. */
  target: string
  /** The frame that subscribes. */
  command: string
  /** The frame that keeps the connection. */
  ping: string
}

export interface UpstreamListener {
  /** A push, or an error of the service; acknowledgements and pongs are not passed on. */
  onFrame(text: string): void
  /** Nothing comes any more, and why; it is tried again until it is stopped. */
  onLost(why: string): void
}

/** The service closes connections that are silent for a minute. */
const PING_MS = 20_000
const RETRY_MS = 5_000

/**
 * Subscribes, and again whenever the connection is lost; the result ends it. One connection for
 * each subscription: frames do not say which one they belong to.
 *
 * @param url where to connect, asked for each time as signatures age
 * @param waitMs so long an opening is waited for
 */
export function followUpstream(
  url: () => string,
  { command, ping }: Pick<UpstreamSubscription, 'command' | 'ping'>,
  listener: UpstreamListener,
  waitMs: number,
): () => void {
  let stopped = false
  let isLost = false
  let socket: WebSocket | null = null
  let cancelTimer = () => {}
  const lose = (of: WebSocket | null, why: string) => {
    if (stopped || socket !== of) return
    socket = null
    cancelTimer()
    cancelTimer = startBackgroundTimer(RETRY_MS, connect)
    if (!isLost) listener.onLost(why)
    isLost = true
    of?.close()
  }
  const keep = (of: WebSocket) => {
    of.send(ping)
    cancelTimer = startBackgroundTimer(PING_MS, () => keep(of))
  }
  function connect(): void {
    const opened = new (webSocketClass())(url())
    socket = opened
    cancelTimer = startBackgroundTimer(waitMs, () => lose(opened, 'it does not answer'))
    opened.onopen = () => {
      cancelTimer()
      opened.send(command)
      keep(opened)
    }
    opened.onmessage = ({ data }) => {
      if (stopped || socket !== opened || typeof data !== 'string' || isReply(data)) return
      isLost = false
      listener.onFrame(data)
    }
    opened.onclose = ({ code, reason }) => lose(opened, closingText(code, reason))
  }
  connect()
  return () => {
    stopped = true
    cancelTimer()
    socket?.close()
  }
}

/** Acknowledgements and pongs, which the sandbox gives itself. */
function isReply(text: string): boolean {
  const { channel, type, data } = (jsonOf(text) ?? {}) as Record<string, unknown>
  return (
    data === undefined ||
    channel === 'subscriptionResponse' ||
    channel === 'pong' ||
    type === 'pong'
  )
}

const closingText = (code: number, reason: string): string =>
  reason === '' ? `it closed the connection with ${code}` : `it closed with ${code}, ${reason}`
