/**
 * Plays the story of a sandbox: hands over each happening when the playhead reaches it, in order.
 *
 * Nobody listening costs nothing: the playhead is a function of the clock, and the player starts
 * where it stands. What is handed over never depends on how large the clock's steps are.
 */
import type { SessionClock } from '../clock/session-clock.ts'
import type { Happening } from '../contract/facts.ts'
import type { Playhead, Position } from './playhead.ts'

/** The course of a world, in chunks that all sandboxes on it share. */
export interface Story {
  startMs: number
  endMs: number
  chunkMs: number
  /** All happenings with startMs + i x chunkMs <= time < the next, in order. */
  chunk(index: number): readonly Happening[]
}

export interface Listener {
  /** Something has come true. `here` is the place at which it did. */
  happen(happening: Happening, here: Position): void
  /** All that is due has been handed over. */
  caughtUp(): void
  /** At speed `max`: whether subscribers can take more now. */
  ready(): boolean
  /** The tape has run out and does not loop. */
  over(): void
}

export class Player {
  private listener: Listener | null = null
  /** Travelled time up to which everything has been handed over. */
  private doneMs = 0
  /** Place in the story of the next happening. */
  private lap = 0
  private chunkIndex = 0
  private open: { index: number; chunk: readonly Happening[] } | null = null
  private offset = 0
  private cancel: (() => void) | null = null
  private toldOver = false

  constructor(
    private readonly story: Story,
    private readonly clock: SessionClock,
    private readonly playhead: Playhead,
  ) {}

  listen(listener: Listener | null): void {
    this.listener = listener
    this.reposition()
  }

  /** After the playhead was set: go on from where it stands now. */
  reposition(): void {
    this.cancel?.()
    this.cancel = null
    this.doneMs = this.playhead.travelled(this.clock.nowMs())
    this.toldOver = false
    this.seek(this.playhead.place(this.doneMs))
    this.schedule()
  }

  /** Hands over whatever is due at this instant, so that an answer given now comes after it. */
  catchUp(): void {
    if (!this.listener || this.playhead.speed === 'max') return
    const targetMs = this.playhead.travelled(this.clock.nowMs())
    if (targetMs > this.doneMs) {
      this.playTo(targetMs)
      this.listener?.caughtUp()
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
      this.cancel = this.clock.soon(() => this.rush())
      return
    }
    const dueMs = this.nextTravelled()
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
  private rush(): void {
    this.cancel = null
    for (let count = 0; count < RUSH && this.listener?.ready(); count++) {
      const nextMs = this.nextTravelled()
      if (nextMs === undefined) break
      this.playTo(nextMs)
      this.playhead.reach(nextMs)
    }
    this.listener?.caughtUp()
    if (this.nextTravelled() === undefined) this.finish()
    else if (this.listener?.ready()) this.schedule()
    else this.cancel = this.clock.soon(() => this.rush(), SLOW_MS)
  }

  private awaitEnd(): void {
    const whenMs = this.playhead.sessionMsOf(this.story.endMs - this.story.startMs)
    if (whenMs !== undefined)
      this.cancel = this.clock.at(whenMs, () => this.finish(), 'end of the tape')
  }

  private finish(): void {
    this.cancel = null
    if (this.toldOver) return
    this.toldOver = true
    this.listener?.over()
  }

  private playTo(targetMs: number): void {
    for (let next = this.nextTravelled(); next !== undefined && next <= targetMs; ) {
      const happening = this.page()[this.offset] as Happening
      this.offset++
      this.doneMs = next
      this.listener?.happen(happening, this.playhead.place(next))
      next = this.nextTravelled()
    }
    this.doneMs = Math.max(this.doneMs, targetMs)
  }

  /**
   * Travelled time of the next happening, where the cursor then stands; undefined when there is
   * none.
   */
  private nextTravelled(): number | undefined {
    return this.nextOfLap() ?? (this.playhead.end === 'loop' ? this.nextLap() : undefined)
  }

  private nextOfLap(): number | undefined {
    const { startMs, endMs, chunkMs } = this.story
    const chunks = Math.floor((endMs - startMs) / chunkMs) + 1
    for (; this.chunkIndex < chunks; this.chunkIndex++, this.offset = 0) {
      const next = this.page()[this.offset]
      if (next) return this.lap * this.playhead.lapMs + next.timeMs - startMs
    }
    return undefined
  }

  /** The chunk under the cursor; asked for at every happening, so the story is not. */
  private page(): readonly Happening[] {
    if (this.open?.index !== this.chunkIndex)
      this.open = { index: this.chunkIndex, chunk: this.story.chunk(this.chunkIndex) }
    return this.open.chunk
  }

  private nextLap(): number | undefined {
    this.lap++
    this.chunkIndex = 0
    this.offset = 0
    return this.nextOfLap()
  }

  /** Puts the cursor behind everything that is true by now. */
  private seek(here: Position): void {
    this.lap = here.lap
    this.chunkIndex = Math.floor((here.atMs - this.story.startMs) / this.story.chunkMs)
    const chunk = this.page()
    const after = chunk.findIndex((happening) => happening.timeMs > here.atMs)
    this.offset = after === -1 ? chunk.length : after
  }
}

/** Happenings at speed `max` between two turns for everybody else. */
const RUSH = 500

/** How long to wait for a subscriber who takes no more. */
const SLOW_MS = 1
