/** What scenarios need of the sandbox that they are put on. */
import type { SessionClock } from '../clock/session-clock.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { ActiveRule, FaultSubject, RunInstant } from '../scenario/scenario-run.ts'
import type { Playhead } from './playhead.ts'
import type { TapePlayer } from './tape-player.ts'

/** Closes each connection on which the rule acts. */
export type ConnectionClosing = (ruleFor: (subject: FaultSubject) => ActiveRule | undefined) => void

export interface ScenarioHost {
  now(): RunInstant
  /** Runs a task at a session time; the result cancels it. */
  at(timeMs: number, task: () => void, what: string): () => void
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

/** The same of a sandbox. */
export function scenarioHostOf(
  { clock, playhead, player }: Movable,
  closeConnections: ConnectionClosing,
): ScenarioHost {
  return {
    now: () => ({ sessionMs: clock.nowMs(), tapeMs: playhead.positionAt(clock.nowMs()).atMs }),
    at: (timeMs, task, what) => clock.at(timeMs, task, what),
    closeConnections,
    seek: ({ at, speed }) => {
      const position = at === undefined ? {} : { atMs: at }
      playhead.set(clock.nowMs(), { ...position, ...(speed === undefined ? {} : { speed }) })
      player.reposition()
    },
  }
}
