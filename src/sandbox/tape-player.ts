/**
 * Plays the timeline of a sandbox: hands over each event when the playhead reaches it, in order.
 *
 * Without a listener it costs nothing: the playhead is a function of the clock, and the player
 * starts at its position. What is handed over never depends on how large the clock's steps are.
 */
import type { SessionClock } from '../clock/session-clock.ts'
import type { TimelineEvent } from '../contract/facts.ts'
import type { Timeline } from '../contract/timeline.ts'
import type { Playhead, TapePosition } from './playhead.ts'

export interface PlaybackListener {
  /** An event has come. `here` is the position at which it did. */
  onEvent(event: TimelineEvent, here: TapePosition): void
  /** All that is due has been handed over. */
  onCaughtUp(): void
  /** At speed `max`: whether subscribers can take more now. */
  isReady(): boolean
  /** The tape has run out and does not loop. */
  onEnd(): void
}

export class TapePlayer {
  private listener: PlaybackListener | null = null
  /** Travelled time up to which everything has been handed over. */
  private playedMs = 0
  /** Where the next event is: its lap, its chunk, and its offset in the chunk. */
  private lap = 0
  private chunkIndex = 0
  private openChunk: { index: number; chunk: readonly TimelineEvent[] } | null = null
  private offset = 0
  private cancel: (() => void) | null = null
  private isEndReported = false

  constructor(
    private readonly timeline: Timeline,
    private readonly clock: SessionClock,
    private readonly playhead: Playhead,
  ) {}

  listen(listener: PlaybackListener | null): void {
    this.listener = listener
    this.reposition()
  }

  /** After the playhead was set: go on from where it is now. */
  reposition(): void {
    this.cancel?.()
    this.cancel = null
    this.playedMs = this.playhead.travelledAt(this.clock.nowMs())
    this.isEndReported = false
    this.seek(this.playhead.positionAfter(this.playedMs))
    this.schedule()
  }

  /** Hands over whatever is due at this instant, so that a response given now comes after it. */
  catchUp(): void {
    if (!this.listener || this.playhead.speed === 'max') return
    const targetMs = this.playhead.travelledAt(this.clock.nowMs())
    if (targetMs > this.playedMs) {
      this.playTo(targetMs)
      this.listener?.onCaughtUp()
    }
  }

  stop(): void {
    this.cancel?.()
    this.cancel = null
    this.listener = null
  }

  private schedule(): void {
    this.cancel?.()
    this.cancel = null
    if (!this.listener) return
    if (this.playhead.speed === 'max') {
      this.cancel = this.clock.runOnSystemTime(() => this.playAtMaxSpeed())
      return
    }
    const dueMs = this.nextTravelledMs()
    const whenMs = dueMs === undefined ? undefined : this.playhead.sessionMsOf(dueMs)
    if (whenMs !== undefined) this.cancel = this.clock.at(whenMs, () => this.tick(), 'market')
    else if (this.playhead.end !== 'loop') this.awaitEnd()
  }

  private tick(): void {
    this.cancel = null
    this.catchUp()
    this.schedule()
  }

  /** At `max`: as much as subscribers take, then a turn for everybody else. */
  private playAtMaxSpeed(): void {
    this.cancel = null
    for (let count = 0; count < EVENTS_PER_TURN && this.listener?.isReady(); count++) {
      const nextMs = this.nextTravelledMs()
      if (nextMs === undefined) break
      this.playTo(nextMs)
      this.playhead.advanceTo(nextMs)
    }
    this.listener?.onCaughtUp()
    if (this.nextTravelledMs() === undefined) this.finish()
    else if (this.listener?.isReady()) this.schedule()
    else
      this.cancel = this.clock.runOnSystemTime(() => this.playAtMaxSpeed(), SLOW_SUBSCRIBER_WAIT_MS)
  }

  private awaitEnd(): void {
    const whenMs = this.playhead.sessionMsOf(this.timeline.endMs - this.timeline.startMs)
    if (whenMs !== undefined)
      this.cancel = this.clock.at(whenMs, () => this.finish(), 'end of the tape')
  }

  private finish(): void {
    this.cancel = null
    if (this.isEndReported) return
    this.isEndReported = true
    this.listener?.onEnd()
  }

  private playTo(targetMs: number): void {
    for (let next = this.nextTravelledMs(); next !== undefined && next <= targetMs; ) {
      const event = this.currentChunk()[this.offset] as TimelineEvent
      this.offset++
      this.playedMs = next
      this.listener?.onEvent(event, this.playhead.positionAfter(next))
      next = this.nextTravelledMs()
    }
    this.playedMs = Math.max(this.playedMs, targetMs)
  }

  /**
   * Travelled time of the next event, which the cursor then points at; undefined when there is
   * none.
   */
  private nextTravelledMs(): number | undefined {
    return this.nextInLap() ?? (this.playhead.end === 'loop' ? this.nextLap() : undefined)
  }

  private nextInLap(): number | undefined {
    const { startMs, endMs, chunkMs } = this.timeline
    const chunks = Math.floor((endMs - startMs) / chunkMs) + 1
    for (; this.chunkIndex < chunks; this.chunkIndex++, this.offset = 0) {
      const next = this.currentChunk()[this.offset]
      if (next) return this.lap * this.playhead.lapMs + next.timeMs - startMs
    }
    return undefined
  }

  /** The chunk under the cursor, held because it is needed for every event. */
  private currentChunk(): readonly TimelineEvent[] {
    if (this.openChunk?.index !== this.chunkIndex)
      this.openChunk = { index: this.chunkIndex, chunk: this.timeline.chunk(this.chunkIndex) }
    return this.openChunk.chunk
  }

  private nextLap(): number | undefined {
    this.lap++
    this.chunkIndex = 0
    this.offset = 0
    return this.nextInLap()
  }

  /** Puts the cursor behind every event up to now. */
  private seek(here: TapePosition): void {
    this.lap = here.lap
    this.chunkIndex = Math.floor((here.atMs - this.timeline.startMs) / this.timeline.chunkMs)
    const chunk = this.currentChunk()
    const after = chunk.findIndex((event) => event.timeMs > here.atMs)
    this.offset = after === -1 ? chunk.length : after
  }
}

/** Events at speed `max` between two turns for everybody else. */
const EVENTS_PER_TURN = 500

/** How long to wait for a subscriber who takes no more. */
const SLOW_SUBSCRIBER_WAIT_MS = 1
