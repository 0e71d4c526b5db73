/** What stands on both sides of a player. */

import type { SessionClock } from '../clock/session-clock.ts'
import type { SystemClock } from '../clock/system-clock.ts'
import type { Slices } from '../clock/turns.ts'
import type { TimelineEvent } from '../contract/timeline.ts'
import type { DeliverySetting } from './delivery.ts'
import type { Playhead, TapePosition } from './playhead.ts'

/** Who is handed the events. */
export interface PlaybackListener {
  /** An event of that topic has come, at that session time; whether it is to be handed over. */
  noteEvent(topic: number, nowMs: number): boolean
  /** The event that has come. `here` is the position at which it did. */
  onEvent(topic: number, event: TimelineEvent, here: TapePosition, nowMs: number): void
  /** What was handed over may be sent. */
  onCaughtUp(): void
  /** The market goes on from this position, in another lap or after a seek. */
  onMoved(to: TapePosition, by: 'lap' | 'seek'): void
  /** What is left to be told of that; others have their turns in between. */
  settling(): Slices<void>
  /** Whether subscribers can take more now, where they are waited for. */
  isReady(): boolean
}

/** What a player needs of its sandbox. */
export interface PlayerHost {
  clock: SessionClock
  playhead: Playhead
  delivery: DeliverySetting
  systemClock: SystemClock
  /** Does work of the sandbox in its turns, behind what is asked for. */
  later(work: Slices<void>): unknown
  /** It has given up some of what is due, or nothing is behind any more. */
  onLag(isBehind: boolean): void
  /** The tape begins anew: what was shown of it is no more. */
  onLap(lap: number): void
  /** The playhead stands elsewhere, or has played all there is. */
  onRepositioned(): void
}

/** How long to wait for a subscriber who takes no more. */
const SLOW_SUBSCRIBER_WAIT_MS = 1

/** A moment in which subscribers may take what waits for them. */
export const slowSubscriber = (clock: SessionClock): Promise<void> =>
  new Promise((resume) => clock.runOnSystemTime(resume, SLOW_SUBSCRIBER_WAIT_MS))
