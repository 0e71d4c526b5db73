/** How far a playhead is behind what was asked of it. */

/**
 * Session time by which what is due may be late and is still caught up. What is later than that is
 * given up: the playhead goes on from where the market stands.
 */
export const OWED_MAX_MS = 2_000

export class PlayheadLag {
  /** Where the player had come to, and when; null while it is not behind. */
  waiting: { sessionMs: number; travelledMs: number } | null = null
  /** Session time given up since the playhead was set. */
  givenUpMs = 0

  /** What is wanted and not there, session time; both are travelled time. */
  owedMs(travelledMs: number, wantedMs: number, speed: number | 'max'): number {
    return speed === 'max' || speed === 0 ? 0 : Math.max(0, (wantedMs - travelledMs) / speed)
  }

  reset(): void {
    this.waiting = null
    this.givenUpMs = 0
  }
}
