/** Writes the events and the frames of one socket into its sandbox's journal. */
import type { Refusal } from '../../contract/refusal.ts'
import type { HttpResponse } from '../pipeline/http-message.ts'
import type { Sandbox } from '../sandbox.ts'
import type { ApiKey } from '../tenancy/api-key.ts'
import type { Session } from './session.ts'
import type { Stream } from './stream.ts'
import { hubOf } from './subscription-hub.ts'

export class SocketJournal {
  constructor(
    private readonly sandbox: Sandbox,
    readonly connection: number,
    readonly path: string,
    private readonly key: string | null,
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

  /** Frames of one moment, in order. */
  frames(direction: 'in' | 'out', texts: readonly string[]): void {
    const { journal } = this.sandbox
    if (!journal.isOn) return
    const { sessionMs, tapeMs, key } = entryHeaderOf(this.sandbox, this.key)
    const { connection, path } = this
    journal.recordFrames({ sessionMs, tapeMs, key, direction, connection, path }, texts)
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
    const { connection, path } = this
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
      rule,
    })
  }
}

/** An upgrade that was answered instead of let in. */
interface RefusedSocket {
  path: string
  /** Whose it is, where that is known. */
  key: ApiKey | null
  /** null when a rule gave another answer. */
  refusal: Refusal | null
  answer: Pick<HttpResponse, 'status'>
  /** Rules that acted. */
  rules: string
}

/** A connection that was not let in. */
export function journalRefusedSocket(
  sandbox: Sandbox,
  { path, key, refusal, answer, rules }: RefusedSocket,
): void {
  const { journal } = sandbox
  if (!journal.isOn) return
  journal.record({
    kind: 'socket',
    event: 'refused',
    connection: null,
    path,
    ...entryHeaderOf(sandbox, key?.accessKey ?? null),
    status: answer.status,
    refused: refusal?.refused ?? null,
    subject: null,
    rule: rules || null,
  })
}

function entryHeaderOf(sandbox: Sandbox, key: string | null) {
  return { sessionMs: sandbox.clock.nowMs(), tapeMs: sandbox.position().atMs, key }
}

/** What is known of a connection, for whoever looks for why its client sees nothing. */
interface ConnectionFigures {
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

function figuresOf(session: Session): ConnectionFigures {
  const { socketJournal, idleTimeout, sendQueue, caller, startedMs, streams } = session
  return {
    connection: socketJournal.connection,
    path: socketJournal.path,
    key: caller.key?.accessKey ?? null,
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
