/**
 * Subscribing and unsubscribing, in both dialects (the service's documentation, States and
 * transitions; Events).
 */

import { isSlices, type Slices } from '../../clock/turns.ts'
import type { Channel } from '../../contract/channel.ts'
import { streamId, subscriptionKey } from '../../contract/channel.ts'
import { unreadableText, VENUE_DIALECT } from '../../contract/dialect.ts'
import { readBody } from '../../contract/parameter-reader.ts'
import { isRefusal } from '../../contract/refusal.ts'
import { refusalText } from '../../contract/refusal-forms.ts'
import type { TSchema } from '../../contract/schema.ts'
import { exists, missedSubscription } from './recorded-stream.ts'
import type { Session } from './session.ts'
import { hubOf } from './subscription-hub.ts'

type SubscriptionFields = Record<string, unknown>

/** `{"method":"subscribe","subscription":{…}}` */
export function* subscribe(session: Session, request: SubscriptionFields): Slices<void> {
  const resolved = resolve(session, request)
  if (typeof resolved === 'string') session.coverage?.refused('subscription')
  if (resolved === 'absent') return refuseAbsent(session, request)
  if (resolved === 'unreadable') return session.sendError(unreadable(session, 'subscribe', request))
  const { channel, subscription } = resolved
  if (!session.isAllowed) return refusePermission(session, channel)
  const key = subscriptionKey(channel, subscription)
  const isNew = !session.streams.has(key)
  const id = streamId(channel, subscription)
  const missed = isNew ? missedSubscription(session.sandbox, id) : null
  if (missed !== null) return session.sendError(missed)
  const limit = isNew ? reachedLimit(session, subscription) : null
  if (limit !== null) return refuseLimit(session, limit)
  const refusal = isNew ? session.faults.refusedSubscription(channel, request) : null
  if (refusal !== null) return session.sendError(refusal)
  if (isNew) {
    if (!channel.counted) dropPreviousUser(session, channel)
    session.addSubscription(channel, subscription, key)
  }
  const echoed = session.dialect.echo === 'verbatim' ? request : normalised(channel, subscription)
  if (!isNew && session.dialect.repeats === 'error')
    return session.sendError(`Already subscribed: ${JSON.stringify(echoed)}`)
  acknowledge(session, 'subscribe', echoed, channel, isNew ? 'subscribed' : 'alreadySubscribed')
  if (isNew) yield* sendSnapshot(session, key)
}

/** `{"method":"unsubscribe","subscription":{…}}` */
export function unsubscribe(session: Session, request: SubscriptionFields): void {
  const resolved = resolve(session, request)
  if (typeof resolved === 'string') session.coverage?.refused('subscription')
  if (resolved === 'absent') return session.sendError(invalidText(request))
  if (resolved === 'unreadable')
    return session.sendError(unreadable(session, 'unsubscribe', request))
  const { channel, subscription } = resolved
  const key = subscriptionKey(channel, subscription)
  const wasSubscribed = session.streams.has(key)
  const echoed = session.dialect.echo === 'verbatim' ? request : normalised(channel, subscription)
  if (!wasSubscribed && session.dialect.repeats === 'error')
    return session.sendError(`Already unsubscribed: ${JSON.stringify(echoed)}`)
  session.removeSubscription(key)
  const status = wasSubscribed ? 'unsubscribed' : 'notSubscribed'
  acknowledge(session, 'unsubscribe', echoed, channel, status)
}

/** `{"type":"subscribe","address":[…]}` and its opposite. Additive; repeats have no effect. */
export function* changeAddresses(
  session: Session,
  add: boolean,
  addresses: readonly string[],
): Slices<void> {
  const channel = session.channels[0] as Channel
  if (add && !session.isAllowed) return refusePermission(session, channel)
  const refusals = new Map(add ? refusedAddresses(session, channel, addresses) : [])
  for (const why of refusals.values()) session.sendError(why)
  const isRefused = refusals.size > 0 && refusals.size === addresses.length
  if (!isRefused && !session.faults.losesReply('acknowledgement'))
    session.enqueuePush(`{"type":"${add ? 'subscribe' : 'unsubscribe'}"}`)
  for (const address of addresses) {
    if (!session.isOpen) return
    const subscription = { address, dex: session.caller.dex }
    const key = subscriptionKey(channel, subscription)
    const isHeld = session.streams.has(key)
    if (isHeld) session.coverage?.changed(channel, add ? 'repeated' : 'removed')
    if (!add) session.removeSubscription(key)
    else if (!session.streams.has(key) && !refusals.has(address)) {
      const id = streamId(channel, subscription)
      const limit = missedSubscription(session.sandbox, id) ?? reachedLimit(session, subscription)
      if (limit !== null) return refuseLimit(session, limit)
      session.addSubscription(channel, subscription, key)
      session.coverage?.changed(channel, 'added')
      yield* sendSnapshot(session, key)
    }
    yield
  }
}

/** Addresses that a scenario refuses, with the reason. */
const refusedAddresses = (
  { faults, caller }: Session,
  channel: Channel,
  addresses: readonly string[],
): [address: string, why: string][] =>
  addresses.flatMap((address) => {
    const why = faults.refusedSubscription(channel, { address, dex: caller.dex })
    return why === null ? [] : [[address, why]]
  })

function refusePermission(session: Session, channel: Channel): void {
  session.coverage?.refused('permission')
  session.sendError(permissionText(channel))
}

function refuseLimit(session: Session, why: string): void {
  session.coverage?.refused('connections')
  session.sendError(why)
}

const permissionText = ({ access }: Channel) =>
  refusalText({ refused: 'permission', name: access.kind === 'permission' ? access.name : '' })

interface Resolved {
  channel: Channel
  subscription: SubscriptionFields
}

/** Why a subscription is refused: it cannot be read, or is of something that there is not. */
type Unresolved = 'unreadable' | 'absent'

/** The channel and the parsed subscription, or why there is none. */
function resolve(session: Session, request: SubscriptionFields): Resolved | Unresolved {
  const channel = session.channels.find((candidate) => candidate.id === request.type)
  if (!channel) return 'unreadable'
  const read = readBody(channel.subscription, request)
  if (isRefusal(read)) return 'unreadable'
  const subscription = read as SubscriptionFields
  if (typeof subscription.user === 'string') subscription.user = subscription.user.toLowerCase()
  const id = streamId(channel, subscription)
  return exists(session.sandbox, id, channel, subscription) ? { channel, subscription } : 'absent'
}

/** The venue refuses the whole frame where it cannot read the subscription. */
const unreadable = (
  { dialect }: Session,
  method: 'subscribe' | 'unsubscribe',
  subscription: SubscriptionFields,
): string =>
  dialect.repeats === 'error'
    ? unreadableText(JSON.stringify({ method, subscription }))
    : invalidText(subscription)

const invalidText = (subscription: SubscriptionFields) =>
  `Invalid subscription ${JSON.stringify(subscription)}`

/** The venue drops a connection that subscribes to something that there is not. */
function refuseAbsent(session: Session, subscription: SubscriptionFields): void {
  const { dialect, sandbox } = session
  const answer = dialect === VENUE_DIALECT ? sandbox.answers['venue-absent-subscription'] : 'error'
  const why = invalidText(subscription)
  if (answer === 'error') session.sendError(why)
  else if (answer === 'dropped') session.close(`${why}${pairHint(session, subscription)}`, 1006)
}

/** Clients convert `HYPE/USDC` to the pair's own name, `@107`; says so of one that did not. */
function pairHint({ sandbox }: Session, { coin }: SubscriptionFields): string {
  if (typeof coin !== 'string' || !coin.includes('/')) return ''
  const { universe, tokens } = sandbox.facts().venue.spotMeta()
  const nameOf = (index: number) => tokens.find((token) => token.index === index)?.name
  const pair = universe.find((one) => one.tokens.map(nameOf).join('/') === coin)
  return pair ? `: the venue names this pair ${pair.name}` : ''
}

/** Address-keyed channels hold one key a connection, the newest; the venue's hold many. */
function dropPreviousUser(session: Session, channel: Channel): void {
  if (session.dialect.repeats === 'error') return
  if (session.sandbox.answers['address-channel-second-user'] !== 'replace') return
  for (const [key, stream] of [...session.streams])
    if (stream.channel === channel) session.removeSubscription(key)
}

/** As the venue echoes it: known fields only, in their own order, with what was left out. */
function normalised(channel: Channel, subscription: SubscriptionFields): SubscriptionFields {
  const fields = Object.entries(channel.subscription.properties)
  return Object.fromEntries(
    fields.map(([name, schema]) => [name, subscription[name] ?? leftOut(schema)]),
  )
}

/** Values of the venue for absent optional fields. */
function leftOut({ type }: TSchema): unknown {
  if (type === 'boolean') return false
  return type === 'string' ? '' : null
}

/** The subscription is echoed with every field as received, as clients match it. */
function acknowledge(
  session: Session,
  method: string,
  request: SubscriptionFields,
  channel: Channel,
  status: string,
): void {
  if (session.faults.losesReply('acknowledgement')) return
  session.coverage?.changed(channel, status)
  const data: Record<string, unknown> = { method, subscription: request }
  if (channel.counted) {
    data.status = status
    data.activeCount = session.streams.countOf(channel)
  }
  session.enqueueReply(JSON.stringify({ channel: 'subscriptionResponse', data }))
}

function* sendSnapshot(session: Session, key: string): Slices<void> {
  const stream = session.streams.get(key)
  if (!stream) return
  // As of the sent events: later ones are pushed, and are not in the snapshot.
  const opening = stream.openingFrames(session.sandbox.player.position, session)
  const frames = isSlices(opening) ? yield* opening : opening
  if (session.streams.get(key) !== stream) return
  const { coverage } = session.sandbox
  if (frames.length > 0)
    coverage.frame(stream.channel, [session], stream.isExpired() ? 'stale' : 'snapshot')
  for (const frame of frames) session.deliver(stream, frame)
}

/** Maximum number of subscriptions of one socket, addresses included. */
const SOCKET_SUBSCRIPTIONS_MAX = 10_000

/** Why one more exceeds the limit of the socket, the venue or the key; null while there is room. */
function reachedLimit(session: Session, subscription: SubscriptionFields): string | null {
  const { sandbox, caller, streams, dialect } = session
  const most = SOCKET_SUBSCRIPTIONS_MAX
  if (streams.size >= most)
    return `a socket holds at most ${most} subscriptions, this would be number ${streams.size + 1}`
  const hub = hubOf(sandbox)
  if (dialect === VENUE_DIALECT) return hub.venueLimits.subscriptionFlaw(subscription)
  const { key } = caller
  if (!key || sandbox.config.metering === 'off') return null
  const max = sandbox.limitsOf(key).maxSubscriptions
  if (max === null || hub.countsOfKey(key.accessKey).subscriptions < max) return null
  return `Cannot subscribe to more than ${max} channels.`
}
