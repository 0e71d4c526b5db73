/**
 * Has the market of a sandbox grown ahead of its playhead. While the clock runs this is done before
 * the playhead comes near the end of what there is; a clock that is moved waits for what it needs.
 */
import { later, tapeMs } from '../clock/instant.ts'
import type { SessionClock } from '../clock/session-clock.ts'
import type { LoadedWorld } from './loaded-world.ts'
import type { Playhead } from './playhead.ts'

/** So much real time of the playhead is there ahead of it, and at least so much market time. */
const AHEAD_REAL_MS = 10_000
const AHEAD_MIN_MS = 300_000
/** Of a long move so much is grown at once: what has been grown is played meanwhile. */
const STEP_MS = 1_800_000
/** Timers are set for no longer than that. */
const LOOK_MS = 3_600_000

interface GrowingHost {
  readonly clock: SessionClock
  readonly playhead: Playhead
  readonly world: LoadedWorld
}

export class GrowthAhead {
  private cancel = () => {}

  constructor(private readonly host: GrowingHost) {}

  /** The playhead stands elsewhere, the clock was set, or the market has grown. */
  review(): void {
    this.cancel()
    this.cancel = () => {}
    const { clock, playhead } = this.host
    const { growth, timeline } = this.host.world
    if (!growth || playhead.end === 'loop' || !clock.isRunning) return
    const { speed } = playhead
    const pace = speed === 'max' ? Number.POSITIVE_INFINITY : speed
    if (pace === 0 && !playhead.isAheadAt(clock.nowMs())) return
    const wantedMs = timeline.startMs + playhead.wantedAt(clock.nowMs())
    const aheadMs = Math.max(
      AHEAD_MIN_MS,
      pace === Number.POSITIVE_INFINITY ? 0 : pace * AHEAD_REAL_MS,
    )
    const leftMs = timeline.endMs - wantedMs - aheadMs
    const limited = playhead.end === 'hold' ? wantedMs : wantedMs + 2 * aheadMs
    if (leftMs <= 0 && limited > timeline.endMs) {
      // What went wrong is in the log, and the playhead holds.
      growth.ensure(tapeMs(Math.ceil(limited))).catch(() => {})
      return
    }
    if (playhead.end === 'hold' || pace === Number.POSITIVE_INFINITY) return
    const delayMs = Math.min(LOOK_MS, leftMs / pace)
    this.cancel = clock.runOnSystemTime(() => this.review(), Math.max(1, delayMs))
  }

  /**
   * What is to be grown before the clock is moved to an instant; undefined when the playhead can go
   * there.
   */
  missingAt(sessionMs: number): Promise<void> | undefined {
    const { playhead } = this.host
    const { growth, timeline } = this.host.world
    const wantedMs = timeline.startMs + playhead.wantedAt(sessionMs)
    if (!growth || playhead.end === 'loop' || wantedMs <= timeline.endMs) return undefined
    const stepEndMs = later(timeline.endMs, STEP_MS)
    return growth.ensure(tapeMs(Math.min(wantedMs, stepEndMs)))
  }

  stop(): void {
    this.cancel()
  }
}
