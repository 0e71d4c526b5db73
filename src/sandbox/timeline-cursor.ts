/** Where in the timeline the next event is, through the laps. */
import type { Timeline, TimelineEvent } from '../contract/timeline.ts'
import type { Playhead, TapePosition } from './playhead.ts'

/** Points at the event that is played next, and knows when that is due. */
export class TimelineCursor {
  /** Travelled time of the next event; infinite when there is none. */
  dueMs = Number.POSITIVE_INFINITY
  private lap = 0
  private chunkIndex = 0
  private chunk: readonly TimelineEvent[] = []
  private offset = 0

  constructor(
    private readonly timeline: Timeline,
    private readonly playhead: Playhead,
  ) {}

  /** Goes behind every event up to a position. */
  seek(here: TapePosition): void {
    const { startMs, chunkMs } = this.timeline
    this.lap = here.lap
    this.open(Math.floor((here.atMs - startMs) / chunkMs))
    const after = this.chunk.findIndex((event) => event.timeMs > here.atMs)
    this.offset = after === -1 ? this.chunk.length : after
    this.find()
  }

  /** Gives the next event, of which there must be one, and goes behind it. */
  take(): TimelineEvent {
    const event = this.chunk[this.offset++] as TimelineEvent
    const next = this.chunk[this.offset]
    if (next) this.dueMs += next.timeMs - event.timeMs
    else this.find()
    return event
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
    const { startMs, endMs, chunkMs } = this.timeline
    const chunks = Math.floor((endMs - startMs) / chunkMs) + 1
    for (;;) {
      const next = this.chunk[this.offset]
      if (next) this.dueMs = this.lap * this.playhead.lapMs + next.timeMs - startMs
      if (next || this.chunkIndex + 1 >= chunks) return next !== undefined
      this.open(this.chunkIndex + 1)
    }
  }

  private open(index: number): void {
    this.chunkIndex = index
    this.chunk = this.timeline.chunk(index)
    this.offset = 0
  }
}
