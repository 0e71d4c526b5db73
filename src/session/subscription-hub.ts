/**
 * The streams of a sandbox: who is subscribed to what, and which events concern them. It listens to
 * the player only while there are subscribers.
 */
import { type Channel, topicOf } from '../contract/channel.ts'
import type { TimelineEvent } from '../contract/timeline.ts'
import type { TapePosition } from '../sandbox/playhead.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Connection } from './connection.ts'
import { isConnectionAllowed } from './connection-permission.ts'
import { MarketActivity } from './market-activity.ts'
import { PushStream, type Subscriber } from './push-stream.ts'
import type { SocketFaults } from './socket-faults.ts'

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
export const knownHubOf = (sandbox: Sandbox): SubscriptionHub | undefined =>
  hubBySandbox.get(sandbox)

/** A connection as the hub sees it. */
export interface HubSession extends Connection, Subscriber {
  readonly streams: ReadonlyMap<string, PushStream>
  readonly faults: SocketFaults
  readonly queueLength: number
  /** Whether its client takes what it is sent. */
  readonly isReady: boolean
  /** Journals what a scenario did. */
  journalFault(rule: string, what: string): void
  /** Closes it in good order, or with a code. */
  close(reason: string, code?: number): void
}

export class SubscriptionHub {
  readonly sessions = new Set<HubSession>()
  private connectionCount = 0
  private readonly changeListeners = new Set<() => void>()
  private readonly streams = new Map<string, PushStream>()
  private activity: MarketActivity
  private readonly streamsByTopic = new Map<string, Set<PushStream>>()

  constructor(private readonly sandbox: Sandbox) {
    this.activity = new MarketActivity(sandbox.clock.nowMs())
    sandbox.onKeysChange(() => this.closeRevoked())
    sandbox.onConnectionClosing((chosen) => {
      for (const session of [...this.sessions]) {
        const acting = chosen(session.faults.subject)
        if (!acting) continue
        session.journalFault(acting.rule.name, 'the connection is closed')
        session.close(`closed by ${acting.rule.name}`, acting.fault.closeCode?.(acting.settings))
      }
    })
  }

  get subscriptionCount(): number {
    let count = 0
    for (const stream of this.streams.values()) count += stream.subscribers.size
    return count
  }

  /** Called when connections, subscriptions or queues have changed; the answer takes it back. */
  onChange(listener: () => void): () => void {
    this.changeListeners.add(listener)
    return () => this.changeListeners.delete(listener)
  }

  notifyChange(): void {
    for (const listener of [...this.changeListeners]) listener()
  }

  /** What a key holds here. */
  countsOfKey(accessKey: string): { connections: number; subscriptions: number } {
    const own = [...this.sessions].filter(({ caller }) => caller.key?.accessKey === accessKey)
    const subscriptions = own.reduce((count, { streams }) => count + streams.size, 0)
    return { connections: own.length, subscriptions }
  }

  /** The longest queue of frames that wait for a client. */
  get queuedCount(): number {
    return Math.max(0, ...[...this.sessions].map((session) => session.queueLength))
  }

  /** Whether every client takes what it is sent. */
  get isKeepingUp(): boolean {
    for (const session of this.sessions) if (!session.isReady) return false
    return true
  }

  /** Answers the number of the connection. */
  addSession(session: HubSession): number {
    this.sessions.add(session)
    this.notifyChange()
    return ++this.connectionCount
  }

  removeSession(session: HubSession): void {
    this.sessions.delete(session)
    this.notifyChange()
  }

  /** Adds a subscriber and gives its stream. */
  subscribe(
    session: HubSession,
    channel: Channel,
    subscription: Record<string, unknown>,
  ): PushStream {
    const id = streamId(channel, subscription)
    // What is due already belongs to those who are subscribed already.
    this.sandbox.player.catchUp()
    const stream = this.streams.get(id) ?? this.open(id, channel, subscription)
    stream.subscribers.add(session)
    this.notifyChange()
    return stream
  }

  unsubscribe(session: HubSession, stream: PushStream): void {
    stream.subscribers.delete(session)
    this.notifyChange()
    if (stream.subscribers.size > 0) return
    stream.stop()
    this.streams.delete(streamId(stream.channel, stream.subscription))
    for (const topic of stream.topics) {
      this.streamsByTopic.get(topic)?.delete(stream)
      if (this.streamsByTopic.get(topic)?.size === 0) this.streamsByTopic.delete(topic)
    }
    if (this.streams.size === 0) this.sandbox.player.listen(null)
  }

  /** Closes what is held by keys that are gone or barred by now. */
  private closeRevoked(): void {
    if (this.sandbox.answers['revoked-sockets'] !== 'closed') return
    for (const session of [...this.sessions])
      if (!isConnectionAllowed(session)) session.close('the key may no longer hold this connection')
  }

  private open(id: string, channel: Channel, subscription: Record<string, unknown>): PushStream {
    const topics = channel.topics(subscription as never, this.sandbox.facts())
    if (this.streams.size === 0) this.listen()
    const stream = new PushStream(this.sandbox, this.activity, channel, subscription, topics)
    this.streams.set(id, stream)
    for (const topic of topics) {
      const streams = this.streamsByTopic.get(topic)
      if (streams) streams.add(stream)
      else this.streamsByTopic.set(topic, new Set([stream]))
    }
    return stream
  }

  private listen(): void {
    this.activity = new MarketActivity(this.sandbox.clock.nowMs())
    this.sandbox.player.listen({
      onEvent: (event, position) => this.dispatch(event, position),
      onCaughtUp: () => this.flush(),
      isReady: () => this.isKeepingUp,
      onEnd: () => this.closeAtTapeEnd(),
    })
  }

  private dispatch(event: TimelineEvent, position: TapePosition): void {
    this.activity.note(event, this.sandbox.clock.nowMs())
    const streams = this.streamsByTopic.get(topicOf(event))
    if (!streams) return
    for (const stream of streams) stream.onEvent(event, position)
  }

  private flush(): void {
    for (const session of this.sessions) session.flush()
  }

  /** The tape has run out: with end behaviour `end` the connections are closed in good order. */
  private closeAtTapeEnd(): void {
    if (this.sandbox.playhead.end !== 'end') return
    for (const session of [...this.sessions]) session.close('the tape has ended')
  }
}

/** Two subscriptions with the same id are the same one. */
export function streamId(channel: Channel, subscription: Record<string, unknown>): string {
  const key = channel.key.map((field) => subscription[field] ?? '')
  return `${channel.dialect.path} ${channel.id}/${key.join('/')}`
}
