/** What scenarios do to the frames of one connection. */
import {
  type Channel,
  type Meaning,
  meaningOf,
  namesIn,
  type TSchema,
  Type,
} from '../../contract/index.ts'
import type { OutgoingPush, PushTransform } from '../scenario/fault.ts'
import type { Rule } from '../scenario/scenario.ts'
import type { ActiveRule, FaultSubject } from '../scenario/scenario-run.ts'
import type { Connection } from './connection.ts'
import type { Stream } from './stream.ts'

/** A connection that journals what a scenario did to it. */
interface FaultedSession extends Connection {
  journalFault(rule: string, what: string): void
}

type Frame = Record<string, unknown>

/** What a rule does to the pushes of a stream, and the last frame that it was given. */
interface StreamTransform {
  transform: PushTransform
  original: Frame
}

export class SocketFaults {
  private readonly transforms = new Map<Rule, Map<Stream, StreamTransform>>()
  /** Names of the rules that keep its frames. */
  private stalledBy = ''
  /** Streams whose last push a rule has marked as stale. */
  private readonly marked = new WeakSet<Stream>()

  constructor(private readonly session: FaultedSession) {}

  /** The frames that go out in the place of a push. */
  applyToPush(stream: Stream, frame: string): readonly string[] {
    const { faultInjection } = this.session.sandbox
    if (!faultInjection.isActive) return [frame]
    const original = JSON.parse(frame) as Frame
    const acting = faultInjection.activeRules(
      ({ onData, onPush }) => onData !== undefined || onPush !== undefined,
      this.subjectOf(stream, original.data),
    )
    if (acting.length === 0) {
      this.marked.delete(stream)
      return [frame]
    }
    let pushes: OutgoingPush[] = [{ data: original.data }]
    const changing = acting.filter((one) => {
      const before = pushes
      pushes = before.flatMap((push) => this.applyRule(one, stream, push, original))
      return !areEqual(before, pushes)
    })
    const became = pushes.length === 1 ? 'a push was changed' : `1 push became ${pushes.length}`
    if (changing.length > 0) this.journal(changing, `${stream.channel.id}: ${became}`)
    if (pushes.at(-1)?.stale) this.marked.add(stream)
    else if (pushes.length > 0) this.marked.delete(stream)
    return pushes.map((push) => frameOf(original, push))
  }

  /** Whether its client was last told, by a rule, that what it sees is stale. */
  marksStale(stream: Stream): boolean {
    return this.session.sandbox.faultInjection.isActive && this.marked.has(stream)
  }

  /** What rules have held back that are over now, as frames. */
  releaseHeld(): string[] {
    const { faultInjection } = this.session.sandbox
    const over = [...this.transforms].filter(([rule]) => faultInjection.isOver(rule))
    return over.flatMap(([rule, byStream]) => {
      this.transforms.delete(rule)
      return [...byStream.values()].flatMap(({ transform, original }) =>
        (transform.rest?.() ?? []).map((push) => frameOf(original, push)),
      )
    })
  }

  /** It is followed no more: what is held back of it is not sent. */
  forget(stream: Stream): void {
    for (const byStream of this.transforms.values()) byStream.delete(stream)
  }

  /** Whether a reply of that sort is lost. */
  losesReply(what: 'acknowledgement' | 'pong'): boolean {
    const { faultInjection } = this.session.sandbox
    if (!faultInjection.isActive) return false
    const acting = faultInjection.activeRules(({ lostReply }) => lostReply === what, this.subject)
    if (acting.length > 0) this.journal(acting, `the ${what} is lost`)
    return acting.length > 0
  }

  /** Why a subscription is refused; null when it is not. */
  refusedSubscription(channel: Channel, subscription: Record<string, unknown>): string | null {
    const { faultInjection } = this.session.sandbox
    if (!faultInjection.isActive) return null
    const acting = faultInjection.activeRules(
      ({ subscriptionRefusal }) => subscriptionRefusal !== undefined,
      this.subjectOf({ channel, subscription }, undefined),
    )
    const [first] = acting
    if (!first) return null
    this.journal(acting, `${channel.id}: the subscription is refused`)
    const why = first.fault.subscriptionRefusal?.(first.settings) ?? null
    return why ?? `Invalid subscription ${JSON.stringify(subscription)}`
  }

  /** How many frames may wait while a scenario keeps them; null while none does. */
  stalledFrames(): number | null {
    const { faultInjection } = this.session.sandbox
    // Asked for every frame of every connection.
    if (!faultInjection.isActive && this.stalledBy === '') return null
    const acting = faultInjection.isActive
      ? faultInjection.holdingRules(
          ({ stalledFrames }) => stalledFrames !== undefined,
          this.subject,
        )
      : []
    const names = acting.map(({ rule }) => rule.name).join(', ')
    if (names !== this.stalledBy) {
      const [by, what] = names ? [names, 'nothing is read'] : [this.stalledBy, 'it is read again']
      this.stalledBy = names
      this.session.journalFault(by, what)
    }
    const bounds = acting.map(({ fault, settings }) => fault.stalledFrames?.(settings) ?? 0)
    return acting.length === 0 ? null : Math.min(...bounds)
  }

  /** Who is connected, to all channels that can be followed here. */
  get subject(): FaultSubject {
    const { channels, caller } = this.session
    return {
      operations: [],
      channels: channels.map(({ id }) => id),
      key: caller.key?.accessKey ?? null,
      coins: [],
      addresses: [],
    }
  }

  private subjectOf(
    { channel, subscription }: Pick<Stream, 'channel' | 'subscription'>,
    data: unknown,
  ): FaultSubject {
    const named = (...meanings: Meaning[]) => [
      ...namesIn(channel.subscription, subscription, meanings),
      ...namesIn(headOf(channel.data), data, meanings),
    ]
    return {
      ...this.subject,
      channels: [channel.id],
      coins: named('coin', 'symbol'),
      addresses: named('address'),
    }
  }

  private applyRule(
    { rule, fault, settings, randomSource }: ActiveRule,
    stream: Stream,
    push: OutgoingPush,
    original: Frame,
  ): OutgoingPush[] {
    const { data: schema } = stream.channel
    if (fault.onData)
      return [{ ...push, data: fault.onData(settings, randomSource)(push.data, schema) }]
    const byStream = this.transforms.get(rule) ?? new Map<Stream, StreamTransform>()
    this.transforms.set(rule, byStream)
    const transform =
      byStream.get(stream)?.transform ?? fault.onPush?.(settings, randomSource) ?? ((one) => [one])
    byStream.set(stream, { transform, original })
    return transform(push, schema)
  }

  private journal(acting: readonly ActiveRule[], what: string): void {
    this.session.journalFault(acting.map(({ rule }) => rule.name).join(', '), what)
  }
}

/** The fields that say what a push is about: not those of the rows in it. */
function headOf({ type, properties = {} }: TSchema): TSchema | undefined {
  if (type !== 'object') return undefined
  const own = Object.entries(properties as Record<string, TSchema>).filter(
    ([, field]) => meaningOf(field) !== undefined,
  )
  return Type.Object(Object.fromEntries(own))
}

const frameOf = (original: Frame, { data, stale }: OutgoingPush): string =>
  JSON.stringify({ ...original, data: withStale(data, stale) })

const areEqual = (before: OutgoingPush[], after: OutgoingPush[]): boolean =>
  before.length === after.length &&
  before.every(
    (push, at) => push === after[at] || JSON.stringify(push) === JSON.stringify(after[at]),
  )

const withStale = (data: unknown, stale: true | undefined): unknown =>
  stale && typeof data === 'object' && data !== null && !Array.isArray(data)
    ? { ...data, stale: true }
    : data
