/** Records the events and frames of one socket in its sandbox's journal. */
import type { Refusal } from '../../contract/refusal.ts'
import type { JournalEntry } from '../journal/journal.ts'
import type { HttpResponse } from '../pipeline/http-message.ts'
import type { Reason } from '../pipeline/reason.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Session } from './session.ts'
import type { Stream } from './stream.ts'
import { hubOf } from './subscription-hub.ts'

/** The sender, as in the journal. */
type Via = JournalEntry['via']

export class SocketJournal {
  constructor(
    private readonly sandbox: Sandbox,
    readonly connection: number,
    readonly path: string,
    private readonly key: string | null,
    readonly via: Via,
  ) {}

  opened(): void {
    this.recordEvent('opened', null, null)
  }

  closed(code: number | null, reason: string): void {
    this.recordEvent('closed', code, reason)
  }

  /** A rule of a scenario has acted on the connection. */
  faultApplied(rule: string, subject: string): void {
    this.recordEvent('fault', null, subject, rule)
  }

  /** Frames of one instant, in order. */
  frames(direction: 'in' | 'out', texts: readonly string[]): void {
    const { journal } = this.sandbox
    const { connection, path, via } = this
    if (!journal.isOn || (via === 'console' && !journal.keepsConsoleFrames)) return
    const { sessionMs, tapeMs, key } = entryHeaderOf(this.sandbox, this.key)
    journal.recordFrames({ sessionMs, tapeMs, key, direction, connection, path, via }, texts)
  }

  private recordEvent(
    event: 'opened' | 'closed' | 'fault',
    status: number | null,
    subject: string | null,
    rule: string | null = null,
  ): void {
    const { journal } = this.sandbox
    if (!journal.isOn) return
    const { sessionMs, tapeMs, key } = entryHeaderOf(this.sandbox, this.key)
    const { connection, path, via } = this
    journal.record({
      kind: 'socket',
      event,
      connection,
      path,
      sessionMs,
      tapeMs,
      key,
      status,
      refused: null,
      subject,
      reason: null,
      rule,
      via,
    })
  }
}

/** A refused upgrade. */
interface RefusedSocket {
  path: string
  /** The access key as it was sent; null without one. */
  key: string | null
  /** null when a rule gave another response. */
  refusal: Refusal | null
  reason: Reason | null
  answer: Pick<HttpResponse, 'status'>
  /** Rules that acted. */
  rules: string
  via: Via
}

/** Records a refused connection. */
export function journalRefusedSocket(
  sandbox: Sandbox,
  { path, key, refusal, reason, answer, rules, via }: RefusedSocket,
): void {
  const { journal } = sandbox
  if (!journal.isOn) return
  journal.record({
    kind: 'socket',
    event: 'refused',
    connection: null,
    path,
    ...entryHeaderOf(sandbox, key),
    status: answer.status,
    refused: refusal?.refused ?? null,
    subject: null,
    reason,
    rule: rules || null,
    via,
  })
}

function entryHeaderOf(sandbox: Sandbox, key: string | null) {
  return { sessionMs: sandbox.clock.nowMs(), tapeMs: sandbox.position().atMs, key }
}

/** The diagnostic figures of a connection. */
interface ConnectionFigures {
  /** Number within the sandbox, as in the journal. */
  connection: number
  path: string
  key: string | null
  /** The console for its own sockets; null for those of clients. */
  via: Via
  /** Session time, ms. */
  openedMs: number
  /** When it last had a message that keeps it open, and when it is closed without another. */
  lastMessageMs: number
  closesMs: number
  /** Waiting, sent and dropped frames. */
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
  /** Time since the stream's last frame, ms. */
  silentMs: number
  /** Time since the last event of its data, ms; null where it shows no state. */
  sourceAgeMs: number | null
  /** Whether the data is stale, or a rule has marked it so. */
  stale: boolean
}

/** The connections of a sandbox, in the order of opening. */
export const connectionFigures = (sandbox: Sandbox): ConnectionFigures[] =>
  [...hubOf(sandbox).sessions].map(figuresOf)

function figuresOf(session: Session): ConnectionFigures {
  const { socketJournal, idleTimeout, sendQueue, caller, startedMs, streams } = session
  return {
    connection: socketJournal.connection,
    path: socketJournal.path,
    key: caller.key?.accessKey ?? null,
    via: socketJournal.via,
    openedMs: Math.floor(startedMs),
    lastMessageMs: Math.floor(idleTimeout.lastActivityMs),
    closesMs: Math.floor(idleTimeout.endsMs),
    queued: sendQueue.length,
    sent: sendQueue.sentCount,
    discarded: sendQueue.discardedCount,
    pendingBytes: sendQueue.pendingBytes,
    streams: [...streams.values()].map((stream) => streamFigures(session, stream)),
  }
}

function streamFigures({ sandbox, faults }: Session, stream: Stream): StreamFigures {
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
