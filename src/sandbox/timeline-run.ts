/** Hands over the events of a timeline in order, from a place in it on. */

import { tapeMs } from '../clock/instant.ts'
import type { Slices } from '../clock/turns.ts'
import type { Timeline, TimelineEvent } from '../contract/timeline.ts'
import { lastUpTo } from '../market/world/binary-search.ts'
import type { EventFields } from './event-condition.ts'
import type { LoadedWorld } from './loaded-world.ts'
import {
  EMPTY_CHUNK,
  type PlayedChunk,
  type PlayedChunks,
  playedChunksOf,
} from './played-chunks.ts'
import type { Playhead, TapePosition } from './playhead.ts'
import type { PlaybackListener, PlayerHost } from './tape-player.ts'

export class TimelineRun {
  /** Travelled time up to which everything has been handed over. */
  playedMs = 0
  readonly laps: LapWatch
  private readonly cursor: TimelineCursor
  private listener: PlaybackListener | null = null

  constructor(
    timeline: Timeline,
    private readonly host: PlayerHost,
    apart: ReadonlySet<string>,
  ) {
    this.cursor = new TimelineCursor(timeline, host.playhead, apart)
    this.laps = new LapWatch(host, (begun) => this.listener?.onMoved(begun, 'lap'))
  }

  /** Travelled time of the next event; infinite when there is none. */
  get dueMs(): number {
    return this.cursor.dueMs
  }

  /** Where everything has been handed over. */
  get position(): TapePosition {
    return this.host.playhead.positionAfter(this.playedMs)
  }

  /** Goes on from a place, for a listener. */
  begin(travelledMs: number, listener: PlaybackListener | null): void {
    this.playedMs = travelledMs
    this.listener = listener
    this.laps.reset(this.position.lap)
    if (listener) this.seek()
  }

  /** Whether an account that is apart has events in what is being played. */
  lacks(address: string): boolean {
    return this.cursor.lacks(address)
  }

  /** Reads what a seek to an instant needs, in slices. */
  *prepare(atMs: number): Slices<void> {
    if (this.listener) yield* this.cursor.prepare(atMs)
  }

  /** There is more behind the place where it is. */
  seek(): void {
    this.cursor.seek(this.position)
  }

  /** Goes on in another timeline; its place is to be sought. */
  follow(timeline: Timeline): void {
    this.cursor.follow(timeline)
  }

  /** Whether everything was played; when it is timed, it ends after a while. */
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
      // An instant is played as a whole: what is asked for now knows all of it.
      if (isTimed && count >= EVENTS_PER_LOOK && cursor.dueMs !== this.playedMs) {
        isDone = systemClock.monotonicMs() < untilMs || cursor.dueMs > targetMs
        count = 0
      }
    }
    if (isDone && Number.isSafeInteger(targetMs)) this.playedMs = Math.max(this.playedMs, targetMs)
    listener?.onCaughtUp()
    return isDone
  }
}

/** How long it plays at once on a clock that runs, and events between two looks at the time. */
const STEP_MS = 1
const EVENTS_PER_LOOK = 16

type LapHost = Pick<PlayerHost, 'clock' | 'playhead' | 'onLap'>

/** Tells when the tape begins anew. */
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

  /** While nothing is played, the clock tells; the result cancels it, null where no lap comes. */
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

// Where in the timeline the next event is, through the laps.

/** Points at the event that is played next, and knows when that is due. */
class TimelineCursor {
  /** Travelled time of the next event; infinite when there is none. */
  dueMs = Number.POSITIVE_INFINITY
  private chunks: PlayedChunks
  lap = 0
  private chunkIndex = 0
  private chunk: PlayedChunk = EMPTY_CHUNK
  private offset = 0
  /** Events of the chunk that are played: on a tape that begins anew, none after its end. */
  private count = 0

  constructor(
    private timeline: Timeline,
    private readonly playhead: Playhead,
    /** Accounts whose events are played besides those of the chunks. */
    private readonly apart: ReadonlySet<string>,
  ) {
    this.chunks = playedChunksOf(timeline)
  }

  /** Goes on in another timeline; a place in it is to be sought. */
  follow(timeline: Timeline): void {
    this.chunks = playedChunksOf(timeline, this.chunks.topics)
    this.timeline = timeline
  }

  /** Reads what a seek to an instant needs, in slices. */
  prepare(atMs: number): Slices<void> {
    return this.timeline.prepare(this.chunkIndexAt(atMs))
  }

  /** Goes behind every event up to a position. */
  seek(here: TapePosition): void {
    this.lap = here.lap
    this.open(this.chunkIndexAt(here.atMs))
    const { timesMs } = this.chunk
    const after = timesMs.findIndex((timeMs) => timeMs > here.atMs)
    this.offset = after === -1 ? timesMs.length : after
    this.find()
  }

  /** Whether the chunk that it is in lacks events of an account that is apart. */
  lacks(address: string): boolean {
    return this.chunks.concerns(this.chunkIndex, address)
  }

  /** Number of the next event's topic. */
  get topic(): number {
    return this.chunk.topics[this.offset] as number
  }

  /** Gives the next event, of which there must be one, and goes behind it. */
  take(): TimelineEvent {
    const { events, timesMs } = this.chunk
    const at = this.offset++
    if (at + 1 < this.count) this.dueMs += (timesMs[at + 1] as number) - (timesMs[at] as number)
    else this.find()
    return events[at] as TimelineEvent
  }

  /** Goes to the next event that there is, here or in a later chunk or lap. */
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
    this.chunk = this.chunks.chunkWith(index, this.apart)
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
 * Events after a position, in order, through the laps or after the tape, up to another one. Before
 * each chunk, which has to be read, there is a place to interrupt the search; a promise is to be
 * awaited there, as the market has to be grown first.
 */
export function* upcomingEvents(
  world: Pick<LoadedWorld, 'timeline' | 'growth'>,
  playhead: Playhead,
  afterMs: number,
  untilMs: number,
): Generator<UpcomingEvent | Promise<void> | null> {
  const { startMs, tapeEndMs, chunkMs } = world.timeline
  const isLooping = playhead.end === 'loop'
  const goesOn = playhead.end === 'continue' && world.growth !== undefined
  const lastMs = goesOn ? startMs + untilMs : tapeEndMs
  const firstLap = isLooping ? Math.floor(afterMs / playhead.lapMs) : 0
  const lastLap = isLooping ? Math.floor(untilMs / playhead.lapMs) : 0
  for (let lap = firstLap; lap <= lastLap; lap++) {
    const base = lap * playhead.lapMs
    const first = Math.max(0, Math.floor((afterMs - base) / chunkMs))
    for (let index = first; startMs + index * chunkMs <= lastMs; index++) {
      if (base + index * chunkMs > untilMs) return
      const chunkEndMs = Math.min(startMs + (index + 1) * chunkMs, lastMs)
      yield chunkEndMs > world.timeline.endMs && goesOn ? grown(world, chunkEndMs) : null
      for (const event of world.timeline.chunk(index)) {
        const travelledMs = base + event.timeMs - startMs
        if (travelledMs > untilMs || event.timeMs > lastMs) break
        if (travelledMs > afterMs) yield { travelledMs, event }
      }
    }
  }
}

/** Some minutes are grown at once: most searches end before long. */
const GROWN_MS = 600_000

function grown({ timeline, growth }: Pick<LoadedWorld, 'timeline' | 'growth'>, untilMs: number) {
  const stepEndMs = Math.max(untilMs, timeline.endMs + GROWN_MS)
  return growth?.ensure(tapeMs(Math.ceil(stepEndMs))) ?? null
}

/** An event as conditions see it: one set of fields, or one for each of its trades. */
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
