/**
 * The streams of a sandbox: who is subscribed to what, and what wakes it. It listens to the player
 * only while there is somebody to tell.
 */
import { type Channel, topicOf } from '../contract/channel.ts'
import type { Happening } from '../contract/facts.ts'
import type { Position } from '../sandbox/playhead.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Connection } from './connection.ts'
import { News } from './news.ts'
import { isAllowed } from './rights.ts'
import { Stream, type Subscriber } from './stream.ts'
import type { Troubled } from './troubled.ts'

const hubs = new WeakMap<Sandbox, Hub>()

/** The hub of a sandbox. */
export function hubOf(sandbox: Sandbox): Hub {
  const known = hubs.get(sandbox)
  if (known) return known
  const made = new Hub(sandbox)
  hubs.set(sandbox, made)
  return made
}

/** A connection as the hub sees it. */
export interface Member extends Connection, Subscriber {
  readonly streams: ReadonlyMap<string, Stream>
  readonly troubled: Troubled
  readonly queueLength: number
  /** Whether its client takes what it is sent. */
  readonly ready: boolean
  /** Journals what a scenario did. */
  note(rule: string, what: string): void
  /** Closes it in good order, or with a code. */
  end(reason: string, code?: number): void
}

export class Hub {
  readonly sessions = new Set<Member>()
  private entered = 0
  private readonly watchers = new Set<() => void>()
  private readonly streams = new Map<string, Stream>()
  private news: News
  private readonly byTopic = new Map<string, Set<Stream>>()

  constructor(private readonly sandbox: Sandbox) {
    this.news = new News(sandbox.clock.nowMs())
    sandbox.whenKeysChange(() => this.endRevoked())
    sandbox.whenClosing((chosen) => {
      for (const session of [...this.sessions]) {
        const acting = chosen(session.troubled.subject)
        if (!acting) continue
        session.note(acting.rule.name, 'the connection is closed')
        session.end(`closed by ${acting.rule.name}`, acting.deed.closes?.(acting.settings))
      }
    })
  }

  get subscriptionCount(): number {
    let count = 0
    for (const stream of this.streams.values()) count += stream.subscribers.size
    return count
  }

  /** Called when connections, subscriptions or queues have changed; the answer takes it back. */
  watch(listener: () => void): () => void {
    this.watchers.add(listener)
    return () => this.watchers.delete(listener)
  }

  touched(): void {
    for (const listener of [...this.watchers]) listener()
  }

  /** What a key holds here. */
  heldBy(accessKey: string): { connections: number; subscriptions: number } {
    const own = [...this.sessions].filter(({ caller }) => caller.key?.accessKey === accessKey)
    const subscriptions = own.reduce((count, { streams }) => count + streams.size, 0)
    return { connections: own.length, subscriptions }
  }

  /** The longest queue of frames that wait for a client. */
  get queuedCount(): number {
    return Math.max(0, ...[...this.sessions].map((session) => session.queueLength))
  }

  /** Whether every client takes what it is sent. */
  get keepsUp(): boolean {
    for (const session of this.sessions) if (!session.ready) return false
    return true
  }

  /** Answers the number of the connection. */
  enter(session: Member): number {
    this.sessions.add(session)
    this.touched()
    return ++this.entered
  }

  leave(session: Member): void {
    this.sessions.delete(session)
    this.touched()
  }

  /** Adds a subscriber and gives the stream it now hears. */
  join(session: Member, channel: Channel, subscription: Record<string, unknown>): Stream {
    const id = streamId(channel, subscription)
    // What is due already belongs to those who are subscribed already.
    this.sandbox.player.catchUp()
    const stream = this.streams.get(id) ?? this.open(id, channel, subscription)
    stream.subscribers.add(session)
    this.touched()
    return stream
  }

  part(session: Member, stream: Stream): void {
    stream.subscribers.delete(session)
    this.touched()
    if (stream.subscribers.size > 0) return
    stream.stop()
    this.streams.delete(streamId(stream.channel, stream.subscription))
    for (const topic of stream.topics) {
      this.byTopic.get(topic)?.delete(stream)
      if (this.byTopic.get(topic)?.size === 0) this.byTopic.delete(topic)
    }
    if (this.streams.size === 0) this.sandbox.player.listen(null)
  }

  /** Closes what is held by keys that are gone or barred by now. */
  private endRevoked(): void {
    if (this.sandbox.answers['revoked-sockets'] !== 'closed') return
    for (const session of [...this.sessions])
      if (!isAllowed(session)) session.end('the key may no longer hold this connection')
  }

  private open(id: string, channel: Channel, subscription: Record<string, unknown>): Stream {
    const topics = channel.topics(subscription as never, this.sandbox.facts())
    if (this.streams.size === 0) this.listen()
    const stream = new Stream(this.sandbox, this.news, channel, subscription, topics)
    this.streams.set(id, stream)
    for (const topic of topics) {
      const woken = this.byTopic.get(topic)
      if (woken) woken.add(stream)
      else this.byTopic.set(topic, new Set([stream]))
    }
    return stream
  }

  private listen(): void {
    this.news = new News(this.sandbox.clock.nowMs())
    this.sandbox.player.listen({
      happen: (happening, here) => this.happen(happening, here),
      caughtUp: () => this.flush(),
      ready: () => this.keepsUp,
      over: () => this.finish(),
    })
  }

  private happen(happening: Happening, here: Position): void {
    this.news.note(happening, this.sandbox.clock.nowMs())
    const woken = this.byTopic.get(topicOf(happening))
    if (!woken) return
    for (const stream of woken) stream.wake(happening, here)
  }

  private flush(): void {
    for (const session of this.sessions) session.flush()
  }

  /** The tape has run out: with end behaviour `end` the connections are closed in good order. */
  private finish(): void {
    if (this.sandbox.playhead.end !== 'end') return
    for (const session of [...this.sessions]) session.end('the tape has ended')
  }
}

/** Two subscriptions with the same id are the same one. */
export function streamId(channel: Channel, subscription: Record<string, unknown>): string {
  const key = channel.key.map((field) => subscription[field] ?? '')
  return `${channel.dialect.path} ${channel.id}/${key.join('/')}`
}
