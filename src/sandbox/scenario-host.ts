/** What scenarios need of the sandbox that they are put on. */
import { monthOf } from '../clock/calendar.ts'
import type { SessionClock } from '../clock/session-clock.ts'
import type { Playhead } from './playhead.ts'
import type { SpentQuota } from './scenario/rule-state.ts'
import type { Scenario } from './scenario/scenario.ts'
import type { ActiveRule, FaultSubject, RunInstant } from './scenario/scenario-run.ts'
import type { TapePlayer } from './tape-player.ts'
import type { Tenancy } from './tenancy/tenancy.ts'

/** Closes each connection on which the rule acts. */
export type ConnectionClosing = (ruleFor: (subject: FaultSubject) => ActiveRule | undefined) => void

/** What scenarios do to the sockets of a sandbox at an instant. */
export interface SocketEffects {
  /** A rule that closes connections begins. */
  closeConnections: ConnectionClosing
  /** Rules are over: what they have held back goes out. */
  rulesEnded(): void
}

export interface ScenarioHost extends SocketEffects {
  now(): RunInstant
  /** Runs a task at a session time; the result cancels it. */
  at(timeMs: number, task: () => void, what: string): () => void
  /** A key has not used what a rule made it use. */
  giveBack(accessKey: string, spent: SpentQuota): void
  /** Rules have counted. */
  countersChanged(): void
  /** Scenarios of so many characters are on. */
  scenariosKept(length: number): void
  /** Moves the market. */
  seek(to: NonNullable<Scenario['playhead']>): void
}

/** What of a sandbox a scenario reads and moves. */
interface Movable {
  clock: SessionClock
  playhead: Playhead
  player: TapePlayer
  tenancy: Tenancy
  countersChanged(): void
  /** Scenarios of so many characters are on. */
  scenariosKept(length: number): void
}

/** The same of a sandbox. */
export function scenarioHostOf(
  { clock, playhead, player, tenancy, countersChanged, scenariosKept }: Movable,
  { closeConnections, rulesEnded }: SocketEffects,
): ScenarioHost {
  return {
    now: () => ({ sessionMs: clock.nowMs(), tapeMs: playhead.positionAt(clock.nowMs()).atMs }),
    at: (timeMs, task, what) => clock.at(timeMs, task, what),
    closeConnections,
    rulesEnded,
    countersChanged,
    scenariosKept,
    giveBack(accessKey, { month, requests }) {
      const [key, nowMs] = [tenancy.keys.get(accessKey), clock.nowMs()]
      if (!key || monthOf(nowMs) !== month) return
      const used = tenancy.usage.inMonth(accessKey, nowMs)
      tenancy.setUsed(key, nowMs, Math.max(0, used - requests))
    },
    seek: ({ at, speed }) => {
      const position = at === undefined ? {} : { atMs: at }
      playhead.set(clock.nowMs(), { ...position, ...(speed === undefined ? {} : { speed }) })
      player.reposition()
    },
  }
}

/** The same for whoever listens, once the change in progress is kept. */
export const toldOf = (listeners: ReadonlySet<SocketEffects>, changes: Telling): SocketEffects => ({
  closeConnections: (rule) => changes.tell(tasksOf(listeners, 'closeConnections'), rule),
  rulesEnded: () => changes.tell(tasksOf(listeners, 'rulesEnded'), undefined as never),
})

/** Calls listeners when the change in progress is kept. */
interface Telling {
  tell<A>(listeners: Iterable<(about: A) => void>, about: A): void
}

const tasksOf = <N extends keyof SocketEffects>(listeners: ReadonlySet<SocketEffects>, name: N) =>
  [...listeners].map((listener) => listener[name])
