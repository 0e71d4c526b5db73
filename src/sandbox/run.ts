import type { Machine } from '../clock/machine.ts'
import { SessionClock } from '../clock/session-clock.ts'
import { Alerts } from './alerts.ts'
import { Player } from './player.ts'
import { Playhead } from './playhead.ts'
import type { Stage } from './stage.ts'
import { type Closing, standOf } from './stand.ts'
import type { FirstKeys } from './tenancy/first-keys.ts'
import type { Household } from './tenancy/household.ts'
import type { Tenancy } from './tenancy/tenancy.ts'
import { Weights } from './tenancy/weights.ts'
import type { Terms } from './terms.ts'
import { Trouble } from './trouble.ts'

/** What a sandbox has from one reset to the next; a reset puts another one in its place. */
export interface Run {
  readonly clock: SessionClock
  readonly playhead: Playhead
  readonly player: Player
  readonly alerts: Alerts
  /** Places of the tape by name, tape time. */
  readonly marks: Map<string, number>
  /** Nonces seen, with the session time at which they may be forgotten. */
  readonly nonces: Map<string, number>
  readonly tenancy: Tenancy
  readonly weights: Weights
  /** What goes wrong here. */
  readonly trouble: Trouble
  /** The keys and the token it was handed out with. */
  readonly keys: FirstKeys
  readonly inviteToken: string
}

/** What a run is made from. */
interface Beginning {
  terms: Terms
  stage: Stage
  machine: Machine
  settle: (nowMs: number) => Household
  /** Hear of connections to be closed. */
  closing: Iterable<Closing>
  alertChanged: (id: number) => void
}

/** A run as it is when its sandbox is made. */
export function runOf(from: Beginning): Run {
  const { terms, machine } = from
  const { story } = from.stage
  const shownMs = terms.clock === 'held' ? (terms.nowMs ?? story.startMs) : terms.nowMs
  const clock = new SessionClock(terms.clock, shownMs, machine)
  const playhead = new Playhead(story, terms.epoch, clock.nowMs(), terms)
  const player = new Player(story, clock, playhead)
  const trouble = new Trouble(standOf({ clock, playhead, player }, from.closing), terms)
  for (const scenario of terms.wish.scenarios ?? []) trouble.put(scenario)
  return {
    clock,
    playhead,
    player,
    alerts: new Alerts(from.alertChanged),
    marks: new Map(),
    nonces: new Map(),
    weights: new Weights(),
    trouble,
    ...from.settle(clock.nowMs()),
  }
}
