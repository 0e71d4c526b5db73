/** What scenarios do to the frames of one connection. */
import { type Meaning, meaningOf } from '../contract/meaning.ts'
import { namesIn } from '../contract/named.ts'
import { type TSchema, Type } from '../contract/schema.ts'
import type { Flow, Pushed } from '../scenario/deed.ts'
import type { Rule } from '../scenario/scenario.ts'
import type { Acting, Subject } from '../scenario/script.ts'
import type { Connection } from './connection.ts'
import type { Stream } from './stream.ts'
import type { Wire } from './wire.ts'

/** A connection that journals what a scenario did to it. */
interface Noting extends Connection {
  note(rule: string, what: string): void
}

export class Troubled {
  private readonly flows = new WeakMap<Rule, WeakMap<Stream, Flow>>()

  constructor(private readonly session: Noting) {}

  /** The frames that go out in the place of a push. */
  push(stream: Stream, frame: string): readonly string[] {
    const { trouble } = this.session.sandbox
    if (!trouble.isOn) return [frame]
    const told = JSON.parse(frame) as Record<string, unknown>
    const acting = trouble.acting(
      ({ edit, flow }) => edit !== undefined || flow !== undefined,
      this.subjectOf(stream, told.data),
    )
    if (acting.length === 0) return [frame]
    const pushes = acting.reduce(
      (all, one) => all.flatMap((push) => this.passed(one, stream, push)),
      [{ data: told.data }] as Pushed[],
    )
    this.note(acting, `${stream.channel.id}: 1 push became ${pushes.length}`)
    return pushes.map(({ data, stale }) => JSON.stringify({ ...told, data: marked(data, stale) }))
  }

  /** Whether a reply of that sort is lost. */
  loses(what: 'acknowledgement' | 'pong'): boolean {
    const { trouble } = this.session.sandbox
    if (!trouble.isOn) return false
    const acting = trouble.acting(({ loses }) => loses === what, this.subject)
    if (acting.length > 0) this.note(acting, `the ${what} is lost`)
    return acting.length > 0
  }

  /** The wire, behind which the client seems not to read while a scenario stalls it. */
  wire(wire: Wire): Wire {
    const { trouble } = this.session.sandbox
    const isStalled = () =>
      trouble.isOn && trouble.acting(({ stalls }) => stalls === true, this.subject).length > 0
    return {
      send: (frames) => wire.send(frames),
      close: (code, reason) => wire.close(code, reason),
      terminate: () => wire.terminate(),
      pendingBytes: () => (isStalled() ? Number.POSITIVE_INFINITY : wire.pendingBytes()),
    }
  }

  /** Who is connected, to all channels that can be followed here. */
  get subject(): Subject {
    const { channels, caller } = this.session
    return {
      operation: null,
      channels: channels.map(({ id }) => id),
      key: caller.key?.accessKey ?? null,
      coins: [],
      addresses: [],
    }
  }

  private subjectOf({ channel, subscription }: Stream, data: unknown): Subject {
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

  private passed({ rule, deed, settings, dice }: Acting, stream: Stream, push: Pushed): Pushed[] {
    const { data: schema } = stream.channel
    if (deed.edit) return [{ ...push, data: deed.edit(settings, dice)(push.data, schema) }]
    const known = this.flows.get(rule) ?? new WeakMap<Stream, Flow>()
    this.flows.set(rule, known)
    const flow = known.get(stream) ?? deed.flow?.(settings, dice) ?? ((one) => [one])
    known.set(stream, flow)
    return flow(push, schema)
  }

  private note(acting: readonly Acting[], what: string): void {
    this.session.note(acting.map(({ rule }) => rule.name).join(', '), what)
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

const marked = (data: unknown, stale: true | undefined): unknown =>
  stale && typeof data === 'object' && data !== null && !Array.isArray(data)
    ? { ...data, stale: true }
    : data
