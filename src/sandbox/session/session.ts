/** A socket session: parses frames, acts on them, replies. It is independent of the transport. */

import type { SessionClock } from '../../clock/session-clock.ts'
import { isSlices, type Slices } from '../../clock/turns.ts'
import type { Channel } from '../../contract/channel.ts'
import {
  type ClientCommand,
  type Dialect,
  NODE_DIALECT,
  VENUE_DIALECT,
} from '../../contract/dialect.ts'
import { CONTRACT_BOUNDS, jsonBoundFlaw } from '../../contract/fields/json-bounds.ts'
import { isRefusal } from '../../contract/refusal.ts'
import { refusalText } from '../../contract/refusal-forms.ts'
import { ACTION_REFUSAL, answerVenueInfo, info } from '../../contract/venue.ts'
import { jsonOf } from '../../tape/replay/upstream.ts'
import { SocketCoverage, type SocketEnd } from '../coverage/socket-coverage.ts'
import type { FrameCounts } from '../metrics/server-metrics.ts'
import type { HttpResponse } from '../pipeline/http-message.ts'
import { operationCallOf } from '../pipeline/operation-call.ts'
import { recordedOutcome } from '../pipeline/pipeline.ts'
import type { Sandbox, StopReason } from '../sandbox.ts'
import type { ApiKey } from '../tenancy/api-key.ts'
import { SendQueue, type SocketConnection } from './send-queue.ts'
import { SocketFaults } from './socket-faults.ts'
import { SocketJournal } from './socket-journal.ts'
import type { Stream } from './stream.ts'
import { changeAddresses, subscribe, unsubscribe } from './subscribing.ts'
import { hubOf, type SubscriptionHub } from './subscription-hub.ts'

const IDLE_REASON = 'idle for 60 s'
const REQUESTED_REASON = 'closed on request'
const LEFT_REASON = 'the client has gone'

/** The server's close event for each reason. */
const STOP_CLOSINGS: Record<StopReason, [reason: string, code: number]> = {
  gone: ['the sandbox is gone', 1000],
  ending: ['the server is ending', 1001],
}

/** How a connection has ended, by the reason; a fault or the server's own rules for any other. */
const ENDS = new Map<string, SocketEnd>([
  [IDLE_REASON, 'idle'],
  [REQUESTED_REASON, 'close'],
  [LEFT_REASON, 'closedByClient'],
  ...Object.values(STOP_CLOSINGS).map(([reason]): [string, SocketEnd] => [reason, 'stopped']),
])

/** The caller of a connection, and its parameters. */
export interface Caller {
  key: ApiKey | null
  /** The connection's `dex` parameter, for account states. */
  dex: string
  /** The console for its own connections. */
  via: 'console' | null
}

export class Session {
  /** Streams by their id. */
  readonly streams = new FollowedStreams()
  readonly startedMs: number
  readonly sendQueue: SendQueue
  readonly hub: SubscriptionHub
  readonly socketJournal: SocketJournal
  /** What it meets of the contract; null for the console's own and for the venue's socket. */
  readonly coverage: SocketCoverage | null
  readonly idleTimeout: IdleTimeout
  private cancelStopListener: () => void
  private open = true

  readonly faults: SocketFaults
  readonly dialect: Dialect
  readonly channels: readonly Channel[]

  constructor(
    readonly sandbox: Sandbox,
    socket: { dialect: Dialect; channels: readonly Channel[] },
    readonly caller: Caller,
    readonly connection: SocketConnection,
    private readonly counts: FrameCounts,
  ) {
    this.dialect = socket.dialect
    this.channels = socket.channels
    this.faults = new SocketFaults(this)
    const onSent = (frames: readonly string[]) => this.socketJournal.frames('out', frames)
    this.hub = hubOf(sandbox)
    const stalled = () => this.faults.stalledFrames()
    const digest = sandbox.outputDigest.connection(socket.dialect.path)
    const bounds = this.hub.queueBounds
    const { memory } = sandbox
    this.sendQueue = new SendQueue(connection, bounds, counts, onSent, stalled, digest, memory)
    const number = this.hub.addSession(this)
    const accessKey = caller.key?.accessKey ?? null
    const { path } = socket.dialect
    this.socketJournal = new SocketJournal(sandbox, number, path, accessKey, caller.via)
    this.socketJournal.opened()
    const isCovered = caller.via === null && this.dialect !== VENUE_DIALECT
    this.coverage = isCovered ? new SocketCoverage(sandbox, path, accessKey) : null
    this.startedMs = sandbox.clock.nowMs()
    this.idleTimeout = this.newIdleTimeout()
    this.cancelStopListener = sandbox.onStop((why) => this.close(...STOP_CLOSINGS[why]))
    if (this.dialect === VENUE_DIALECT && sandbox.answers['venue-greeting'] === 'text')
      this.sendGreeting()
    this.idleTimeout.start()
  }

  get isOpen(): boolean {
    return this.open
  }

  get isConsole(): boolean {
    return this.caller.via === 'console'
  }

  /** Whether the key may still hold this connection. */
  get isAllowed(): boolean {
    const { tenancy, answers } = this.sandbox
    const { access } = this.channels[0] as Channel
    if (!this.caller.key || access.kind !== 'permission') return true
    const key = tenancy.keys.get(this.caller.key.accessKey)
    return key?.status === 'active' && tenancy.grants(key, access.name, answers)
  }

  /** Handles a message from the client; a binary one gets an error. */
  *receive(message: string | Uint8Array): Slices<void> {
    if (!this.isOpen) return
    this.counts.received++
    this.idleTimeout.noteActivity()
    if (typeof message === 'string') this.socketJournal.frames('in', [message])
    const flaw = this.dialect === VENUE_DIALECT ? this.hub.venueLimits.messageFlaw() : null
    if (flaw !== null) this.sendError(flaw)
    else if (typeof message !== 'string') this.refuseFrame('send text frames, not binary ones')
    else if (message.length > FRAME_MAX)
      this.refuseFrame(`a frame has at most ${FRAME_MAX} characters, this one ${message.length}`)
    else yield* this.execute(this.dialect.parse(parseFrame(message), message))
    this.flush()
  }

  /** Queues a frame; `flush` sends it. */
  enqueuePush(frame: string): void {
    if (this.dialect.idle === 'either') this.idleTimeout.noteActivity()
    this.enqueueReply(frame)
  }

  /** Queues the frames that faults make of a stream's frame. */
  deliver(stream: Stream, frame: string): void {
    if (!this.sandbox.faultInjection.isActive) this.enqueuePush(frame)
    else for (const one of this.faults.applyToPush(stream, frame)) this.enqueuePush(one)
  }

  /** Queues an acknowledgement or an error: these never keep a connection alive. */
  enqueueReply(frame: string): void {
    this.sendQueue.enqueue(frame)
    if (this.sendQueue.length === 1) this.hub.outgoing.noteQueued(this)
  }

  /** Records the effect of a scenario in the journal. */
  journalFault(rule: string, what: string): void {
    this.socketJournal.faultApplied(rule, what)
    this.coverage?.faulted(rule)
  }

  flush(): void {
    if (this.isOpen && this.sendQueue.length > 0) this.hub.noteFlushed(this, this.sendQueue.flush())
  }

  sendError(text: string): void {
    const shown = text.length <= ERROR_MAX ? text : `${text.slice(0, ERROR_MAX)}…`
    this.enqueueReply(this.dialect.error(shown))
  }

  private refuseFrame(why: string): void {
    this.coverage?.refused('frame')
    this.sendError(why)
  }

  /** Adds a subscription; only this session gets the snapshot. */
  addSubscription(channel: Channel, subscription: Record<string, unknown>, key: string): void {
    const stream = this.hub.subscribe(this, channel, subscription)
    this.streams.set(key, stream)
    this.coverage?.subscribed(channel, subscription, key)
  }

  removeSubscription(key: string): void {
    const stream = this.streams.get(key)
    if (!stream) return
    this.streams.delete(key)
    this.faults.forget(stream)
    this.hub.unsubscribe(this, stream)
  }

  /** Closes in good order, or with a code; 1006 drops it. */
  close(reason: string, code = 1000): void {
    if (!this.isOpen) return
    this.onClosed(code, reason)
    this.hub.closings.add({ connection: this.connection, code, reason })
  }

  /** Handles the end of the connection, by either side. */
  onClosed(code: number | null = null, reason = LEFT_REASON): void {
    if (!this.isOpen) return
    this.open = false
    this.idleTimeout.stop()
    this.cancelStopListener()
    this.coverage?.closed(ENDS.get(reason) ?? 'closedByServer', this.streams.keys())
    for (const key of [...this.streams.keys()]) this.removeSubscription(key)
    this.hub.removeSession(this)
    this.socketJournal.closed(code, reason)
  }

  private get pong(): string {
    const { dialect, sandbox } = this
    const older = dialect.name === 'addresses' && sandbox.answers['user-pong'] === 'channel'
    return older ? NODE_DIALECT.pong : dialect.pong
  }

  private answerPing(): void {
    this.coverage?.event('ping')
    this.enqueuePush(this.pong)
  }

  private sendGreeting(): void {
    this.enqueueReply('Websocket connection established.')
    this.flush()
  }

  private *execute(command: ClientCommand): Slices<void> {
    switch (command.command) {
      case 'ping':
        return this.faults.losesReply('pong') ? undefined : this.answerPing()
      case 'subscribe':
      case 'unsubscribe':
        return command.command === 'subscribe'
          ? yield* subscribe(this, command.subscription)
          : unsubscribe(this, command.subscription)
      case 'addresses':
        return yield* changeAddresses(this, command.add, command.addresses)
      case 'post':
        return this.enqueueReply(yield* infoResponseFrame(this.sandbox, command))
      case 'stat':
        return sendStats(this)
      case 'close':
        return this.close(REQUESTED_REASON)
      case 'unknown':
        return this.refuseFrame(command.why)
    }
  }

  /** The dialect defines what counts as activity. */
  private newIdleTimeout(): IdleTimeout {
    const { clock } = this.sandbox
    return new IdleTimeout(clock, `idle rule of ${this.dialect.path}`, () =>
      this.close(IDLE_REASON, this.sandbox.answers['idle-close'] === '1000' ? 1000 : 1006),
    )
  }
}

/** Maximum length of an error: most quote the frame, which the client may make any length. */
const ERROR_MAX = 4_000

/** Maximum length of a frame; 2000 addresses need about 100 kB. */
const FRAME_MAX = 512 * 1024

/** undefined for invalid JSON, and for deeper or larger JSON than any frame needs. */
function parseFrame(text: string): unknown {
  if (jsonBoundFlaw(text, CONTRACT_BOUNDS)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Sends the counters; a stalled client gets them before the waiting frames. */
function sendStats(session: Session): void {
  const { sendQueue } = session
  session.coverage?.event('stat')
  const stats = connectionStats(session)
  if (sendQueue.isStalled) sendQueue.sendAhead(stats)
  else session.enqueuePush(stats)
}

/**
 * The response to `{"type":"stat"}`: counters of this connection (the service's documentation,
 * Perpetual-DEX WebSocket).
 */
function connectionStats({ sandbox, startedMs, streams, sendQueue }: Session): string {
  const openMs = sandbox.clock.nowMs() - startedMs
  const seconds = openMs / 1000
  const data = {
    addressCount: streams.size,
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

/** A `POST /info` request over a socket of the perpetual venue. */
type InfoCommand = Extract<ClientCommand, { command: 'post' }>

/**
 * The response frame. There is no trading: every `action` is refused. The id is returned digit by
 * digit, as it may exceed the numbers of the language.
 */
function* infoResponseFrame(sandbox: Sandbox, command: InfoCommand): Slices<string> {
  const response = yield* infoResponse(sandbox, command)
  return `{"channel":"post","data":{"id":${command.id},"response":${JSON.stringify(response)}}}`
}

function* infoResponse(sandbox: Sandbox, { type, payload }: InfoCommand): Slices<object> {
  if (type === 'action') return { type: 'action', payload: ACTION_REFUSAL }
  if (type !== 'info') return errorResponse('only requests of type info are answered here')
  const request = (payload ?? {}) as { type?: unknown }
  if (typeof request.type !== 'string')
    return errorResponse('payload must be an object with a type')
  const recorded = yield* recordedResponse(sandbox, request as { type: string })
  if (recorded) return recorded
  const answer = answerVenueInfo(request as { type: string }, sandbox.facts())
  const data = isSlices(answer) ? yield* answer : answer
  if (isRefusal(data))
    return errorResponse('Failed to deserialize the JSON body into the target type')
  return { type: 'info', payload: { type: request.type, data } }
}

/** The response of a recording or of the upstream service; null where the world answers. */
function* recordedResponse(sandbox: Sandbox, request: { type: string }): Slices<object | null> {
  const body = JSON.stringify(request)
  const requested = { method: info.method, path: info.path, params: {}, query: '', body }
  const call = operationCallOf(info, requested)
  const outcome = yield* recordedOutcome(sandbox, call, sandbox.position(), null)
  if (outcome?.refusal) return errorResponse(refusalText(outcome.refusal))
  return outcome?.answer ? responseOf(request.type, outcome.answer) : null
}

function responseOf(type: string, { status, body }: HttpResponse): object {
  const data = status === 200 ? jsonOf(body) : undefined
  return data === undefined ? errorResponse(body) : { type: 'info', payload: { type, data } }
}

const errorResponse = (why: string) => ({ type: 'error', payload: why })

/**
 * A connection without a message from the client for this long is dropped (the service's
 * documentation, Limits).
 */
const IDLE_MS = 60_000

/** One alarm, which is set again when there was activity since it was set. */
class IdleTimeout {
  /** Session time of the last message that counts. */
  lastActivityMs: number
  private cancelAlarm: (() => void) | null = null

  /** @param name of the alarm */
  constructor(
    private readonly clock: Pick<SessionClock, 'nowMs' | 'at'>,
    private readonly name: string,
    private readonly onIdle: () => void,
  ) {
    this.lastActivityMs = clock.nowMs()
  }

  /** Session time at which the connection is dropped without another message. */
  get endsMs(): number {
    return this.lastActivityMs + IDLE_MS
  }

  noteActivity(): void {
    this.lastActivityMs = this.clock.nowMs()
  }

  start(): void {
    const check = () => {
      if (this.clock.nowMs() < this.endsMs) this.start()
      else this.onIdle()
    }
    this.cancelAlarm = this.clock.at(this.endsMs, check, this.name)
  }

  stop(): void {
    this.cancelAlarm?.()
  }
}

/** The streams of a connection by their keys, counted by channel. */
class FollowedStreams extends Map<string, Stream> {
  /** Channels with streams so far, and the number of each: lists, as they are very few. */
  private readonly channels: Channel[] = []
  private readonly counts: number[] = []

  /** Number of streams of a channel. */
  countOf(channel: Channel): number {
    return this.counts[this.channels.indexOf(channel)] ?? 0
  }

  override set(key: string, stream: Stream): this {
    this.delete(key)
    this.count(stream.channel, 1)
    return super.set(key, stream)
  }

  override delete(key: string): boolean {
    const stream = this.get(key)
    if (stream) this.count(stream.channel, -1)
    return super.delete(key)
  }

  private count(channel: Channel, change: 1 | -1): void {
    const known = this.channels.indexOf(channel)
    const at = known === -1 ? this.channels.push(channel) - 1 : known
    this.counts[at] = (this.counts[at] ?? 0) + change
  }
}
