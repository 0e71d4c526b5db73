import type { Connection } from './connection.ts'
import type { SendQueue } from './send-queue.ts'

/** A connection and what it follows. */
interface Counted extends Pick<Connection, 'sandbox'> {
  readonly startedMs: number
  readonly streams: { readonly size: number }
}

/** The answer to `{"type":"stat"}`: counters of this connection (spec, Perpetual-DEX WebSocket). */
export function connectionStats(session: Counted, outbox: SendQueue): string {
  const openMs = session.sandbox.clock.nowMs() - session.startedMs
  const seconds = openMs / 1000
  const data = {
    addressCount: session.streams.size,
    duration: durationText(openMs),
    sentMsgCount: outbox.sentCount,
    msgPerSecond: seconds > 0 ? Math.round((outbox.sentCount / seconds) * 100) / 100 : 0,
    discardedCount: outbox.discardedCount,
    queueLen: outbox.length,
  }
  return JSON.stringify({ type: 'stat', data })
}

/** `1h2m3s`, leading zeros left out. */
function durationText(ms: number): string {
  const total = Math.floor(ms / 1000)
  const [h, m, s] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60]
  return `${h > 0 ? `${h}h` : ''}${h > 0 || m > 0 ? `${m}m` : ''}${s}s`
}
