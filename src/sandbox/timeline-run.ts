/** Hands over the events of a timeline in order, from a place in it on. */
import type { Slices } from '../clock/turns.ts'
import type { Timeline } from '../contract/timeline.ts'
import { LapWatch } from './lap-watch.ts'
import type { PlaybackListener, PlayerHost } from './playback-listener.ts'
import type { TapePosition } from './playhead.ts'
import { TimelineCursor } from './timeline-cursor.ts'

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
