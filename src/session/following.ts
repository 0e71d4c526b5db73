/** Subscribing and unsubscribing, in both dialects (spec, States and transitions; Events). */
import type { Channel } from '../contract/channel.ts'
import type { Dialect } from '../contract/dialect.ts'
import { readBody } from '../contract/reading.ts'
import { isRefusal } from '../contract/refusal.ts'
import { refusalText } from '../contract/refusal-body.ts'
import type { Connection } from './connection.ts'
import { hubOf, streamId } from './hub.ts'
import { isAllowed } from './rights.ts'
import type { Stream } from './stream.ts'
import type { Troubled } from './troubled.ts'

type Subscription = Record<string, unknown>

/** A connection that can follow channels. */
interface Follower extends Connection {
  readonly dialect: Dialect
  readonly streams: ReadonlyMap<string, Stream>
  readonly troubled: Pick<Troubled, 'loses'>
  join(channel: Channel, subscription: Subscription, id: string): void
  part(id: string): void
  /** Queues what a stream has to say. */
  hear(stream: Stream, frame: string): void
  push(frame: string): void
  /** Queues an acknowledgement. */
  answer(frame: string): void
  complain(text: string): void
}

/** `{"method":"subscribe","subscription":{…}}` */
export function follow(session: Follower, asked: Subscription): void {
  const found = resolve(session, asked)
  if (!found) return session.complain(`Invalid subscription ${JSON.stringify(asked)}`)
  const { channel, subscription } = found
  if (!isAllowed(session)) return session.complain(denied(channel))
  const id = streamId(channel, subscription)
  const isNew = !session.streams.has(id)
  const most = isNew ? fullAt(session) : null
  if (most !== null) return session.complain(tooMany(most))
  if (isNew) {
    if (!channel.counted) leavePlace(session, channel)
    session.join(channel, subscription, id)
  } else if (session.dialect.repeats === 'error')
    return session.complain(`Already subscribed: ${JSON.stringify(asked)}`)
  reply(session, 'subscribe', asked, channel, isNew ? 'subscribed' : 'alreadySubscribed')
  if (isNew) greet(session, id)
}

/** `{"method":"unsubscribe","subscription":{…}}` */
export function unfollow(session: Follower, asked: Subscription): void {
  const found = resolve(session, asked)
  if (!found) return session.complain(`Invalid subscription ${JSON.stringify(asked)}`)
  const id = streamId(found.channel, found.subscription)
  const was = session.streams.has(id)
  if (!was && session.dialect.repeats === 'error')
    return session.complain(`Already unsubscribed: ${JSON.stringify(asked)}`)
  session.part(id)
  reply(session, 'unsubscribe', asked, found.channel, was ? 'unsubscribed' : 'notSubscribed')
}

/** `{"type":"subscribe","address":[…]}` and its opposite. Additive; repeats have no effect. */
export function follows(session: Follower, add: boolean, addresses: readonly string[]): void {
  const channel = session.channels[0] as Channel
  if (add && !isAllowed(session)) return session.complain(denied(channel))
  if (!session.troubled.loses('acknowledgement'))
    session.push(`{"type":"${add ? 'subscribe' : 'unsubscribe'}"}`)
  for (const address of addresses) {
    const subscription = { address, dex: session.caller.dex }
    const id = streamId(channel, subscription)
    if (!add) session.part(id)
    else if (!session.streams.has(id)) {
      const most = fullAt(session)
      if (most !== null) return session.complain(tooMany(most))
      session.join(channel, subscription, id)
      greet(session, id)
    }
  }
}

const denied = ({ access }: Channel) =>
  refusalText({ refused: 'permission', name: access.kind === 'permission' ? access.name : '' })

const tooMany = (most: number) => `Cannot subscribe to more than ${most} channels.`

/** The channel and the subscription as we read it; null when it asks for nothing that exists. */
function resolve(
  session: Follower,
  asked: Subscription,
): { channel: Channel; subscription: Subscription } | null {
  const channel = session.channels.find((candidate) => candidate.id === asked.type)
  if (!channel) return null
  const read = readBody(channel.subscription, asked)
  if (isRefusal(read)) return null
  const subscription = read as Subscription
  if (typeof subscription.user === 'string') subscription.user = subscription.user.toLowerCase()
  const exists = channel.exists?.(subscription as never, session.sandbox.facts()) ?? true
  return exists ? { channel, subscription } : null
}

/** Address-keyed channels hold one key a connection, the newest; the venue's hold many. */
function leavePlace(session: Follower, channel: Channel): void {
  if (session.dialect.repeats === 'error') return
  if (session.sandbox.answers['address-channel-second-user'] !== 'replace') return
  for (const [id, stream] of [...session.streams]) if (stream.channel === channel) session.part(id)
}

/** What was asked is echoed as it came, with every field: clients look for themselves in it. */
function reply(
  session: Follower,
  method: string,
  asked: Subscription,
  channel: Channel,
  status: string,
): void {
  if (session.troubled.loses('acknowledgement')) return
  const data: Record<string, unknown> = { method, subscription: asked }
  if (channel.counted) {
    data.status = status
    data.activeCount = [...session.streams.values()].filter((s) => s.channel === channel).length
  }
  session.answer(JSON.stringify({ channel: 'subscriptionResponse', data }))
}

function greet(session: Follower, id: string): void {
  const stream = session.streams.get(id)
  if (!stream) return
  const frame = stream.snapshot(session.sandbox.facts())
  if (frame !== null) session.hear(stream, frame)
}

/** How many subscriptions the key may hold, when it holds so many; null while there is room. */
function fullAt({ sandbox, caller: { key } }: Connection): number | null {
  if (!key || sandbox.terms.metering === 'off') return null
  const most = sandbox.limitsOf(key).maxSubscriptions
  if (most === null) return null
  return hubOf(sandbox).heldBy(key.accessKey).subscriptions >= most ? most : null
}
