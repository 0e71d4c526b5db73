/** What scenarios need of the sandbox that they are put on. */
import type { SessionClock } from '../clock/session-clock.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { ActiveRule, FaultSubject, RunInstant } from '../scenario/scenario-run.ts'
import type { Playhead } from './playhead.ts'
import type { TapePlayer } from './tape-player.ts'

/** Is asked about each connection; whoever is chosen is closed. */
export type ConnectionClosing = (chosen: (subject: FaultSubject) => ActiveRule | undefined) => void

export interface ScenarioHost {
  now(): RunInstant
  /** Rings at a session time; the answer takes it back. */
  at(timeMs: number, ring: () => void, what: string): () => void
  /** A rule that closes connections begins. */
  closeConnections: ConnectionClosing
  /** Moves the market. */
  seek(to: NonNullable<Scenario['playhead']>): void
}

/** What of a sandbox a scenario reads and moves. */
interface Movable {
  clock: SessionClock
  playhead: Playhead
  player: TapePlayer
}

/** The same of a sandbox; `listeners` hear of connections to be closed. */
export function scenarioHostOf(
  { clock, playhead, player }: Movable,
  listeners: Iterable<ConnectionClosing>,
): ScenarioHost {
  return {
    now: () => ({ sessionMs: clock.nowMs(), tapeMs: playhead.positionAt(clock.nowMs()).atMs }),
    at: (timeMs, ring, what) => clock.at(timeMs, ring, what),
    closeConnections: (chosen) => {
      for (const listener of listeners) listener(chosen)
    },
    seek: ({ at, speed }) => {
      const place = at === undefined ? {} : { atMs: at }
      playhead.set(clock.nowMs(), { ...place, ...(speed === undefined ? {} : { speed }) })
      player.reposition()
    },
  }
}
