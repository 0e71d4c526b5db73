/** What is known of a connection, for whoever looks for why its client sees nothing. */

import type { Sandbox } from '../sandbox.ts'
import type { HubSession } from './hub-session.ts'
import { IDLE_MS } from './idle-timeout.ts'
import type { Stream } from './stream.ts'
import { hubOf } from './subscription-hub.ts'

export interface ConnectionFigures {
  /** Number within the sandbox, as the journal has it. */
  connection: number
  path: string
  key: string | null
  /** Session time, ms. */
  openedMs: number
  /** When it last had a message that keeps it open, and when it is closed without another. */
  lastMessageMs: number
  closesMs: number
  /** Frames that wait, that were sent, and that were dropped. */
  queued: number
  sent: number
  discarded: number
  /** Bytes that its client has not taken yet. */
  pendingBytes: number
  streams: StreamFigures[]
}

interface StreamFigures {
  channel: string
  subscription: Record<string, unknown>
  /** Since the stream last sent anything, ms. */
  silentMs: number
  /** Since what it shows had an event, ms; null where it shows no state. */
  sourceAgeMs: number | null
  /** Whether it is too old by that, or its client was told so by a scenario. */
  stale: boolean
}

/** The connections of a sandbox, in the order in which they were opened. */
export const connectionFigures = (sandbox: Sandbox): ConnectionFigures[] =>
  [...hubOf(sandbox).sessions].map(figuresOf)

function figuresOf(session: HubSession): ConnectionFigures {
  const { socketJournal, idleTimeout, sendQueue, caller, startedMs, streams } = session
  return {
    connection: socketJournal.connection,
    path: socketJournal.path,
    key: caller.key?.accessKey ?? null,
    openedMs: Math.floor(startedMs),
    lastMessageMs: Math.floor(idleTimeout.lastActivityMs),
    closesMs: Math.floor(idleTimeout.lastActivityMs + IDLE_MS),
    queued: sendQueue.length,
    sent: sendQueue.sentCount,
    discarded: sendQueue.discardedCount,
    pendingBytes: sendQueue.pendingBytes,
    streams: [...streams.values()].map((stream) => streamFigures(session, stream)),
  }
}

function streamFigures({ sandbox, faults }: HubSession, stream: Stream): StreamFigures {
  const { channel, subscription, lastSentMs } = stream
  const nowMs = sandbox.clock.nowMs()
  const isState = channel.pushPolicy.stateOf !== undefined
  return {
    channel: channel.id,
    subscription,
    silentMs: Math.max(0, Math.round(nowMs - lastSentMs)),
    sourceAgeMs: isState
      ? Math.max(0, Math.round(hubOf(sandbox).activity.ageMs(channel, subscription.coin, nowMs)))
      : null,
    stale: isState && (stream.isExpired() || faults.marksStale(stream)),
  }
}
