/**
 * The streams of a sandbox: who is subscribed to what, and which events concern them. It listens to
 * the player only while there are subscribers.
 */

import type { Slices } from '../../clock/turns.ts'
import type { WorkAccount } from '../../clock/work-account.ts'
import type { Channel } from '../../contract/channel.ts'
import { streamId } from '../../contract/stream-id.ts'
import type { SocketEffects } from '../fault-injection.ts'
import type { TopicNumbers } from '../played-chunks.ts'
import { playedChunksOf } from '../played-chunks.ts'
import type { Sandbox } from '../sandbox.ts'
import { ApartStreams, EventDispatch, NewBeginnings } from './event-dispatch.ts'
import { OutgoingFrames, SlicedQueue } from './outgoing-frames.ts'
import { MarketActivity, MomentSnapshots, PushStream } from './push-stream.ts'
import { RecordedStream, UpstreamStream, upstreamOf } from './recorded-stream.ts'
import { type Closing, closeConnection, type QueueBounds, setQueueBounds } from './send-queue.ts'
import type { Session } from './session.ts'
import type { Stream } from './stream.ts'

// What scenarios do at an instant to all connections of a sandbox.

const socketEffectsOf = (sessions: Iterable<Session>): SocketEffects => ({
  closeConnections(chosen) {
    for (const session of [...sessions]) {
      const acting = chosen(session.faults.subject)
      if (!acting) continue
      session.journalFault(acting.rule.name, 'the connection is closed')
      session.close(`closed by ${acting.rule.name}`, acting.fault.closeCode?.(acting.settings))
    }
  },
  rulesEnded() {
    for (const session of [...sessions]) {
      for (const frame of session.faults.releaseHeld()) session.enqueuePush(frame)
      session.flush()
    }
  },
})

// How many connections and subscriptions there are, in all and of each key.

/** What somebody holds. */
interface HeldCount {
  connections: number
  subscriptions: number
}

const NOTHING: Readonly<HeldCount> = { connections: 0, subscriptions: 0 }

class HeldCounts {
  readonly all: HeldCount = { connections: 0, subscriptions: 0 }
  private readonly byKey = new Map<string, HeldCount>()
  private readonly listeners = new Set<() => void>()
  private isTold = true

  /** @param runSoon runs a task once, after whatever is waiting now */
  constructor(private readonly runSoon: (task: () => void) => unknown) {}

  ofKey(accessKey: string): Readonly<HeldCount> {
    return this.byKey.get(accessKey) ?? NOTHING
  }

  /** So many more, or fewer, of a key; of nobody's key when there is none. */
  add(what: keyof HeldCount, by: 1 | -1, accessKey: string | undefined): void {
    this.all[what] += by
    this.tell()
    if (accessKey === undefined) return
    const count = this.byKey.get(accessKey) ?? { ...NOTHING }
    count[what] += by
    if (count.connections > 0) this.byKey.set(accessKey, count)
    else this.byKey.delete(accessKey)
  }

  /** Called when something here or in a queue has changed; the answer takes it back. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Tells it once, however much changes in a round of the event loop. */
  tell(): void {
    if (this.listeners.size === 0 || !this.isTold) return
    this.isTold = false
    this.runSoon(() => {
      this.isTold = true
      for (const listener of [...this.listeners]) listener()
    })
  }
}

/** The stream of a subscription: of a recording, of the service behind it, or of the world. */
function newStream(
  hub: SubscriptionHub,
  id: string,
  channel: Channel,
  subscription: Record<string, unknown>,
): Stream {
  const { sandbox } = hub
  const { recording } = sandbox.world
  const recorded = recording?.stream(id)
  if (recording && recorded)
    return new RecordedStream(recording, id, recorded, subscription, sandbox.clock.nowMs())
  const upstream = upstreamOf(sandbox)
  if (upstream) return new UpstreamStream(hub, upstream, channel, subscription)
  const topics = channel.topics(subscription as never, sandbox.facts())
  return new PushStream(hub, id, channel, subscription, topics)
}

const hubBySandbox = new WeakMap<Sandbox, SubscriptionHub>()

/** The hub of a sandbox. */
export function hubOf(sandbox: Sandbox): SubscriptionHub {
  const existing = hubBySandbox.get(sandbox)
  if (existing) return existing
  const hub = new SubscriptionHub(sandbox)
  hubBySandbox.set(sandbox, hub)
  return hub
}

/** The same where somebody is or was connected; a look at a thousand sandboxes makes none. */
export const knownHubOf = (sandbox: Sandbox) => hubBySandbox.get(sandbox)

export class SubscriptionHub {
  readonly sessions = new Set<Session>()
  readonly outgoing: OutgoingFrames
  /** Its work is that of its sandbox. */
  readonly account: WorkAccount
  /** What may wait for each client. */
  readonly queueBounds: QueueBounds = { pendingBytes: 0, frames: 0, length: 0 }
  /** Does work of the sockets: they and the requests of a sandbox wait for one another's turn. */
  readonly inTurns: (work: Slices<void>) => unknown
  private readonly counts: HeldCounts
  private readonly topics: TopicNumbers
  private connectionCount = 0
  /** On connections that are gone. */
  private discardedBefore = 0
  private countedBy: object | null = null
  private readonly streams = new Map<string, Stream>()
  /** When each market last had an event. */
  activity: MarketActivity
  readonly snapshots = new MomentSnapshots()
  private readonly events: EventDispatch
  readonly apart: ApartStreams
  readonly beginnings: NewBeginnings
  /** Those whose clients have gone: what they held is given back. */
  readonly departures: SlicedQueue<{ onClosed(): void }>
  /** Connections that are closed from this side. */
  readonly closings: SlicedQueue<Closing>

  constructor(readonly sandbox: Sandbox) {
    const { systemClock, turns, world, clock, account } = sandbox
    this.account = account
    this.inTurns = (work) => turns.run(this, work, 'frames of clients')
    const later = (work: Slices<void>) => turns.runLater(this, work)
    this.apart = new ApartStreams(sandbox)
    this.outgoing = new OutgoingFrames(systemClock, later, () => sandbox.delivery.isPatient)
    this.beginnings = new NewBeginnings(this, later)
    this.departures = new SlicedQueue(systemClock, later, (one) => one.onClosed())
    this.closings = new SlicedQueue(systemClock, later, closeConnection)
    this.counts = new HeldCounts((task) => systemClock.runSoon(task))
    this.topics = playedChunksOf(world.timeline).topics
    this.events = new EventDispatch(this, this.topics)
    this.activity = new MarketActivity(this.topics, clock.nowMs())
    sandbox.onKeysChange(() => this.closeRevoked())
    sandbox.onSocketEffects(socketEffectsOf(this.sessions))
  }

  /** Subscriptions over all connections. */
  get subscriptionCount(): number {
    return this.counts.all.subscriptions
  }

  /** Called when connections, subscriptions or queues have changed; the answer takes it back. */
  onChange(listener: () => void): () => void {
    return this.counts.onChange(listener)
  }

  /** What a key holds here. */
  countsOfKey(accessKey: string): Readonly<HeldCount> {
    return this.counts.ofKey(accessKey)
  }

  /** Frames that were dropped, as their clients did not take them, of all connections so far. */
  get discardedCount(): number {
    const counts = [...this.sessions].map(({ sendQueue }) => sendQueue.discardedCount)
    return counts.reduce((sum, count) => sum + count, this.discardedBefore)
  }

  /** The longest queue of frames that wait for a client. */
  get queuedCount(): number {
    return this.outgoing.longest
  }

  /** Whether every client takes what it is sent. */
  get isKeepingUp(): boolean {
    return this.outgoing.areTaken
  }

  /** Answers the number of the connection. */
  addSession(session: Session): number {
    this.sessions.add(session)
    this.sessionsChanged(session, 1)
    const { clock } = this.sandbox
    // A reset puts another clock in its place: then numbers begin anew.
    if (clock !== this.countedBy) this.connectionCount = this.discardedBefore = 0
    this.countedBy = clock
    return ++this.connectionCount
  }

  removeSession(session: Session): void {
    this.sessions.delete(session)
    this.discardedBefore += session.sendQueue.discardedCount
    session.sendQueue.clear()
    this.outgoing.forget(session)
    this.sandbox.said.closed(session.sendQueue.said)
    this.sessionsChanged(session, -1)
  }

  private sessionsChanged({ caller }: Session, by: 1 | -1): void {
    setQueueBounds(this.queueBounds, this.sessions.size)
    this.counts.add('connections', by, caller.key?.accessKey)
  }

  /** Frames of a connection were handed over. */
  noteFlushed(session: Session, hasSent: boolean): void {
    this.outgoing.noteFlushed(session, hasSent)
    if (hasSent) this.counts.tell()
  }

  /** Adds a subscriber and gives its stream. */
  subscribe(session: Session, channel: Channel, subscription: Record<string, unknown>): Stream {
    const id = streamId(channel, subscription)
    // What is due already belongs to those who are subscribed already.
    this.sandbox.player.catchUp()
    const stream = this.streams.get(id) ?? this.open(id, channel, subscription)
    stream.subscribers.add(session)
    this.outgoing.noteFollowing(session)
    this.counts.add('subscriptions', 1, session.caller.key?.accessKey)
    return stream
  }

  unsubscribe(session: Session, stream: Stream): void {
    stream.subscribers.delete(session)
    this.outgoing.noteFollowing(session)
    this.counts.add('subscriptions', -1, session.caller.key?.accessKey)
    if (stream.subscribers.size > 0) return
    stream.stop()
    this.streams.delete(streamId(stream.channel, stream.subscription))
    this.events.topics.remove(stream)
    this.apart.remove(stream)
    this.beginnings.forget(stream)
    if (this.streams.size === 0) this.sandbox.player.listen(null)
  }

  /** Closes what is held by keys that are gone or barred by now. */
  private closeRevoked(): void {
    if (this.sandbox.answers['revoked-sockets'] !== 'closed') return
    for (const session of [...this.sessions])
      if (!session.isAllowed) session.close('the key may no longer hold this connection')
  }

  private open(id: string, channel: Channel, subscription: Record<string, unknown>): Stream {
    if (this.streams.size === 0) this.listen()
    const stream = newStream(this, id, channel, subscription)
    this.streams.set(id, stream)
    this.events.topics.add(stream)
    this.apart.add(stream)
    return stream
  }

  private listen(): void {
    this.activity = new MarketActivity(this.topics, this.sandbox.clock.nowMs())
    this.sandbox.player.listen({
      noteEvent: (topic, nowMs) => this.events.note(topic, nowMs),
      onEvent: (topic, event, here, nowMs) => this.events.dispatch(topic, event, here, nowMs),
      onCaughtUp: () => this.outgoing.flush(),
      isReady: () => this.outgoing.areTaken,
      onMoved: (to, by) => this.beginnings.begin(this.streams.values(), to, by),
      settling: () => this.beginnings.rest(),
    })
  }
}
