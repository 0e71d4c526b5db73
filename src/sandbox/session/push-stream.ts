/** A distinct subscription: a frame is made and serialised once for all its subscribers. */

import type { TapeMs } from '../../clock/instant.ts'
import { isSlices, mapSlices, type Slices } from '../../clock/turns.ts'
import { type Channel, pushedName, type Source } from '../../contract/channel.ts'
import type { Facts } from '../../contract/facts.ts'
import type { Answers } from '../../contract/questions.ts'
import type { TSchema } from '../../contract/schema.ts'
import { type ShownAs, shownValue } from '../../contract/shown-value.ts'
import { spanMs } from '../../contract/span.ts'
import type { KeptFrame, PassedOn, Timeline, TimelineEvent } from '../../contract/timeline.ts'
import type { FrameKind } from '../coverage/coverage.ts'
import type { TapePosition } from '../playhead.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Topic, TopicNumbers } from '../timeline-run.ts'
import { FrameTemplates, type KeptBytes, type Stream, type Subscriber } from './stream.ts'
import type { SubscriptionHub } from './subscription-hub.ts'

// When each market last had an event: data without one for long is stale.

/** The events that a coin's book is made of. */
const OF_BOOK: Topic['kind'][] = ['book', 'bbo']
const OF_COIN: Topic['kind'][] = [...OF_BOOK, 'trade', 'mark']

export class MarketActivity {
  /** By topic, session times in ms. */
  private readonly lastOfTopic: number[] = []
  private anyMs: number

  /** @param sinceMs start of the observation */
  constructor(
    private readonly topics: TopicNumbers,
    private readonly sinceMs: number,
  ) {
    this.anyMs = sinceMs
  }

  /** Notes an event of that topic. */
  note(topic: number, nowMs: number): void {
    while (this.lastOfTopic.length <= topic) this.lastOfTopic.push(this.sinceMs)
    this.lastOfTopic[topic] = nowMs
    this.anyMs = nowMs
  }

  /** Whether the data of a channel and coin has had no event for too long. */
  isStale(channel: Channel, coin: unknown, answers: Answers, nowMs: number): boolean {
    const { id, pushPolicy } = channel
    const source = pushPolicy.stateOf ?? 'market'
    const staleChannels = answers['stale-channels']
    if (staleChannels === 'l2Book' && id !== 'l2Book') return false
    if (staleChannels === 'books' && source !== 'book') return false
    return this.ageMs(channel, coin, nowMs) >= spanMs(answers['stale-after'])
  }

  /** Time since the data of a channel and coin had an event, session time. */
  ageMs({ pushPolicy }: Channel, coin: unknown, nowMs: number): number {
    return nowMs - this.lastMs(pushPolicy.stateOf ?? 'market', coin)
  }

  /** Time of a source's last event. */
  private lastMs(source: Source, coin: unknown): number {
    if (source === 'market') return this.anyMs
    const kinds = source === 'book' ? OF_BOOK : OF_COIN
    const times = kinds.map((kind) => {
      const topic = this.topics.find({ kind, subject: String(coin) })
      return (topic === undefined ? undefined : this.lastOfTopic[topic]) ?? this.sinceMs
    })
    return Math.max(...times)
  }
}

// The snapshots of one instant, shared by all that subscribe at it.

/** The first data of a stream; absent without data. */
interface Snapshot {
  data: unknown
  json: string
}

/** The instant and answers that a snapshot depends on. */
interface SnapshotMoment {
  position: TapePosition
  answers: Answers
}

/** Maximum length of all kept snapshots. */
const KEPT_MAX = 8 << 20

export class MomentSnapshots {
  private readonly byStream = new Map<object, Snapshot>()
  private moment: SnapshotMoment | null = null
  private keptCount = 0

  get(
    stream: object,
    moment: SnapshotMoment,
    make: () => Snapshot | Slices<Snapshot>,
  ): Snapshot | Slices<Snapshot> {
    this.begin(moment)
    const known = this.byStream.get(stream)
    if (known) return known
    return mapSlices<Snapshot, Snapshot>(make(), (made) => {
      this.begin(moment)
      this.keptCount += made.json.length
      if (this.keptCount > KEPT_MAX) this.clear()
      this.byStream.set(stream, made)
      return made
    })
  }

  private begin(moment: SnapshotMoment): void {
    if (!this.moment || !isSame(this.moment, moment)) this.clear()
    this.moment = moment
  }

  private clear(): void {
    this.byStream.clear()
    this.keptCount = 0
  }
}

const isSame = (one: SnapshotMoment, other: SnapshotMoment) =>
  one.position.atMs === other.position.atMs &&
  one.position.shiftMs === other.position.shiftMs &&
  one.answers === other.answers

// The data of a frame, as text in shown time.

/** Passed-on data depends on the event alone. */
const NO_FACTS = Object.freeze({}) as Facts

function writtenOut(data: unknown, schema: TSchema, as: ShownAs): string {
  return JSON.stringify(shownValue(schema, data, as))
}

export class PushStream implements Stream {
  readonly subscribers = new Set<Subscriber>()
  private readonly head: string
  private readonly eventFrames: EventFrames
  private lastPush: { data: unknown; frame: string } | null = null
  /** Time of the last sent frame. */
  lastSentMs: number
  /** When an event last had nothing to push: the next is looked at after a gap. */
  private lastEmptyMs = Number.NEGATIVE_INFINITY
  /** The moment of the last push, or of the first snapshot before there is one. */
  private sinceMs: TapeMs | null = null
  private cancelDeferred: (() => void) | null = null
  /** Frames in the making, in slices. */
  private makingCount = 0
  /** The latest event meanwhile. */
  private missed: TimelineEvent | null = null
  private cancelRepublish: (() => void) | null = null
  private readonly sandbox: Sandbox

  constructor(
    private readonly hub: SubscriptionHub,
    id: string,
    readonly channel: Channel,
    readonly subscription: Record<string, unknown>,
    readonly topics: readonly string[],
  ) {
    this.sandbox = hub.sandbox
    this.head = channel.dialect.pushHead(pushedName(channel, subscription))
    this.lastSentMs = this.sandbox.clock.nowMs()
    this.eventFrames = new EventFrames(id, channel, subscription, this.sandbox)
    this.scheduleRepublish()
  }

  openingFrames(position: TapePosition): readonly string[] | Slices<readonly string[]> {
    return mapSlices(this.snapshot(position), (frame) => (frame === null ? [] : [frame]))
  }

  private snapshot(position: TapePosition): string | null | Slices<string | null> {
    const made = this.snapshotAt(position)
    this.sinceMs ??= position.atMs
    if (!isSlices(made)) return this.openingFrame(made as Snapshot)
    return this.making(mapSlices(made, (one) => this.openingFrame(one)) as Slices<string | null>)
  }

  private openingFrame({ data, json }: Snapshot): string | null {
    const { stateOf, minGapMs } = this.channel.pushPolicy
    if (data === undefined) return null
    if (stateOf) this.lastPush ??= { data, frame: this.frame(json, false) }
    if (minGapMs) this.lastSentMs = this.sandbox.clock.nowMs()
    return this.frame(json, stateOf !== undefined && this.isExpired())
  }

  restart(position: TapePosition): Slices<void> | null {
    this.lastPush = null
    this.sinceMs = null
    this.cancelDeferred?.()
    this.cancelDeferred = null
    const sent = mapSlices(this.snapshot(position), (frame) => {
      if (frame !== null) this.broadcast(frame, 'snapshot')
    })
    return isSlices(sent) ? (sent as Slices<void>) : null
  }

  /** Work on a frame: events meanwhile wait for its end. It must be run to its end. */
  private making<T>(work: Slices<T>): Slices<T> {
    this.makingCount++
    return this.made(work)
  }

  private *made<T>(work: Slices<T>): Slices<T> {
    try {
      return yield* work
    } finally {
      this.makingCount--
      const { missed } = this
      if (missed && this.makingCount === 0 && this.subscribers.size > 0) {
        this.missed = null
        this.onEvent(missed, this.sandbox.position(), this.sandbox.clock.nowMs())
      }
    }
  }

  onEvent(event: TimelineEvent, position: TapePosition, nowMs: number): void {
    const gapMs = this.channel.pushPolicy.minGapMs ?? 0
    if (gapMs === 0) return void this.pushEvent(event, position, nowMs)
    if (this.cancelDeferred) return
    if (this.makingCount > 0) {
      this.missed = event
      return
    }
    const nextMs = Math.max(this.lastSentMs, this.lastEmptyMs) + gapMs
    if (nowMs >= nextMs) {
      const work = this.pushEvent(event, position, nowMs)
      if (work) this.hub.soon(() => this.flushed(work), `push of ${this.name}`)
      return
    }
    const pushDeferred = () => {
      this.cancelDeferred = null
      const work = this.pushEvent(event, this.sandbox.position(), this.sandbox.clock.nowMs())
      if (work) return this.flushed(work)
      this.hub.outgoing.flush()
    }
    this.cancelDeferred = this.sandbox.clock.at(nextMs, pushDeferred, `push of ${this.name}`)
  }

  private *flushed(work: Slices<void>): Slices<void> {
    yield* work
    this.hub.outgoing.flush()
  }

  private get name(): string {
    const key = this.channel.key.map((field) => this.subscription[field] ?? '')
    return [this.channel.id, ...key].filter((part) => part !== '').join(' ')
  }

  stop(): void {
    this.cancelDeferred?.()
    this.cancelRepublish?.()
  }

  /** Pushes at once, or by the returned work. */
  private pushEvent(
    event: TimelineEvent,
    position: TapePosition,
    nowMs: number,
  ): Slices<void> | undefined {
    if (this.channel.pushPolicy.follows) return void this.pushEventFrame(event, position, nowMs)
    const facts = this.sandbox.facts(position)
    const sinceMs = this.sinceMs ?? position.atMs
    this.sinceMs = position.atMs
    const data = this.channel.push(this.subscription as never, event, facts, sinceMs)
    if (!isSlices(data)) return void this.pushData(data, event, { facts, position, nowMs })
    const push = (whole: unknown) => this.pushData(whole, event, { facts, position, nowMs })
    return this.making(mapSlices(data, push) as Slices<void>)
  }

  private pushData(
    data: unknown,
    event: TimelineEvent,
    { facts, position, nowMs }: { facts: Facts; position: TapePosition; nowMs: number },
  ): void {
    if (data === undefined) {
      this.lastEmptyMs = nowMs
      return
    }
    const closed = this.closedBefore(data, facts)
    this.send(closed ?? data, position, nowMs)
    // The candle in progress waits for its turn: two pushes are never closer than the gap.
    if (closed !== null) this.onEvent(event, position, nowMs)
  }

  /** The earliest closed candle since the last push that was not pushed in its final form. */
  private closedBefore(next: unknown, facts: Facts): unknown {
    if (!this.channel.closedBefore || !this.lastPush || this.lastPush.data === next) return null
    const { data: last, frame } = this.lastPush
    const pushes = { last, next } as never
    for (const closed of this.channel.closedBefore(this.subscription as never, pushes, facts))
      if (this.frame(this.serialise(closed, facts.moment), false) !== frame) return closed
    return null
  }

  private pushEventFrame(event: TimelineEvent, position: TapePosition, nowMs: number): void {
    const frame = this.eventFrames.frame(event, position)
    if (frame === null) return
    if (this.channel.pushPolicy.stateOf) this.lastPush = { data: null, frame }
    this.lastSentMs = nowMs
    this.broadcast(frame)
  }

  private send(data: unknown, position: TapePosition, nowMs: number): void {
    const json = this.serialise(data, position)
    const frame = this.frame(json, false)
    if (this.channel.pushPolicy.minGapMs !== undefined && this.lastPush?.frame === frame) return
    this.lastPush = { data, frame }
    this.lastSentMs = nowMs
    this.broadcast(frame)
  }

  private serialise(data: unknown, as: Parameters<typeof writtenOut>[2]): string {
    return writtenOut(data, this.channel.data, as)
  }

  private frame(json: string, stale: boolean): string {
    const { head } = this
    if (!stale) return `${head}${json}}`
    const stalePlace = this.sandbox.answers['stale-place']
    const isList = json.startsWith('[')
    const data = stalePlace === 'frame' || isList ? json : `${json.slice(0, -1)},"stale":true}`
    return `${head}${data}${stalePlace === 'data' && !isList ? '' : ',"stale":true'}}`
  }

  isExpired(): boolean {
    const { answers, clock } = this.sandbox
    return this.hub.activity.isStale(this.channel, this.subscription.coin, answers, clock.nowMs())
  }

  /** Whether it is repeated when it is silent. */
  private get isRepeated(): boolean {
    const { dialect, pushPolicy } = this.channel
    const repeated = this.sandbox.answers['republished-channels']
    if (repeated === 'all') return dialect.name === 'official'
    return repeated === 'books' ? pushPolicy.stateOf === 'book' : pushPolicy.stateOf !== undefined
  }

  private broadcast(frame: string, kind: FrameKind = 'push'): void {
    this.sandbox.coverage.frame(this.channel, this.subscribers, kind)
    for (const session of this.subscribers) session.deliver(this, frame)
  }

  /** One alarm a stream: it checks when the stream last sent a frame, and is set again. */
  private scheduleRepublish(): void {
    if (!this.isRepeated) return
    const pauseMs = spanMs(this.sandbox.answers['republish-after'])
    const { clock } = this.sandbox
    const check = () => {
      const isDue = clock.nowMs() - this.lastSentMs >= pauseMs
      const work = isDue ? this.republish() : undefined
      this.scheduleRepublish()
      return work
    }
    this.cancelRepublish = clock.at(this.lastSentMs + pauseMs, check, `silence of ${this.name}`)
  }

  private republish(): void | Slices<void> {
    this.lastSentMs = this.sandbox.clock.nowMs()
    const isState = this.channel.pushPolicy.stateOf !== undefined
    const lastJson = this.lastPush?.frame.slice(this.head.length, -1)
    // An event is not pushed twice: a channel of events sends its snapshot again.
    const again = isState ? { json: lastJson } : this.snapshotAt(this.sandbox.position())
    return mapSlices<{ json?: string | undefined }, void>(again, ({ json = '' }) => {
      if (json === '') return
      const isExpired = this.isExpired()
      this.broadcast(this.frame(json, isExpired), isExpired ? 'stale' : 'repeated')
      this.hub.outgoing.flush()
    })
  }

  private snapshotAt(position: TapePosition): Snapshot | Slices<Snapshot> {
    const { answers } = this.sandbox
    return this.hub.snapshots.get(this, { position, answers }, () => {
      const facts = this.sandbox.facts(position)
      return mapSlices<unknown, Snapshot>(
        this.channel.snapshot(this.subscription as never, facts),
        (data) => ({ data, json: data === undefined ? '' : this.serialise(data, position) }),
      )
    })
  }
}

// Frames that depend on an event alone.

/** Caches templates of frames that are played again, in a later lap or to another sandbox. */
class EventFrames {
  private readonly keptFrames = new FrameTemplates()
  private readonly head: string
  private readonly states: KeptBytes

  /** @param id of the stream */
  constructor(
    private readonly id: string,
    private readonly channel: Channel,
    private readonly subscription: Record<string, unknown>,
    private readonly sandbox: Sandbox,
  ) {
    this.head = channel.dialect.pushHead(pushedName(channel, subscription))
    this.states = stateBytesOf(sandbox.world.timeline)
  }

  /** The frame of an event; null when nothing is pushed. */
  frame(event: TimelineEvent, position: TapePosition): string | null {
    const holder = holderOf(event, this.id)
    const { frame } = holder
    if (frame && frame !== 'written') {
      const shown = this.keptFrames.at(frame, position)
      if (shown !== null) return shown
    }
    const data = this.dataOf(event, position)
    if (data === undefined) return null
    if (frame === undefined) holder.frame = 'written'
    else if (frame === 'written') holder.frame = this.kept(data, event)
    return `${this.head}${writtenOut(data, this.channel.data, position)}}`
  }

  private dataOf(event: TimelineEvent, position: TapePosition): unknown {
    const { push, pushPolicy } = this.channel
    const facts = pushPolicy.follows === 'data' ? NO_FACTS : this.sandbox.facts(position)
    return push(this.subscription as never, event, facts, position.atMs)
  }

  private kept(data: unknown, event: TimelineEvent): KeptFrame | null {
    if (event.kind === 'book' && this.states.left <= 0) return null
    const made = this.keptFrames.keep(data, this.channel.data, this.head, '}')
    if (made && event.kind === 'book') this.states.left -= made.bytes
    return made?.kept ?? null
  }
}

/** An event's own data belongs to one channel; a state is shown by several streams. */
function holderOf(event: TimelineEvent, id: string): PassedOn {
  if (event.kind !== 'book') return event as PassedOn
  event.states ??= new Map()
  const known = event.states.get(id)
  if (known) return known
  const holder: PassedOn = { frame: undefined }
  event.states.set(id, holder)
  return holder
}

/** Cache for states: whole books are much larger than their changes. */
const STATE_BYTES = 32 << 20
const byTimeline = new WeakMap<Timeline, KeptBytes>()

function stateBytesOf(timeline: Timeline): KeptBytes {
  const known = byTimeline.get(timeline) ?? { left: STATE_BYTES }
  byTimeline.set(timeline, known)
  return known
}
