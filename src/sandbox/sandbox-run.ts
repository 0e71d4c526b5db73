import { minuteOf } from '../clock/calendar.ts'
import { later, tapeMs } from '../clock/instant.ts'
import { SessionClock } from '../clock/session-clock.ts'
import type { SystemClock } from '../clock/system-clock.ts'
import type { Slices, Turns } from '../clock/turns.ts'
import type { AlertSetting, AlertsTenant } from '../contract/tenant/alerts.ts'
import { WEIGHT_PER_MINUTE } from '../contract/venue/request-weights.ts'
import { conflictOf, eventText } from '../market/events/conflicts.ts'
import {
  eventEndMs,
  type MarketEvent,
  type TimedMarketEvent,
} from '../market/events/market-event.ts'
import { UserError } from '../platform/user-error.ts'
import { FaultInjection, type SocketEffects, scenarioHostOf } from './fault-injection.ts'
import type { MarketEntry } from './journal/entry.ts'
import type { Journal } from './journal/journal.ts'
import type { LoadedWorld } from './loaded-world.ts'
import {
  type AskedEvent,
  askedEventText,
  type SavedEvent,
  savedEvents,
} from './market-events/asked-event.ts'
import { KeptRecords } from './memory.ts'
import { NumberedMap } from './numbered-map.ts'
import { DeliverySetting, Playhead, type TapeSpan } from './playhead.ts'
import { SaidDigest } from './said-digest.ts'
import { boundFlaw, MARKET_EVENTS_MAX, type SandboxConfig } from './sandbox-config.ts'
import { TapePlayer } from './tape-player.ts'
import type { InitialKeys } from './tenancy/initial-keys.ts'
import type { InitialTenancy } from './tenancy/initial-tenancy.ts'
import type { Tenancy } from './tenancy/tenancy.ts'

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
  /** Scenarios of so many characters are on. */
  scenariosKept: (length: number) => void
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
    (work) => turns.run(owner, work, 'the clock'),
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
  const { countersChanged, scenariosKept, sockets } = from
  const moved = {
    clock,
    playhead,
    player,
    tenancy: tenants.tenancy,
    countersChanged,
    scenariosKept,
  }
  const faultInjection = new FaultInjection(scenarioHostOf(moved, sockets), config)
  for (const scenario of config.options.scenarios ?? []) faultInjection.add(scenario)
  return {
    clock,
    playhead,
    player,
    delivery,
    growthAhead,
    marketEvents,
    alerts: new Alerts(from.alertChanged, tenants.tenancy.records),
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

// The request weight that was spent in a minute of the session clock.

/** What was spent in a minute, by its number. */
interface SpentWeight {
  readonly minute: number
  readonly spent: number
}

class VenueWeight {
  private latest: SpentWeight | null = null

  /** null when nothing was spent yet. */
  get saved(): SpentWeight | null {
    return this.latest
  }

  restore(saved: SpentWeight | null): void {
    this.latest = saved
  }

  /** Counts it; false, and nothing counted, when the minute's weight is used up. */
  spend(weight: number, nowMs: number): boolean {
    const minute = minuteOf(nowMs)
    const spent = minute === this.latest?.minute ? this.latest.spent : 0
    if (spent >= WEIGHT_PER_MINUTE) return false
    this.latest = { minute, spent: spent + weight }
    return true
  }
}

// Has the market of a sandbox grown ahead of its playhead. While the clock runs this is done before
// the playhead comes near the end of what there is; a clock that is moved waits for what it needs.

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

class GrowthAhead {
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

/** What the market of a sandbox was told to do, in the order in which it was asked for. */
class MarketEvents {
  private asked: AskedEvent[] = []
  private readonly alarms: EventAlarms

  constructor(watched: WatchedMarket) {
    this.alarms = new EventAlarms(watched)
  }

  get list(): readonly AskedEvent[] {
    return this.asked
  }

  /** The same as the market takes them. */
  get timed(): TimedMarketEvent[] {
    return this.asked.map(({ timed }) => timed)
  }

  /**
   * Events that are asked for at an instant of the tape, with their numbers: yet to be added. A
   * UserError when they are too many, or contradict what the market was told already.
   */
  next(
    events: readonly { event: MarketEvent; afterMs: number }[],
    askedMs: number,
    scenario: string | null,
  ): AskedEvent[] {
    const full = boundFlaw(
      'market events',
      this.asked.length + events.length - 1,
      MARKET_EVENTS_MAX,
    )
    if (full !== null) throw new UserError(`${full}: reset the sandbox, or take a new one`)
    const asked = events.map(({ event, afterMs }, at) => ({
      id: this.asked.length + at + 1,
      timed: { event, askedMs, fromMs: askedMs + afterMs },
      scenario,
    }))
    for (const one of asked) this.checkFree(one, askedMs)
    return asked
  }

  /** Adds what `next` gave. */
  add(events: readonly AskedEvent[]): void {
    this.asked = [...this.asked, ...events]
    this.watch()
  }

  /** Journals that they were asked for, once that is stored. */
  report(events: readonly AskedEvent[]): void {
    this.alarms.asked(events)
  }

  get saved(): SavedEvent[] {
    return this.asked.map(({ timed, scenario }) => ({ ...timed, scenario }))
  }

  /** Those that were saved, in place of what there is; a UserError for what is no market event. */
  restore(saved: readonly SavedEvent[]): void {
    this.asked = savedEvents(saved)
    this.watch()
  }

  /** The playhead was set, or what there is changed: waits for what begins or ends next. */
  watch(): void {
    this.alarms.schedule(this.asked)
  }

  private checkFree(asked: AskedEvent, askedMs: number): void {
    for (const known of this.asked) {
      const why = conflictOf(known.timed, asked.timed)
      if (why === null) continue
      const inS = (timeMs: number) => `${(timeMs - askedMs) / 1000} s`
      throw new UserError(
        `the ${eventText(asked.timed.event)} would overlap ${askedEventText(known)}, which acts ` +
          `from ${inS(known.timed.fromMs)} to ${inS(eventEndMs(known.timed))} from now: ${why}`,
      )
    }
  }
}

// Journals that market events begin and end, when the playhead comes to where they do.

/** What of a sandbox is watched, and where it is written. */
interface WatchedMarket {
  clock: SessionClock
  playhead: Playhead
  journal: Journal
}

class EventAlarms {
  private cancel: (() => void) | null = null

  constructor(private readonly market: WatchedMarket) {}

  /** Writes that events were asked for, and those that begin at once. */
  asked(events: readonly AskedEvent[]): void {
    const tapeMs = this.hereMs
    for (const one of events) this.record(one, 'asked', tapeMs)
    this.fire(tapeMs, events)
  }

  /** Waits for what comes next from where the playhead is now. */
  schedule(all: readonly AskedEvent[]): void {
    this.cancel?.()
    this.cancel = null
    if (all.length === 0) return
    const { clock, playhead } = this.market
    const hereMs = this.hereMs
    const nextMs = Math.min(...all.flatMap(instantsOf).filter((timeMs) => timeMs > hereMs))
    if (!Number.isFinite(nextMs)) return
    const whenMs = playhead.sessionMsOf(nextMs - playhead.span.startMs)
    if (whenMs === undefined) return
    const fire = () => {
      this.fire(nextMs, all)
      this.schedule(all)
    }
    this.cancel = clock.at(whenMs, fire, 'market event')
  }

  private get hereMs(): number {
    const { clock, playhead } = this.market
    return playhead.positionAt(clock.nowMs()).atMs
  }

  private fire(timeMs: number, events: readonly AskedEvent[]): void {
    for (const one of events) {
      if (one.timed.fromMs === timeMs) this.record(one, 'begun', timeMs)
      if (eventEndMs(one.timed) === timeMs) this.record(one, 'ended', timeMs)
    }
  }

  private record(asked: AskedEvent, event: MarketEntry['event'], tapeMs: number): void {
    const { clock, journal } = this.market
    if (!journal.isOn) return
    journal.record({
      kind: 'market',
      event,
      sessionMs: clock.nowMs(),
      tapeMs,
      key: null,
      rule: asked.scenario,
      id: asked.id,
      subject: eventText(asked.timed.event),
    })
  }
}

const instantsOf = ({ timed }: AskedEvent) => [timed.fromMs, eventEndMs(timed)]

// The alerts that clients of a sandbox have set: each key has its own.

/** More of one key are refused. */
export const ALERTS_MAX = 100

/** An alert and the access key that set it. */
interface OwnedAlert extends AlertSetting {
  accessKey: string
}

class Alerts {
  private readonly settings = new Map<string, Map<number, AlertSetting>>()
  /** The newest id. */
  lastId = 0

  constructor(
    private readonly onChange: (id: number) => void = () => {},
    /** They are charged to it. */
    private readonly records = new KeptRecords(),
  ) {}

  /** Those of an access key; ids are never used twice in a sandbox. */
  forKey(accessKey: string): AlertsTenant {
    return {
      most: ALERTS_MAX,
      list: () => [...(this.settings.get(accessKey)?.values() ?? [])],
      add: (setting) => this.add(accessKey, setting),
      remove: (id) => this.remove(accessKey, id),
    }
  }

  /** All of them, each with the access key that set it, in the order of setting. */
  list(): OwnedAlert[] {
    const all = [...this.settings].flatMap(([accessKey, own]) =>
      [...own.values()].map((setting) => ({ accessKey, ...setting })),
    )
    return all.sort((one, other) => one.id - other.id)
  }

  get(id: number): OwnedAlert | undefined {
    for (const [accessKey, own] of this.settings) {
      const setting = own.get(id)
      if (setting) return { accessKey, ...setting }
    }
    return undefined
  }

  /** In place of all that were set. */
  restore(lastId: number, alerts: readonly OwnedAlert[]): void {
    this.lastId = lastId
    for (const { id } of this.list()) this.records.remove(recordId(id))
    this.settings.clear()
    for (const { accessKey, ...setting } of alerts) this.put(accessKey, setting)
  }

  /** The key is gone, and what it has set with it. */
  forgetKey(accessKey: string): void {
    for (const id of this.settings.get(accessKey)?.keys() ?? []) this.remove(accessKey, id)
    this.settings.delete(accessKey)
  }

  private remove(accessKey: string, id: number): boolean {
    const was = this.settings.get(accessKey)?.delete(id) ?? false
    if (!was) return false
    this.records.remove(recordId(id))
    this.onChange(id)
    return true
  }

  private add(accessKey: string, setting: Omit<AlertSetting, 'id'>): AlertSetting | null {
    if ((this.settings.get(accessKey)?.size ?? 0) >= ALERTS_MAX) return null
    if (this.records.flaw(setting) !== null) return null
    const alert = { id: ++this.lastId, ...setting }
    this.put(accessKey, alert)
    this.onChange(alert.id)
    return alert
  }

  private put(accessKey: string, setting: AlertSetting): void {
    const own = this.settings.get(accessKey) ?? new Map<number, AlertSetting>()
    own.set(setting.id, setting)
    this.records.put(recordId(setting.id), setting)
    this.settings.set(accessKey, own)
  }
}

/** Under which an alert is charged. */
const recordId = (id: number) => `alert ${id}`
