/** Where in the timeline the next event is, through the laps. */
import type { Slices } from '../clock/turns.ts'
import type { Timeline, TimelineEvent } from '../contract/timeline.ts'
import { lastUpTo } from '../world/binary-search.ts'
import {
  EMPTY_CHUNK,
  type PlayedChunk,
  type PlayedChunks,
  playedChunksOf,
} from './played-chunks.ts'
import type { Playhead, TapePosition } from './playhead.ts'

/** Points at the event that is played next, and knows when that is due. */
export class TimelineCursor {
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
