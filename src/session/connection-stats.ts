import type { Connection } from './connection.ts'
import type { SendQueue } from './send-queue.ts'

/** A connection and its streams. */
interface CountedConnection extends Pick<Connection, 'sandbox'> {
  readonly startedMs: number
  readonly streams: { readonly size: number }
}

/** Sends them; a client that seems not to read is told so all the same. */
export function sendStats(
  session: CountedConnection & { enqueuePush(frame: string): void },
  sendQueue: SendQueue,
): void {
  const stats = connectionStats(session, sendQueue)
  if (sendQueue.isStalled) sendQueue.sendAhead(stats)
  else session.enqueuePush(stats)
}

/**
 * The answer to `{"type":"stat"}`: counters of this connection (the service's documentation,
 * Perpetual-DEX WebSocket).
 */
function connectionStats(session: CountedConnection, sendQueue: SendQueue): string {
  const openMs = session.sandbox.clock.nowMs() - session.startedMs
  const seconds = openMs / 1000
  const data = {
    addressCount: session.streams.size,
    duration: durationText(openMs),
    sentMsgCount: sendQueue.sentCount,
    msgPerSecond: seconds > 0 ? Math.round((sendQueue.sentCount / seconds) * 100) / 100 : 0,
    discardedCount: sendQueue.discardedCount,
    queueLen: sendQueue.length,
  }
  return JSON.stringify({ type: 'stat', data })
}

/** `1h2m3s`, leading zeros left out. */
function durationText(ms: number): string {
  const total = Math.floor(ms / 1000)
  const [h, m, s] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60]
  return `${h > 0 ? `${h}h` : ''}${h > 0 || m > 0 ? `${m}m` : ''}${s}s`
}
