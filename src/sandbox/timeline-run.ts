/** Emits the events of a timeline in order, from a place on. */

import { tapeMs } from '../clock/instant.ts'
import type { Slices } from '../clock/turns.ts'
import { isOfAccount, KIND_RANKS, type Timeline, type TimelineEvent } from '../contract/timeline.ts'
import { lastUpTo } from '../market/rows/step-series.ts'
import type { EventFields } from './event-condition.ts'
import type { LoadedWorld } from './loaded-world.ts'
import type { Playhead, TapePosition } from './playhead.ts'
import type { PlaybackListener, PlayerHost } from './tape-player.ts'

export class TimelineRun {
  /** Travelled time up to which everything was emitted. */
  playedMs = 0
  readonly laps: LapWatch
  private readonly cursor: TimelineCursor
  private listener: PlaybackListener | null = null

  constructor(
    timeline: Timeline,
    private readonly host: PlayerHost,
    onDemand: ReadonlySet<string>,
  ) {
    this.cursor = new TimelineCursor(timeline, host.playhead, onDemand)
    this.laps = new LapWatch(host, (begun) => this.listener?.onMoved(begun, 'lap'))
  }

  /** Travelled time of the next event; infinite when there is none. */
  get dueMs(): number {
    return this.cursor.dueMs
  }

  /** The position up to which everything was emitted. */
  get position(): TapePosition {
    return this.host.playhead.positionAfter(this.playedMs)
  }

  /** Continues from a place, for a listener. */
  begin(travelledMs: number, listener: PlaybackListener | null): void {
    this.playedMs = travelledMs
    this.listener = listener
    this.laps.reset(this.position.lap)
    if (listener) this.seek()
  }

  /** Whether an on-demand account has events that are missing in the present chunk. */
  lacks(address: string): boolean {
    return this.cursor.lacks(address)
  }

  /** Reads the data for a seek to an instant, in slices. */
  *prepare(atMs: number): Slices<void> {
    if (this.listener) yield* this.cursor.prepare(atMs)
  }

  /** Looks for the next event again, as there are more. */
  seek(): void {
    this.cursor.seek(this.position)
  }

  /** Continues in another timeline; its place is to be sought. */
  follow(timeline: Timeline): void {
    this.cursor.follow(timeline)
  }

  /** Plays to a target; whether everything was played. A timed call stops after a while. */
  playUntil(targetMs: number, isTimed: boolean, isWanted: () => boolean): boolean {
    const { clock, systemClock } = this.host
    const { cursor, listener } = this
    const [nowMs, untilMs] = [clock.nowMs(), systemClock.monotonicMs() + STEP_MS]
    let isDone = true
    let shown = this.position
    for (let count = 1; isDone && cursor.dueMs <= targetMs; count++) {
      const { topic, dueMs, lap } = cursor
      const event = cursor.take()
      this.playedMs = dueMs
      this.laps.reach(lap)
      if (listener?.noteEvent(topic, nowMs)) {
        if (lap !== shown.lap) shown = this.position
        listener.onEvent(topic, event, { atMs: event.timeMs, lap, shiftMs: shown.shiftMs }, nowMs)
        if (!isWanted()) return true
      }
      // An instant is played as a whole, so that a request at it sees all of it.
      if (isTimed && count >= EVENTS_PER_CHECK && cursor.dueMs !== this.playedMs) {
        isDone = systemClock.monotonicMs() < untilMs || cursor.dueMs > targetMs
        count = 0
      }
    }
    if (isDone && Number.isSafeInteger(targetMs)) this.playedMs = Math.max(this.playedMs, targetMs)
    listener?.onCaughtUp()
    return isDone
  }
}

/** Time of play at once on a running clock, and events between two checks of the time. */
const STEP_MS = 1
const EVENTS_PER_CHECK = 16

type LapHost = Pick<PlayerHost, 'clock' | 'playhead' | 'onLap'>

/** Notifies when the tape restarts. */
class LapWatch {
  private lap = 0

  constructor(
    private readonly host: LapHost,
    private readonly onLap: (begun: TapePosition) => void,
  ) {}

  /** The playhead was set to a place in a lap. */
  reset(lap: number): void {
    this.lap = lap
  }

  /** An event of a lap is played. */
  reach(lap: number): void {
    if (lap === this.lap) return
    this.lap = lap
    this.host.onLap(lap)
    const { playhead } = this.host
    this.onLap(playhead.positionAfter(lap * playhead.lapMs))
  }

  /** Watches the clock while nothing is played; the result cancels it, null without laps. */
  schedule(): (() => void) | null {
    const { clock, playhead } = this.host
    if (playhead.end !== 'loop') return null
    const whenMs = playhead.sessionMsOf((this.lap + 1) * playhead.lapMs)
    if (whenMs === undefined) return null
    let cancel = () => {}
    const begin = () => {
      this.reach(this.lap + 1)
      cancel = this.schedule() ?? cancel
    }
    cancel = clock.at(whenMs, begin, 'lap of the tape')
    return () => cancel()
  }
}

// The cursor: the place of the next event in the timeline, through the laps.

/** Points at the next event, with its due time. */
class TimelineCursor {
  /** Travelled time of the next event; infinite when there is none. */
  dueMs = Number.POSITIVE_INFINITY
  private chunks: PlayedChunks
  lap = 0
  private chunkIndex = 0
  private chunk: PlayedChunk = EMPTY_CHUNK
  private offset = 0
  /** Events of the chunk that are played: on a looping tape, none after its end. */
  private count = 0

  constructor(
    private timeline: Timeline,
    private readonly playhead: Playhead,
    /** Accounts whose events are played besides those of the chunks. */
    private readonly onDemand: ReadonlySet<string>,
  ) {
    this.chunks = playedChunksOf(timeline)
  }

  /** Continues in another timeline; a place in it is to be sought. */
  follow(timeline: Timeline): void {
    this.chunks = playedChunksOf(timeline, this.chunks.topics)
    this.timeline = timeline
  }

  /** Reads the data for a seek to an instant, in slices. */
  prepare(atMs: number): Slices<void> {
    return this.timeline.prepare(this.chunkIndexAt(atMs))
  }

  /** Moves behind every event up to a position. */
  seek(here: TapePosition): void {
    this.lap = here.lap
    this.open(this.chunkIndexAt(here.atMs))
    const { timesMs } = this.chunk
    const after = timesMs.findIndex((timeMs) => timeMs > here.atMs)
    this.offset = after === -1 ? timesMs.length : after
    this.find()
  }

  /** Whether the present chunk lacks events of an on-demand account. */
  lacks(address: string): boolean {
    return this.chunks.concerns(this.chunkIndex, address)
  }

  /** Number of the next event's topic. */
  get topic(): number {
    return this.chunk.topics[this.offset] as number
  }

  /** Returns the next event, which must exist, and moves behind it. */
  take(): TimelineEvent {
    const { events, timesMs } = this.chunk
    const at = this.offset++
    if (at + 1 < this.count) this.dueMs += (timesMs[at + 1] as number) - (timesMs[at] as number)
    else this.find()
    return events[at] as TimelineEvent
  }

  /** Moves to the next event, in this or a later chunk or lap. */
  private find(): void {
    if (this.findInLap()) return
    if (this.playhead.end === 'loop') {
      this.lap++
      this.open(0)
      if (this.findInLap()) return
    }
    this.dueMs = Number.POSITIVE_INFINITY
  }

  private findInLap(): boolean {
    const { startMs } = this.timeline
    const chunks = this.chunkIndexAt(this.lastMs) + 1
    while (this.offset >= this.count) {
      if (this.chunkIndex + 1 >= chunks) return false
      this.open(this.chunkIndex + 1)
    }
    const nextMs = this.chunk.timesMs[this.offset] as number
    this.dueMs = this.lap * this.playhead.lapMs + nextMs - startMs
    return true
  }

  private open(index: number): void {
    this.chunkIndex = index
    this.chunk = this.chunks.chunkWith(index, this.onDemand)
    this.offset = 0
    this.count = lastUpTo(this.chunk.timesMs, this.lastMs) + 1
  }

  private chunkIndexAt(atMs: number): number {
    const { startMs, chunkMs } = this.timeline
    return Math.floor((atMs - startMs) / chunkMs)
  }

  /** The last instant that is played. */
  private get lastMs(): number {
    const { tapeEndMs, endMs } = this.timeline
    return this.playhead.end === 'loop' ? tapeEndMs : endMs
  }
}

/** The next events of a timeline, from a position of the playhead on. */
interface UpcomingEvent {
  /** Tape time travelled since the first lap began. */
  travelledMs: number
  event: TimelineEvent
}

/**
 * Events after a position up to another one, in order, through the laps or after the tape. The
 * search can be interrupted before each chunk, which has to be read; a promise is to be awaited
 * there, as the market has to be grown first.
 */
export function* upcomingEvents(
  world: Pick<LoadedWorld, 'timeline' | 'growth'>,
  playhead: Playhead,
  afterMs: number,
  untilMs: number,
): Generator<UpcomingEvent | Promise<void> | null> {
  const { startMs, tapeEndMs, chunkMs } = world.timeline
  const isLooping = playhead.end === 'loop'
  const canContinue = playhead.end === 'continue' && world.growth !== undefined
  const lastMs = canContinue ? startMs + untilMs : tapeEndMs
  const firstLap = isLooping ? Math.floor(afterMs / playhead.lapMs) : 0
  const lastLap = isLooping ? Math.floor(untilMs / playhead.lapMs) : 0
  for (let lap = firstLap; lap <= lastLap; lap++) {
    const base = lap * playhead.lapMs
    const first = Math.max(0, Math.floor((afterMs - base) / chunkMs))
    for (let index = first; startMs + index * chunkMs <= lastMs; index++) {
      if (base + index * chunkMs > untilMs) return
      const chunkEndMs = Math.min(startMs + (index + 1) * chunkMs, lastMs)
      yield chunkEndMs > world.timeline.endMs && canContinue ? grown(world, chunkEndMs) : null
      for (const event of world.timeline.chunk(index)) {
        const travelledMs = base + event.timeMs - startMs
        if (travelledMs > untilMs || event.timeMs > lastMs) break
        if (travelledMs > afterMs) yield { travelledMs, event }
      }
    }
  }
}

/** Minutes of market time grown at once: most searches end before long. */
const GROWN_MS = 600_000

function grown({ timeline, growth }: Pick<LoadedWorld, 'timeline' | 'growth'>, untilMs: number) {
  const stepEndMs = Math.max(untilMs, timeline.endMs + GROWN_MS)
  return growth?.ensure(tapeMs(Math.ceil(stepEndMs))) ?? null
}

/** The fields of an event for conditions: one set, or one for each of its trades. */
export function eventFieldsOf(event: TimelineEvent): EventFields[] {
  const { kind, timeMs } = event
  const base = { kind, time: timeMs, ...('coin' in event ? { coin: event.coin } : {}) }
  switch (event.kind) {
    case 'trade':
      return event.trades.map(({ px, sz, side }) => ({ ...base, px, sz, side }))
    case 'bbo': {
      const [bid, ask] = event.bbo.bbo
      return [{ ...base, ...(bid ? { bid: bid.px } : {}), ...(ask ? { ask: ask.px } : {}) }]
    }
    case 'fill': {
      const { coin, px, sz, side, dir } = event.fill
      return [{ ...base, address: event.address, coin, px, sz, side, dir }]
    }
    case 'order':
      return [{ ...base, address: event.address, dex: event.dex }]
    case 'ledger':
      return [{ ...base, address: event.address, type: event.update.delta.type }]
    default:
      return [base]
  }
}

// The chunks of a timeline in columns, which a player reads event by event.

/** Numbers of the topics of a timeline, in order of first use. */
type Kind = TimelineEvent['kind']

/** A topic: the kind of an event and its coin, address, or stream of a recording. */
export interface Topic {
  kind: Kind
  subject: string
}

export class TopicNumbers {
  private readonly topics: Topic[] = []
  private readonly numbers = new Map<Kind, Map<string, number>>()

  /** The topic of a number. */
  topic(number: number): Topic {
    return this.topics[number] as Topic
  }

  /** The number of a topic; undefined without events. */
  find({ kind, subject }: Topic): number | undefined {
    return this.numbers.get(kind)?.get(subject)
  }

  /** The number of the topic of an event. */
  numberOf(event: TimelineEvent): number {
    const topic = { kind: event.kind, subject: subjectOf(event) }
    return this.find(topic) ?? this.add(topic)
  }

  private add(topic: Topic): number {
    const number = this.topics.push(topic) - 1
    const ofKind = this.numbers.get(topic.kind) ?? new Map<string, number>()
    this.numbers.set(topic.kind, ofKind)
    ofKind.set(topic.subject, number)
    return number
  }
}

function subjectOf(event: TimelineEvent): string {
  if (event.kind === 'recorded') return event.stream
  return isOfAccount(event) ? event.address : event.coin
}

/** A chunk's events in order, with the time and topic number of each. */
interface PlayedChunk {
  readonly events: readonly TimelineEvent[]
  readonly timesMs: Float64Array
  readonly topics: Uint32Array
}

/** A chunk without events. */
const EMPTY_CHUNK = playedChunk([], new TopicNumbers())

class PlayedChunks {
  private readonly made = new WeakMap<readonly TimelineEvent[], PlayedChunk>()

  constructor(
    private readonly timeline: Timeline,
    readonly topics: TopicNumbers,
  ) {}

  /** A chunk in columns, made once while the timeline keeps it. */
  chunk(index: number): PlayedChunk {
    const events = this.timeline.chunk(index)
    const known = this.made.get(events)
    if (known) return known
    const chunk = playedChunk(events, this.topics)
    this.made.set(events, chunk)
    return chunk
  }

  /** The chunk with the events of on-demand accounts. */
  chunkWith(index: number, addresses: ReadonlySet<string>): PlayedChunk {
    const onDemand = addresses.size > 0 ? this.timeline.onDemandEvents(addresses, index) : []
    if (onDemand.length === 0) return this.chunk(index)
    const events = [...this.timeline.chunk(index), ...onDemand]
    // The sort is stable: the market's own events come first.
    events.sort((a, b) => a.timeMs - b.timeMs || KIND_RANKS[a.kind] - KIND_RANKS[b.kind])
    return playedChunk(events, this.topics)
  }

  /** Whether a chunk has events of an on-demand account. */
  concerns(index: number, address: string): boolean {
    return this.timeline.onDemandEvents(new Set([address]), index).length > 0
  }
}

const byTimeline = new WeakMap<Timeline, PlayedChunks>()

/**
 * The chunks of a timeline, shared by all players of it.
 *
 * @param topics of the timeline that it branched off from
 */
export function playedChunksOf(timeline: Timeline, topics = new TopicNumbers()): PlayedChunks {
  const known = byTimeline.get(timeline)
  if (known) return known
  const chunks = new PlayedChunks(timeline, topics)
  byTimeline.set(timeline, chunks)
  return chunks
}

function playedChunk(events: readonly TimelineEvent[], numbers: TopicNumbers): PlayedChunk {
  const timesMs = Float64Array.from(events, ({ timeMs }) => timeMs)
  const topics = Uint32Array.from(events, (event) => numbers.numberOf(event))
  return { events, timesMs, topics }
}
