/** The faults of one connection's frames. */

import type { Channel } from '../../contract/channel.ts'
import { type Meaning, meaningOf } from '../../contract/meaning.ts'
import { type TSchema, Type } from '../../contract/schema.ts'
import { isJsonObject } from '../../platform/json-object.ts'
import { namesIn } from '../meaning-values.ts'
import {
  type EditRoom,
  editRoom,
  type OutgoingPush,
  type PushTransform,
} from '../scenario/fault.ts'
import type { Rule } from '../scenario/scenario.ts'
import type { ActiveRule, FaultSubject } from '../scenario/scenario-run.ts'
import type { Session } from './session.ts'
import type { Stream } from './stream.ts'

type Frame = Record<string, unknown>

/** The frame that rules act on, with the remaining bounds. */
interface GivenFrame {
  original: Frame
  /** UTF-16 units of its text. */
  length: number
  /** Room for data that rules add. */
  room: EditRoom
  /** UTF-16 units of data that rules may still process. */
  workLeft: number
}

/** A rule's transform of a stream, and the last frame given to it. */
interface StreamTransform {
  transform: PushTransform
  original: Frame
  /** Length of the frames given to it since it last released any. */
  heldLength: number
}

/**
 * Maximum number of pushes that a rule makes of one, unless it releases held-back ones, and UTF-16
 * units of their frames. Further ones are dropped and counted.
 */
const [PUSHES_MAX, PUSHED_LENGTH_MAX] = [1_000, 8 << 20]

/**
 * UTF-16 units of data that rules process for one push to one client, each rule for each push that
 * earlier rules have made. The rest is dropped and counted.
 */
const WORK_LENGTH_MAX = 8 << 20

/** UTF-16 units of frames that a rule holds back of one stream to one client. */
const HELD_LENGTH_MAX = 4 << 20

export class SocketFaults {
  private readonly transforms = new Map<Rule, Map<Stream, StreamTransform>>()
  /** Names of the rules that stall it. */
  private stalledBy = ''
  /** Streams whose last push a rule has marked as stale. */
  private marked: WeakSet<Stream> | null = null

  constructor(private readonly session: Session) {}

  /** The frames that replace a push; each is queued before the next is made. */
  applyToPush(stream: Stream, frame: string): Iterable<string> {
    const { faultInjection } = this.session.sandbox
    if (!faultInjection.isActive) return [frame]
    const original = JSON.parse(frame) as Frame
    const acting = faultInjection.activeRules(
      ({ onData, onPush }) => onData !== undefined || onPush !== undefined,
      { ...this.subject, ...pushNames(stream, frame, original.data) },
    )
    if (acting.length === 0) {
      this.marked?.delete(stream)
      return [frame]
    }
    const { length } = frame
    const given = { original, length, room: editRoom(), workLeft: WORK_LENGTH_MAX }
    let pushes: OutgoingPush[] = [{ data: original.data }]
    const changing = acting.filter((one) => {
      const before = pushes
      pushes = this.applyToAll(one, stream, before, given)
      return !areEqual(before, pushes)
    })
    const became = pushes.length === 1 ? 'a push was changed' : `1 push became ${pushes.length}`
    if (changing.length > 0) this.journal(changing, `${stream.channel.id}: ${became}`)
    if (pushes.at(-1)?.stale) {
      this.marked ??= new WeakSet()
      this.marked.add(stream)
    } else if (pushes.length > 0) this.marked?.delete(stream)
    return this.framesOf(original, pushes, sizeOf(given))
  }

  /** Whether a rule has marked the last push of a stream as stale. */
  marksStale(stream: Stream): boolean {
    return this.session.sandbox.faultInjection.isActive && (this.marked?.has(stream) ?? false)
  }

  /** The frames held back by rules that have ended; each is queued before the next is made. */
  *releaseHeld(): Iterable<string> {
    const { faultInjection } = this.session.sandbox
    const over = [...this.transforms].filter(([rule]) => faultInjection.isOver(rule))
    for (const [rule, byStream] of over) {
      this.transforms.delete(rule)
      for (const held of byStream.values())
        yield* this.framesOf(held.original, this.heldBy(held), 0)
    }
  }

  /** Removes an unsubscribed stream: its held-back frames are not sent. */
  forget(stream: Stream): void {
    for (const byStream of this.transforms.values()) {
      const held = byStream.get(stream)
      if (held) this.heldBy(held)
      byStream.delete(stream)
    }
  }

  /** Whether a reply of that kind is lost. */
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
      { ...this.subject, ...namesOf({ channel, subscription }, undefined) },
    )
    const [first] = acting
    if (!first) return null
    this.journal(acting, `${channel.id}: the subscription is refused`)
    const why = first.fault.subscriptionRefusal?.(first.settings) ?? null
    return why ?? `Invalid subscription ${JSON.stringify(subscription)}`
  }

  /** Maximum number of waiting frames while a rule stalls the client; null without one. */
  stalledFrames(): number | null {
    const { faultInjection } = this.session.sandbox
    // Called for every frame of every connection.
    if (!faultInjection.stallsClients && this.stalledBy === '') return null
    const acting = faultInjection.stallsClients
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

  /** The fault subject of the connection: its caller and all channels of its path. */
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

  /** Applies a rule to pushes. */
  private applyToAll(
    acting: ActiveRule,
    stream: Stream,
    pushes: readonly OutgoingPush[],
    frame: GivenFrame,
  ): OutgoingPush[] {
    const { fault, settings, randomSource } = acting
    const schema = stream.channel.data
    const made: OutgoingPush[] = []
    // A push that an earlier rule has repeated is changed once.
    const edited = new Map<OutgoingPush, OutgoingPush>()
    for (const [at, push] of pushes.entries()) {
      const next = edited.get(push)
      if (!next) frame.workLeft -= sizeOf(frame)
      if (frame.workLeft < 0) {
        this.session.sendQueue.discard(pushes.length - at)
        break
      }
      const own = next
        ? [next]
        : fault.onData
          ? [
              {
                ...push,
                data: fault.onData(settings, randomSource)(push.data, schema, frame.room),
              },
            ]
          : this.transform(acting, stream, push, frame)
      if (made.length > 0 && made.length + own.length > Math.max(PUSHES_MAX, pushes.length)) {
        this.session.sendQueue.discard(pushes.length - at)
        break
      }
      if (fault.onData && own[0]) edited.set(push, own[0])
      for (const one of own) made.push(one)
    }
    return made
  }

  private transform(
    { rule, fault, settings, randomSource }: ActiveRule,
    stream: Stream,
    push: OutgoingPush,
    { original, length }: GivenFrame,
  ): OutgoingPush[] {
    const byStream = this.transforms.get(rule) ?? new Map<Stream, StreamTransform>()
    this.transforms.set(rule, byStream)
    const transform: PushTransform =
      byStream.get(stream)?.transform ?? fault.onPush?.(settings, randomSource) ?? ((one) => [one])
    const state = byStream.get(stream) ?? { transform, original, heldLength: 0 }
    state.original = original
    byStream.set(stream, state)
    const made = transform(push, stream.channel.data)
    if (!transform.rest) return made
    if (made.length > 0) {
      this.charge(state, -state.heldLength)
      return made
    }
    this.charge(state, length)
    const isTooMuch =
      state.heldLength > HELD_LENGTH_MAX || !this.session.sandbox.memory.hasRoomFor(0)
    return isTooMuch ? this.heldBy(state) : made
  }

  /** Takes the pushes that a rule holds back of a stream. */
  private heldBy(state: StreamTransform): OutgoingPush[] {
    this.charge(state, -state.heldLength)
    return state.transform.rest?.() ?? []
  }

  private charge(state: StreamTransform, length: number): void {
    state.heldLength += length
    this.session.sandbox.memory.add('faults', length)
  }

  /**
   * Frames of pushes; a repeated push is serialised once, and one without room in the client's
   * queue is not.
   */
  private *framesOf(
    original: Frame,
    pushes: readonly OutgoingPush[],
    expectedLength: number,
  ): Iterable<string> {
    const { sendQueue } = this.session
    const texts = new Map<OutgoingPush, string>()
    let left = PUSHED_LENGTH_MAX
    for (const [at, push] of pushes.entries()) {
      const known = texts.get(push)
      if (!sendQueue.hasRoomFor(known?.length ?? expectedLength)) {
        sendQueue.discard(1)
        continue
      }
      const text = known ?? frameOf(original, push)
      texts.set(push, text)
      left -= text.length
      if (left < 0 && at > 0) return sendQueue.discard(pushes.length - at)
      yield text
    }
  }

  private journal(acting: readonly ActiveRule[], what: string): void {
    this.session.journalFault(acting.map(({ rule }) => rule.name).join(', '), what)
  }
}

type Subscribed = Pick<Stream, 'channel' | 'subscription'>
type SubjectNames = Pick<FaultSubject, 'channels' | 'coins' | 'addresses'>

/** The names in the last push of each stream: all its subscribers get the same. */
const lastNames = new WeakMap<Stream, { frame: string; names: SubjectNames }>()

function pushNames(stream: Stream, frame: string, data: unknown): SubjectNames {
  const last = lastNames.get(stream)
  if (last?.frame === frame) return last.names
  const names = namesOf(stream, data)
  lastNames.set(stream, { frame, names })
  return names
}

function namesOf({ channel, subscription }: Subscribed, data: unknown): SubjectNames {
  const named = (...meanings: Meaning[]) => [
    ...namesIn(channel.subscription, subscription, meanings),
    ...namesIn(headOf(channel.data), data, meanings),
  ]
  return { channels: [channel.id], coins: named('coin', 'symbol'), addresses: named('address') }
}

/** The subject fields of a push: not those of its rows. */
function headOf({ type, properties = {} }: TSchema): TSchema | undefined {
  if (type !== 'object') return undefined
  const own = Object.entries(properties as Record<string, TSchema>).filter(
    ([, field]) => meaningOf(field) !== undefined,
  )
  return Type.Object(Object.fromEntries(own))
}

const frameOf = (original: Frame, { data, stale }: OutgoingPush): string =>
  JSON.stringify({ ...original, data: withStale(data, stale) })

/** UTF-16 units of a push at present, approximately. */
const sizeOf = ({ length, room }: GivenFrame): number => length + room.size - room.left

/** Repeated pushes are compared once. */
const areEqual = (before: readonly OutgoingPush[], after: readonly OutgoingPush[]): boolean =>
  before.length === after.length &&
  before.every(
    (push, at) =>
      push === after[at] ||
      (at > 0 && push === before[at - 1] && after[at] === after[at - 1]) ||
      isSame(push, after[at]),
  )

/** Whether two values have the same JSON; shared parts are not compared. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const [names, others] = [Object.keys(one), Object.keys(other)]
  return (
    names.length === others.length &&
    names.every(
      (name, at) => name === others[at] && isSame(one[name as never], other[name as never]),
    )
  )
}

const withStale = (data: unknown, stale: true | undefined): unknown =>
  stale && isJsonObject(data) ? { ...data, stale: true } : data
