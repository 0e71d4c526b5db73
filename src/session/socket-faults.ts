/** What scenarios do to the frames of one connection. */
import { type Meaning, meaningOf } from '../contract/meaning.ts'
import { namesIn } from '../contract/meaning-values.ts'
import { type TSchema, Type } from '../contract/schema.ts'
import type { OutgoingPush, PushTransform } from '../scenario/fault.ts'
import type { Rule } from '../scenario/scenario.ts'
import type { ActiveRule, FaultSubject } from '../scenario/scenario-run.ts'
import type { Connection } from './connection.ts'
import type { PushStream } from './push-stream.ts'
import type { SocketConnection } from './socket-connection.ts'

/** A connection that journals what a scenario did to it. */
interface FaultedSession extends Connection {
  journalFault(rule: string, what: string): void
}

export class SocketFaults {
  private readonly transforms = new WeakMap<Rule, WeakMap<PushStream, PushTransform>>()

  constructor(private readonly session: FaultedSession) {}

  /** The frames that go out in the place of a push. */
  applyToPush(stream: PushStream, frame: string): readonly string[] {
    const { faultInjection } = this.session.sandbox
    if (!faultInjection.isActive) return [frame]
    const original = JSON.parse(frame) as Record<string, unknown>
    const acting = faultInjection.activeRules(
      ({ onData, onPush }) => onData !== undefined || onPush !== undefined,
      this.subjectOf(stream, original.data),
    )
    if (acting.length === 0) return [frame]
    const pushes = acting.reduce(
      (all, one) => all.flatMap((push) => this.applyRule(one, stream, push)),
      [{ data: original.data }] as OutgoingPush[],
    )
    this.journal(acting, `${stream.channel.id}: 1 push became ${pushes.length}`)
    return pushes.map(({ data, stale }) =>
      JSON.stringify({ ...original, data: withStale(data, stale) }),
    )
  }

  /** Whether a reply of that sort is lost. */
  losesReply(what: 'acknowledgement' | 'pong'): boolean {
    const { faultInjection } = this.session.sandbox
    if (!faultInjection.isActive) return false
    const acting = faultInjection.activeRules(({ lostReply }) => lostReply === what, this.subject)
    if (acting.length > 0) this.journal(acting, `the ${what} is lost`)
    return acting.length > 0
  }

  /** The connection, whose client seems not to read while a scenario stalls it. */
  faultyConnection(connection: SocketConnection): SocketConnection {
    const { faultInjection } = this.session.sandbox
    const isStalled = () =>
      faultInjection.isActive &&
      faultInjection.activeRules(({ stallsReading }) => stallsReading === true, this.subject)
        .length > 0
    return {
      send: (frames) => connection.send(frames),
      close: (code, reason) => connection.close(code, reason),
      terminate: () => connection.terminate(),
      pendingBytes: () => (isStalled() ? Number.POSITIVE_INFINITY : connection.pendingBytes()),
    }
  }

  /** Who is connected, to all channels that can be followed here. */
  get subject(): FaultSubject {
    const { channels, caller } = this.session
    return {
      operation: null,
      channels: channels.map(({ id }) => id),
      key: caller.key?.accessKey ?? null,
      coins: [],
      addresses: [],
    }
  }

  private subjectOf({ channel, subscription }: PushStream, data: unknown): FaultSubject {
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
    stream: PushStream,
    push: OutgoingPush,
  ): OutgoingPush[] {
    const { data: schema } = stream.channel
    if (fault.onData)
      return [{ ...push, data: fault.onData(settings, randomSource)(push.data, schema) }]
    const byStream = this.transforms.get(rule) ?? new WeakMap<PushStream, PushTransform>()
    this.transforms.set(rule, byStream)
    const transform =
      byStream.get(stream) ?? fault.onPush?.(settings, randomSource) ?? ((one) => [one])
    byStream.set(stream, transform)
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

const withStale = (data: unknown, stale: true | undefined): unknown =>
  stale && typeof data === 'object' && data !== null && !Array.isArray(data)
    ? { ...data, stale: true }
    : data
