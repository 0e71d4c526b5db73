/** What scenarios need of the sandbox that they are put on. */
import type { SessionClock } from '../clock/session-clock.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { Acting, Instant, Subject } from '../scenario/script.ts'
import type { Player } from './player.ts'
import type { Playhead } from './playhead.ts'

/** Is asked about each connection; whoever is chosen is closed. */
export type Closing = (chosen: (subject: Subject) => Acting | undefined) => void

export interface Stand {
  now(): Instant
  /** Rings at a session time; the answer takes it back. */
  at(timeMs: number, ring: () => void, what: string): () => void
  /** A rule that closes connections begins. */
  closing: Closing
  /** Moves the market. */
  seek(to: NonNullable<Scenario['playhead']>): void
}

/** What of a sandbox a scenario reads and moves. */
interface Movable {
  clock: SessionClock
  playhead: Playhead
  player: Player
}

/** The same of a sandbox; `listeners` hear of connections to be closed. */
export function standOf({ clock, playhead, player }: Movable, listeners: Iterable<Closing>): Stand {
  return {
    now: () => ({ sessionMs: clock.nowMs(), tapeMs: playhead.at(clock.nowMs()).atMs }),
    at: (timeMs, ring, what) => clock.at(timeMs, ring, what),
    closing: (chosen) => {
      for (const listener of listeners) listener(chosen)
    },
    seek: ({ at, speed }) => {
      const place = at === undefined ? {} : { atMs: at }
      playhead.set(clock.nowMs(), { ...place, ...(speed === undefined ? {} : { speed }) })
      player.reposition()
    },
  }
}
