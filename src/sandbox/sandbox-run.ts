import { SessionClock } from '../clock/session-clock.ts'
import type { SystemClock } from '../clock/system-clock.ts'
import type { Slices, Turns } from '../clock/turns.ts'
import { Alerts } from './alerts.ts'
import { DeliverySetting } from './delivery.ts'
import { FaultInjection } from './fault-injection.ts'
import { GrowthAhead } from './growth-ahead.ts'
import type { Journal } from './journal/journal.ts'
import type { LoadedWorld } from './loaded-world.ts'
import { MarketEvents } from './market-events/market-events.ts'
import { NumberedMap } from './numbered-map.ts'
import { Playhead } from './playhead.ts'
import { SaidDigest } from './said-digest.ts'
import type { SandboxConfig } from './sandbox-config.ts'
import { type SocketEffects, scenarioHostOf } from './scenario-host.ts'
import { TapePlayer } from './tape-player.ts'
import type { TapeSpan } from './tape-span.ts'
import type { InitialKeys } from './tenancy/initial-keys.ts'
import type { InitialTenancy } from './tenancy/initial-tenancy.ts'
import type { Tenancy } from './tenancy/tenancy.ts'
import { VenueWeight } from './tenancy/venue-weight.ts'

/** What a sandbox has from one reset to the next; a reset puts another one in its place. */
export interface SandboxRun {
  readonly clock: SessionClock
  readonly playhead: Playhead
  readonly player: TapePlayer
  /** Who is waited for. */
  readonly delivery: DeliverySetting
  readonly growthAhead: GrowthAhead
  /** What its market was told to do. */
  readonly marketEvents: MarketEvents
  readonly alerts: Alerts
  /** Places of the tape by name, tape time. */
  readonly bookmarks: NumberedMap<number>
  /** What it has said. */
  readonly said: SaidDigest
  /** Nonces seen, with the session time at which they may be forgotten. */
  readonly nonces: Map<string, number>
  readonly tenancy: Tenancy
  readonly venueWeight: VenueWeight
  /** The faults of its scenarios. */
  readonly faultInjection: FaultInjection
  /** The keys and the token it was handed out with. */
  readonly keys: InitialKeys
  readonly inviteToken: string
}

/** What a run is made from. */
interface RunParameters {
  config: SandboxConfig
  /** The one that the sandbox is on at present. */
  world: () => LoadedWorld
  journal: Journal
  systemClock: SystemClock
  createTenancy: (nowMs: number) => InitialTenancy
  sockets: SocketEffects
  /** Rules of scenarios have counted. */
  countersChanged: () => void
  alertChanged: (id: number) => void
  turns: Turns
  /** Whose turns they are. */
  owner: object
  /** The playhead has begun to fall behind, or has caught up again. */
  lagChanged: (isBehind: boolean) => void
  /** The tape begins anew. */
  lapBegun: (lap: number) => void
}

/** A run as it is when its sandbox is made. */
export function runOf(from: RunParameters): SandboxRun {
  const { config, systemClock } = from
  const { timeline } = from.world()
  const shownMs = config.clock === 'held' ? (config.nowMs ?? timeline.startMs) : config.nowMs
  const { turns, owner, lagChanged: onLag, lapBegun: onLap } = from
  const clock: SessionClock = new SessionClock(
    config.clock,
    shownMs,
    systemClock,
    (work) => turns.run(owner, work),
    (sessionMs) => growthAhead.missingAt(sessionMs),
  )
  const playhead = new Playhead(spanOf(from.world), config.epoch, clock.nowMs(), config)
  const growthAhead = new GrowthAhead({
    clock,
    playhead,
    get world() {
      return from.world()
    },
  })
  const marketEvents = new MarketEvents({ clock, playhead, journal: from.journal })
  const onRepositioned = () => {
    growthAhead.review()
    marketEvents.watch()
  }
  const later = (work: Slices<void>) => turns.runLater(owner, work)
  const delivery = new DeliverySetting(config.delivery)
  const host = { clock, playhead, delivery, systemClock, later, onLag, onLap, onRepositioned }
  const player = new TapePlayer(timeline, host)
  const tenants = from.createTenancy(clock.nowMs())
  const { countersChanged, sockets } = from
  const moved = { clock, playhead, player, tenancy: tenants.tenancy, countersChanged }
  const faultInjection = new FaultInjection(scenarioHostOf(moved, sockets), config)
  for (const scenario of config.options.scenarios ?? []) faultInjection.add(scenario)
  return {
    clock,
    playhead,
    player,
    delivery,
    growthAhead,
    marketEvents,
    alerts: new Alerts(from.alertChanged),
    bookmarks: new NumberedMap(),
    said: new SaidDigest(),
    nonces: new Map(),
    venueWeight: new VenueWeight(),
    faultInjection,
    ...tenants,
  }
}

/** The span of the world that a sandbox is on at present. */
function spanOf(world: () => LoadedWorld): TapeSpan {
  return {
    get startMs() {
      return world().timeline.startMs
    },
    get tapeEndMs() {
      return world().timeline.tapeEndMs
    },
    get endMs() {
      return world().timeline.endMs
    },
    get goesOn() {
      return world().growth !== undefined
    },
  }
}
