/**
 * The streams of a sandbox, their subscribers, and the events that concern them. It listens to the
 * player only while there are subscribers.
 */

import type { Slices, WorkAccount } from '../../clock/turns.ts'
import type { Channel } from '../../contract/channel.ts'
import { streamId } from '../../contract/channel.ts'
import { VENUE_DIALECT } from '../../contract/dialect.ts'
import type { SocketEffects } from '../fault-injection.ts'
import type { Sandbox } from '../sandbox.ts'
import type { TopicNumbers } from '../timeline-run.ts'
import { playedChunksOf } from '../timeline-run.ts'
import { EventDispatch, OnDemandAccounts, ResnapshotQueue } from './event-dispatch.ts'
import { OutgoingFrames, SlicedQueue } from './outgoing-frames.ts'
import { MarketActivity, MomentSnapshots, PushStream } from './push-stream.ts'
import { RecordedStream, UpstreamStream, upstreamOf } from './recorded-stream.ts'
import { type Closing, closeConnection, type QueueBounds, setQueueBounds } from './send-queue.ts'
import type { Session } from './session.ts'
import type { Stream } from './stream.ts'
import { VenueLimits } from './venue-limits.ts'

// The effects of scenarios on all connections of a sandbox at an instant.

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

// Connection counts: connections and subscriptions, in all and of each key.

/** Connections and subscriptions of a key. */
interface ConnectionCount {
  connections: number
  subscriptions: number
}

const NOTHING: Readonly<ConnectionCount> = { connections: 0, subscriptions: 0 }

class ConnectionCounts {
  readonly all: ConnectionCount = { connections: 0, subscriptions: 0 }
  private readonly byKey = new Map<string, ConnectionCount>()
  private readonly listeners = new Set<() => void>()
  private isReported = true

  /** @param runSoon runs a task once, after all waiting tasks */
  constructor(private readonly runSoon: (task: () => void) => unknown) {}

  ofKey(accessKey: string): Readonly<ConnectionCount> {
    return this.byKey.get(accessKey) ?? NOTHING
  }

  /** Adds to a count of a key; only to the total without one. */
  add(what: keyof ConnectionCount, by: 1 | -1, accessKey: string | undefined): void {
    this.all[what] += by
    this.notify()
    if (accessKey === undefined) return
    const count = this.byKey.get(accessKey) ?? { ...NOTHING }
    count[what] += by
    if (count.connections > 0) this.byKey.set(accessKey, count)
    else this.byKey.delete(accessKey)
  }

  /** Adds a listener for changes here or in a queue; the result removes it. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Notifies listeners once, however much changes in a round of the event loop. */
  notify(): void {
    if (this.listeners.size === 0 || !this.isReported) return
    this.isReported = false
    this.runSoon(() => {
      this.isReported = true
      for (const listener of [...this.listeners]) listener()
    })
  }
}

/** The stream of a subscription: of a recording, of the upstream service, or of the world. */
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
    return new RecordedStream(recording, id, recorded, subscription, sandbox)
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

/** The hub of a sandbox if it has had a connection; reading a thousand sandboxes creates none. */
export const knownHubOf = (sandbox: Sandbox) => hubBySandbox.get(sandbox)

export class SubscriptionHub {
  readonly sessions = new Set<Session>()
  readonly outgoing: OutgoingFrames
  /** The account of the sandbox. */
  readonly account: WorkAccount
  /** The bounds of each client's queue. */
  readonly queueBounds: QueueBounds = { pendingBytes: 0, frames: 0, length: 0 }
  /** Runs work of the sockets: they and the requests of a sandbox take turns. */
  readonly inTurns: (work: Slices<void>) => unknown
  private readonly later: (work: Slices<void>) => Promise<void>
  private readonly counts: ConnectionCounts
  private readonly topics: TopicNumbers
  private connectionCount = 0
  /** Of closed connections. */
  private discardedBefore = 0
  private countedBy: object | null = null
  private readonly streams = new Map<string, Stream>()
  private limitsOfVenue: VenueLimits | null = null
  /** When each market last had an event. */
  activity: MarketActivity
  readonly snapshots = new MomentSnapshots()
  private readonly events: EventDispatch
  readonly onDemand: OnDemandAccounts
  readonly resnapshots: ResnapshotQueue
  /** Closed connections whose resources are to be released. */
  readonly departures: SlicedQueue<{ onClosed(): void }>
  /** Connections to be closed by the server. */
  readonly closings: SlicedQueue<Closing>

  constructor(readonly sandbox: Sandbox) {
    const { systemClock, turns, world, clock, account } = sandbox
    this.account = account
    this.inTurns = (work) => turns.run(this, work, 'frames of clients')
    const later = (work: Slices<void>) => turns.runLater(this, work)
    this.later = later
    this.onDemand = new OnDemandAccounts(sandbox)
    this.outgoing = new OutgoingFrames(systemClock, later, () => sandbox.delivery.isPatient)
    this.resnapshots = new ResnapshotQueue(this, later)
    this.departures = new SlicedQueue(systemClock, later, (one) => one.onClosed())
    this.closings = new SlicedQueue(systemClock, later, closeConnection)
    this.counts = new ConnectionCounts((task) => systemClock.runSoon(task))
    this.topics = playedChunksOf(world.timeline).topics
    this.events = new EventDispatch(this, this.topics)
    this.activity = new MarketActivity(this.topics, clock.nowMs())
    sandbox.onKeysChange(() => this.closeRevoked())
    sandbox.onSocketEffects(socketEffectsOf(this.sessions))
  }

  /** Of the sockets of the perpetual venue. */
  get venueLimits(): VenueLimits {
    this.limitsOfVenue ??= new VenueLimits(this.sandbox)
    return this.limitsOfVenue
  }

  /** Subscriptions over all connections. */
  get subscriptionCount(): number {
    return this.counts.all.subscriptions
  }

  /** Adds a listener for changed connections, subscriptions and queues; the result removes it. */
  onChange(listener: () => void): () => void {
    return this.counts.onChange(listener)
  }

  /** The counts of a key. */
  countsOfKey(accessKey: string): Readonly<ConnectionCount> {
    return this.counts.ofKey(accessKey)
  }

  /** Frames dropped for slow clients, of all connections so far. */
  get discardedCount(): number {
    const counts = [...this.sessions].map(({ sendQueue }) => sendQueue.discardedCount)
    return counts.reduce((sum, count) => sum + count, this.discardedBefore)
  }

  /** The longest send queue. */
  get queuedCount(): number {
    return this.outgoing.longest
  }

  /** Whether every client takes its frames. */
  get isKeepingUp(): boolean {
    return this.outgoing.areTaken
  }

  /** Adds a session and returns the number of its connection. */
  addSession(session: Session): number {
    this.sessions.add(session)
    this.sessionsChanged(session, 1)
    const { clock } = this.sandbox
    // A reset replaces the clock: then numbers restart.
    if (clock !== this.countedBy) this.connectionCount = this.discardedBefore = 0
    this.countedBy = clock
    return ++this.connectionCount
  }

  removeSession(session: Session): void {
    this.sessions.delete(session)
    this.discardedBefore += session.sendQueue.discardedCount
    session.sendQueue.clear()
    this.outgoing.forget(session)
    this.sandbox.outputDigest.closed(session.sendQueue.digest)
    this.sessionsChanged(session, -1)
  }

  private sessionsChanged({ caller, dialect }: Session, by: 1 | -1): void {
    setQueueBounds(this.queueBounds, this.sessions.size)
    if (dialect === VENUE_DIALECT) this.venueLimits.noteConnection(by)
    this.counts.add('connections', by, caller.key?.accessKey)
  }

  /** Frames of a connection were sent. */
  noteFlushed(session: Session, hasSent: boolean): void {
    this.outgoing.noteFlushed(session, hasSent)
    if (hasSent) this.counts.notify()
  }

  /** Adds a subscriber and returns its stream. */
  subscribe(session: Session, channel: Channel, subscription: Record<string, unknown>): Stream {
    const id = streamId(channel, subscription)
    // Events that are due belong to the present subscribers.
    this.sandbox.player.catchUp()
    const stream = this.streams.get(id) ?? this.open(id, channel, subscription)
    stream.subscribers.add(session)
    this.outgoing.noteFollowing(session)
    this.subscriptionsChanged(session, 1)
    return stream
  }

  unsubscribe(session: Session, stream: Stream): void {
    stream.subscribers.delete(session)
    this.outgoing.noteFollowing(session)
    this.subscriptionsChanged(session, -1)
    if (stream.subscribers.size > 0) return
    stream.stop()
    this.streams.delete(streamId(stream.channel, stream.subscription))
    if (stream.channel.dialect === VENUE_DIALECT) this.venueLimits.noteStream(stream, -1)
    this.events.topics.remove(stream)
    this.onDemand.remove(stream)
    this.resnapshots.forget(stream)
    if (this.streams.size === 0) this.sandbox.player.listen(null)
  }

  /**
   * Runs work of a stream after the present event: of a clock that goes, in the order of its
   * alarms.
   */
  soon(work: () => Slices<void>, what: string): void {
    const { clock, playhead } = this.sandbox
    // A stopped clock fires no alarms.
    if (playhead.speed === 'max' || !clock.firesAlarms) void this.later(work())
    else clock.at(clock.nowMs(), work, what)
  }

  /** Closes the connections of removed or barred keys. */
  private closeRevoked(): void {
    if (this.sandbox.answers['revoked-sockets'] !== 'closed') return
    for (const session of [...this.sessions])
      if (!session.isAllowed) session.close('the key may no longer hold this connection')
  }

  private open(id: string, channel: Channel, subscription: Record<string, unknown>): Stream {
    if (this.streams.size === 0) this.listen()
    const stream = newStream(this, id, channel, subscription)
    this.streams.set(id, stream)
    if (channel.dialect === VENUE_DIALECT) this.venueLimits.noteStream(stream, 1)
    this.events.topics.add(stream)
    this.onDemand.add(stream)
    return stream
  }

  private subscriptionsChanged({ caller, dialect }: Session, by: 1 | -1): void {
    this.counts.add('subscriptions', by, caller.key?.accessKey)
    if (dialect === VENUE_DIALECT) this.venueLimits.noteSubscription(by)
  }

  private listen(): void {
    this.activity = new MarketActivity(this.topics, this.sandbox.clock.nowMs())
    this.sandbox.player.listen({
      noteEvent: (topic, nowMs) => this.events.note(topic, nowMs),
      onEvent: (topic, event, here, nowMs) => this.events.dispatch(topic, event, here, nowMs),
      onCaughtUp: () => this.outgoing.flush(),
      isReady: () => this.outgoing.areTaken,
      onMoved: (to, by) => this.resnapshots.begin(this.streams.values(), to, by),
      settling: () => this.resnapshots.rest(),
    })
  }
}
