import { later, minuteOf, tapeMs } from '../clock/instant.ts'
import { SessionClock } from '../clock/session-clock.ts'
import type { SystemClock } from '../clock/system-clock.ts'
import type { Slices, Turns } from '../clock/turns.ts'
import type { AlertSetting, AlertsTenant } from '../contract/tenant.ts'
import { WEIGHT_PER_MINUTE } from '../contract/venue.ts'
import { conflictOf, eventText } from '../market/events/event-schedule.ts'
import {
  eventEndMs,
  type MarketEvent,
  type TimedMarketEvent,
} from '../market/events/market-event.ts'
import { UserError } from '../platform/user-error.ts'
import { FaultInjection, type SocketEffects, scenarioHostOf } from './fault-injection.ts'
import type { Journal, MarketEntry } from './journal/journal.ts'
import type { LoadedWorld } from './loaded-world.ts'
import {
  type RequestedEvent,
  requestedEventText,
  type SavedEvent,
  savedEvents,
} from './market-events/event-request.ts'
import { KeptRecords } from './memory.ts'
import { NumberedMap } from './numbered-map.ts'
import { OutputDigest } from './output-digest.ts'
import { DeliverySetting, Playhead, type TapeSpan } from './playhead.ts'
import { boundFlaw, MARKET_EVENTS_MAX, type SandboxConfig } from './sandbox-config.ts'
import { TapePlayer } from './tape-player.ts'
import type { InitialKeys, InitialTenancy } from './tenancy/initial-tenancy.ts'
import type { Tenancy } from './tenancy/tenancy.ts'

/** The state of a sandbox between two resets. */
export interface SandboxRun {
  readonly clock: SessionClock
  readonly playhead: Playhead
  readonly player: TapePlayer
  /** The delivery policy for slow subscribers. */
  readonly delivery: DeliverySetting
  readonly growthAhead: GrowthAhead
  /** The market events that it has scheduled. */
  readonly marketEvents: MarketEvents
  readonly alerts: Alerts
  /** Bookmarks: tape time by name. */
  readonly bookmarks: NumberedMap<number>
  /** Digest of its output. */
  readonly outputDigest: OutputDigest
  /** Nonces with the session time at which they expire. */
  readonly nonces: Map<string, number>
  readonly tenancy: Tenancy
  readonly venueWeight: VenueWeight
  /** The faults of its scenarios. */
  readonly faultInjection: FaultInjection
  /** The keys and the token that it was created with. */
  readonly keys: InitialKeys
  readonly inviteToken: string
}

/** The parameters of a run. */
interface RunParameters {
  config: SandboxConfig
  /** The present world of the sandbox. */
  world: () => LoadedWorld
  journal: Journal
  systemClock: SystemClock
  createTenancy: (nowMs: number) => InitialTenancy
  sockets: SocketEffects
  /** The counters of rules have changed. */
  countersChanged: () => void
  /** The active scenarios have this total length. */
  scenarioLengthChanged: (length: number) => void
  alertChanged: (id: number) => void
  turns: Turns
  /** The owner of the turns. */
  owner: object
  /** The playhead falls behind, or has caught up. */
  lagChanged: (isBehind: boolean) => void
  /** A new lap of the tape begins. */
  lapBegun: (lap: number) => void
}

/** Creates the initial run of a sandbox. */
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
  const { countersChanged, scenarioLengthChanged, sockets } = from
  const moved = {
    clock,
    playhead,
    player,
    tenancy: tenants.tenancy,
    countersChanged,
    scenarioLengthChanged,
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
    outputDigest: new OutputDigest(),
    nonces: new Map(),
    venueWeight: new VenueWeight(),
    faultInjection,
    ...tenants,
  }
}

/** The span of the sandbox's present world. */
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
    get canContinue() {
      return world().growth !== undefined
    },
  }
}

// The request weight used in a minute of the session clock.

/** The used weight, and the number of its minute. */
interface SpentWeight {
  readonly minute: number
  readonly spent: number
}

class VenueWeight {
  private latest: SpentWeight | null = null

  /** null when nothing was used yet. */
  get saved(): SpentWeight | null {
    return this.latest
  }

  restore(saved: SpentWeight | null): void {
    this.latest = saved
  }

  /** Uses a weight; false, and nothing counted, when the minute's weight would be exceeded. */
  spend(weight: number, nowMs: number): boolean {
    const minute = minuteOf(nowMs)
    const spent = minute === this.latest?.minute ? this.latest.spent : 0
    if (spent >= WEIGHT_PER_MINUTE) return false
    this.latest = { minute, spent: spent + weight }
    return true
  }
}

// Grows the market of a sandbox ahead of its playhead: before the playhead is near the end of the
// grown market while the clock runs; on demand when the clock is moved.

/** Real time of the playhead that is grown ahead, with a minimum of market time. */
const AHEAD_REAL_MS = 10_000
const AHEAD_MIN_MS = 300_000
/** Market time of a long move that is grown at once: meanwhile the grown part is played. */
const STEP_MS = 1_800_000
/** Maximum length of a timer. */
const CHECK_MS = 3_600_000

/**
 * A failure is in the log, and the playhead holds. The market keeps this function until it has
 * grown: it refers to no sandbox, which may be dropped before.
 */
const ignored = () => {}

interface GrowingHost {
  readonly clock: SessionClock
  readonly playhead: Playhead
  readonly world: LoadedWorld
}

class GrowthAhead {
  private cancel = () => {}

  constructor(private readonly host: GrowingHost) {}

  /** Checks the growth after a seek, a clock change, or growth. */
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
      growth.ensure(tapeMs(Math.ceil(limited))).catch(ignored)
      return
    }
    if (playhead.end === 'hold' || pace === Number.POSITIVE_INFINITY) return
    const delayMs = Math.min(CHECK_MS, leftMs / pace)
    this.cancel = clock.runOnSystemTime(() => this.review(), Math.max(1, delayMs))
  }

  /** The growth required before the clock is moved to an instant; undefined when none is. */
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

/** The market events of a sandbox, in the order of the requests. */
class MarketEvents {
  private requested: RequestedEvent[] = []
  private readonly alarms: EventAlarms

  constructor(watched: WatchedMarket) {
    this.alarms = new EventAlarms(watched)
  }

  get list(): readonly RequestedEvent[] {
    return this.requested
  }

  /** The events in the form that the market takes. */
  get timed(): TimedMarketEvent[] {
    return this.requested.map(({ timed }) => timed)
  }

  /**
   * Numbers events requested at an instant of the tape, without adding them. A UserError when they
   * are too many, or contradict earlier ones.
   */
  next(
    events: readonly { event: MarketEvent; afterMs: number }[],
    requestedMs: number,
    scenario: string | null,
  ): RequestedEvent[] {
    const full = boundFlaw(
      'market events',
      this.requested.length + events.length - 1,
      MARKET_EVENTS_MAX,
    )
    if (full !== null) throw new UserError(`${full}: reset the sandbox, or take a new one`)
    const requested = events.map(({ event, afterMs }, at) => ({
      id: this.requested.length + at + 1,
      timed: { event, requestedMs, fromMs: requestedMs + afterMs },
      scenario,
    }))
    for (const one of requested) this.checkFree(one, requestedMs)
    return requested
  }

  /** Adds the result of `next`. */
  add(events: readonly RequestedEvent[]): void {
    this.requested = [...this.requested, ...events]
    this.watch()
  }

  /** Records the requested events in the journal, once they are stored. */
  report(events: readonly RequestedEvent[]): void {
    this.alarms.requested(events)
  }

  get saved(): SavedEvent[] {
    return this.requested.map(({ timed: { event, requestedMs, fromMs }, scenario }) => ({
      event,
      askedMs: requestedMs,
      fromMs,
      scenario,
    }))
  }

  /** Replaces all by saved events; a UserError for an invalid one. */
  restore(saved: readonly SavedEvent[]): void {
    this.requested = savedEvents(saved)
    this.watch()
  }

  /** Schedules the next begin or end, after the playhead or the events have changed. */
  watch(): void {
    this.alarms.schedule(this.requested)
  }

  private checkFree(requested: RequestedEvent, requestedMs: number): void {
    for (const known of this.requested) {
      const why = conflictOf(known.timed, requested.timed)
      if (why === null) continue
      const [event, other] = [eventText(requested.timed.event), requestedEventText(known)]
      const [fromS, toS] = [known.timed.fromMs, eventEndMs(known.timed)].map(
        (timeMs) => (timeMs - requestedMs) / 1000,
      )
      const span = `${fromS} s to ${toS} s from now: ${why}`
      throw new UserError(`the ${event} would overlap ${other}, which acts from ${span}`)
    }
  }
}

// Records in the journal when market events begin and end.

/** The watched parts of a sandbox, and its journal. */
interface WatchedMarket {
  clock: SessionClock
  playhead: Playhead
  journal: Journal
}

class EventAlarms {
  private cancel: (() => void) | null = null

  constructor(private readonly market: WatchedMarket) {}

  /** Records requested events, and those that begin at once. */
  requested(events: readonly RequestedEvent[]): void {
    const tapeMs = this.hereMs
    for (const one of events) this.record(one, 'asked', tapeMs)
    this.fire(tapeMs, events)
  }

  /** Schedules the next begin or end after the playhead's position. */
  schedule(all: readonly RequestedEvent[]): void {
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

  private fire(timeMs: number, events: readonly RequestedEvent[]): void {
    for (const one of events) {
      if (one.timed.fromMs === timeMs) this.record(one, 'begun', timeMs)
      if (eventEndMs(one.timed) === timeMs) this.record(one, 'ended', timeMs)
    }
  }

  private record(requested: RequestedEvent, event: MarketEntry['event'], tapeMs: number): void {
    const { clock, journal } = this.market
    if (!journal.isOn) return
    journal.record({
      kind: 'market',
      event,
      sessionMs: clock.nowMs(),
      tapeMs,
      key: null,
      rule: requested.scenario,
      id: requested.id,
      subject: eventText(requested.timed.event),
    })
  }
}

const instantsOf = ({ timed }: RequestedEvent) => [timed.fromMs, eventEndMs(timed)]

// The alerts of a sandbox: each key has its own.

/** Maximum number of alerts of one key. */
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
    /** The records that alerts are charged to. */
    private readonly records = new KeptRecords(),
  ) {}

  /** The alerts of an access key; ids are never reused in a sandbox. */
  forKey(accessKey: string): AlertsTenant {
    return {
      most: ALERTS_MAX,
      list: () => [...(this.settings.get(accessKey)?.values() ?? [])],
      add: (setting) => this.add(accessKey, setting),
      remove: (id) => this.remove(accessKey, id),
    }
  }

  /** All alerts with their access keys, in the order of setting. */
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

  /** Replaces all alerts. */
  restore(lastId: number, alerts: readonly OwnedAlert[]): void {
    this.lastId = lastId
    for (const { id } of this.list()) this.records.remove(recordId(id))
    this.settings.clear()
    for (const { accessKey, ...setting } of alerts) this.put(accessKey, setting)
  }

  /** Removes the alerts of a removed key. */
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

/** The id under which an alert is charged. */
const recordId = (id: number) => `alert ${id}`
