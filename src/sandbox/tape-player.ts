/**
 * Plays the story of a sandbox: hands over each happening when the playhead reaches it, in order.
 *
 * Nobody listening costs nothing: the playhead is a function of the clock, and the player starts
 * where it stands. What is handed over never depends on how large the clock's steps are.
 */
import type { SessionClock } from '../clock/session-clock.ts'
import type { Timeline, TimelineEvent } from '../contract/timeline.ts'
import type { Playhead, TapePosition } from './playhead.ts'

export interface PlaybackListener {
  /** Something has come true. `here` is the place at which it did. */
  onEvent(happening: TimelineEvent, here: TapePosition): void
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
  /** Place in the story of the next happening. */
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

  /** After the playhead was set: go on from where it stands now. */
  reposition(): void {
    this.cancel?.()
    this.cancel = null
    this.playedMs = this.playhead.travelledAt(this.clock.nowMs())
    this.isEndReported = false
    this.seek(this.playhead.positionAfter(this.playedMs))
    this.schedule()
  }

  /** Hands over whatever is due at this instant, so that an answer given now comes after it. */
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
      const happening = this.currentChunk()[this.offset] as TimelineEvent
      this.offset++
      this.playedMs = next
      this.listener?.onEvent(happening, this.playhead.positionAfter(next))
      next = this.nextTravelledMs()
    }
    this.playedMs = Math.max(this.playedMs, targetMs)
  }

  /**
   * Travelled time of the next happening, where the cursor then stands; undefined when there is
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

  /** The chunk under the cursor; asked for at every happening, so the story is not. */
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

  /** Puts the cursor behind everything that is true by now. */
  private seek(here: TapePosition): void {
    this.lap = here.lap
    this.chunkIndex = Math.floor((here.atMs - this.timeline.startMs) / this.timeline.chunkMs)
    const chunk = this.currentChunk()
    const after = chunk.findIndex((happening) => happening.timeMs > here.atMs)
    this.offset = after === -1 ? chunk.length : after
  }
}

/** Happenings at speed `max` between two turns for everybody else. */
const EVENTS_PER_TURN = 500

/** How long to wait for a subscriber who takes no more. */
const SLOW_SUBSCRIBER_WAIT_MS = 1
