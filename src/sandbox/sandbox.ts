/**
 * A sandbox: all that belongs to one tenant, such as clock, playhead, keys and answers to the open
 * questions. The world is shared and immutable.
 */

import { httpDate } from '../clock/instant.ts'
import type { SystemClock } from '../clock/system-clock.ts'
import type { Turns } from '../clock/turns.ts'
import { WorkAccount } from '../clock/turns.ts'
import type { Facts } from '../contract/facts.ts'
import type { Answers } from '../contract/questions.ts'
import { Coverage } from './coverage/coverage.ts'
import { DurableChanges } from './durable-changes.ts'
import { type SocketEffects, scheduledOf } from './fault-injection.ts'
import { Journal } from './journal/journal.ts'
import type { GrowthListener, LoadedWorld } from './loaded-world.ts'
import { ProcessMemory, SandboxMemory } from './memory.ts'
import type { TapePosition } from './playhead.ts'
import type { SandboxConfig } from './sandbox-config.ts'
import { runOf, type SandboxRun } from './sandbox-run.ts'
import type { ChangeLog, SharedChanges } from './sandbox-store.ts'
import { restored } from './snapshot/restoration.ts'
import type { SandboxState } from './snapshot/sandbox-state.ts'
import { SINGLE_ID } from './snapshot/state-parts.ts'
import { lagReport, lapReport } from './tape-player.ts'
import type { ApiKey, KeyLimits } from './tenancy/api-key.ts'
import { PLAN_LIMITS } from './tenancy/api-key.ts'
import type { InitialTenancy } from './tenancy/initial-tenancy.ts'
import type { TenancyChange } from './tenancy/tenancy.ts'

/** A view of the present run of a sandbox, which a reset replaces. */
abstract class RunView implements SandboxRun {
  protected abstract run: SandboxRun

  get clock(): SandboxRun['clock'] {
    return this.run.clock
  }

  get playhead(): SandboxRun['playhead'] {
    return this.run.playhead
  }

  get player(): SandboxRun['player'] {
    return this.run.player
  }

  get delivery(): SandboxRun['delivery'] {
    return this.run.delivery
  }

  get growthAhead(): SandboxRun['growthAhead'] {
    return this.run.growthAhead
  }

  get marketEvents(): SandboxRun['marketEvents'] {
    return this.run.marketEvents
  }

  get alerts(): SandboxRun['alerts'] {
    return this.run.alerts
  }

  get bookmarks(): SandboxRun['bookmarks'] {
    return this.run.bookmarks
  }

  get outputDigest(): SandboxRun['outputDigest'] {
    return this.run.outputDigest
  }

  get nonces(): SandboxRun['nonces'] {
    return this.run.nonces
  }

  get tenancy(): SandboxRun['tenancy'] {
    return this.run.tenancy
  }

  get venueWeight(): SandboxRun['venueWeight'] {
    return this.run.venueWeight
  }

  get faultInjection(): SandboxRun['faultInjection'] {
    return this.run.faultInjection
  }

  get keys(): SandboxRun['keys'] {
    return this.run.keys
  }

  get inviteToken(): SandboxRun['inviteToken'] {
    return this.run.inviteToken
  }
}

export class Sandbox extends RunView {
  protected run: SandboxRun
  private readonly market: SandboxMarket
  readonly journal: Journal
  /** What clients have met of the contract since it was made or reset. */
  readonly coverage = new Coverage()
  private readonly dates = new DateHeader()
  readonly stopListeners = new StopListeners()
  private readonly removalListeners = new Set<() => void>()
  /** Stores changes of this sandbox; null in memory. */
  changeLog: ChangeLog | null = null
  /** The changes of all replicas; null where this process has the sandbox alone. */
  shared: SharedChanges | null = null
  /** Makes the changes that are confirmed to clients. */
  readonly changes = new DurableChanges(this)
  /** Processor time of its work. */
  readonly account: WorkAccount
  /** Memory of the sandbox. */
  readonly memory: SandboxMemory
  /** Last use, monotonic time of the machine. */
  lastUsedMs = 0
  private readonly keyListeners = new Set<(change: TenancyChange) => void>()
  private readonly socketListeners = new Set<SocketEffects>()

  constructor(
    readonly config: SandboxConfig,
    /** The market that it was created on. */
    private readonly origin: LoadedWorld,
    private readonly createTenancy: (nowMs: number) => InitialTenancy,
    /** Turns of the thread, for its long work. */
    readonly turns: Turns,
    readonly systemClock: SystemClock,
    /** Writes a line to the program's log. */
    readonly log: (line: string) => void = () => {},
    processMemory = new ProcessMemory(systemClock),
  ) {
    super()
    this.account = new WorkAccount(config.id)
    this.memory = new SandboxMemory(processMemory)
    this.journal = new Journal(config.journal, this.memory)
    const playedMs = () => this.player.position.atMs
    this.market = new SandboxMarket(origin, { grew: () => this.marketGrew(), playedMs })
    this.run = this.start()
    this.tenancy.records.chargeTo(this.memory)
    this.player.reposition()
  }

  get world(): LoadedWorld {
    return this.market.world
  }

  get id(): string {
    return this.config.id
  }

  /** Answers to the open questions; scenarios may override them. */
  get answers(): Answers {
    return this.faultInjection.answers
  }

  /** All limits of a key; null is no limit. */
  limitsOf(key: ApiKey): KeyLimits {
    return withDefaultLimits(this.tenancy.limitsOf(key), this.answers)
  }

  keyOf(accessKey: string): ApiKey | undefined {
    return this.tenancy.keys.get(accessKey)
  }

  /** The present position of the market in the tape. */
  position(): TapePosition {
    return this.playhead.positionAt(this.clock.nowMs())
  }

  /** The facts at a position; the present one by default. */
  facts(here: TapePosition = this.position()): Facts {
    return this.world.facts({ ...here, answers: this.answers })
  }

  /**
   * The `Date` header: the session clock's time, plus what a scenario has it ahead of the clock by
   * which signatures are judged, so that a client that signs by it is let in.
   */
  date(aheadMs = 0): string {
    const { clock, config, systemClock } = this
    const isSession = aheadMs === 0 || config.signatureTime === 'session'
    return this.dates.at((isSession ? clock : systemClock).nowMs() + aheadMs)
  }

  /** Adds a listener for drop, reset and the end of the process; the result removes it. */
  onStop(listener: StopListener): () => void {
    return this.stopListeners.add(listener)
  }

  /** Adds a listener for changes of keys, levels and invites; the result removes it. */
  onKeysChange(listener: (change: TenancyChange) => void): () => void {
    this.keyListeners.add(listener)
    return () => this.keyListeners.delete(listener)
  }

  /** Adds a listener for effects of scenarios on sockets. */
  onSocketEffects(listener: SocketEffects): void {
    this.socketListeners.add(listener)
  }

  /** Registers a task for when the sandbox is dropped for good. */
  onRemoved(task: () => void): void {
    this.removalListeners.add(task)
  }

  /** Restores the initial state. Connections are closed. */
  reset(): void {
    this.journal.set(this.config.journal)
    const before = this.world
    this.market.join(this.origin)
    const run = this.storedStart(before)
    this.stop()
    this.journal.reset()
    this.coverage.reset()
    this.run = run
    this.tenancy.records.chargeTo(this.memory)
    this.player.reposition()
  }

  /** The initial run, stored; when that fails, everything is undone. */
  private storedStart(before: LoadedWorld): SandboxRun {
    try {
      return this.changes.storeRun(this.start())
    } catch (error) {
      this.market.join(before)
      throw error
    }
  }

  /** Continues from a state; there must be no connections yet. */
  resume(state: SandboxState): void {
    this.journal.set(state.progress.journal)
    this.run = restored(this.run, state)
  }

  /** Closes every connection and cancels all alarms. */
  drop(): void {
    for (const task of this.removalListeners) task()
    this.removalListeners.clear()
    this.stop()
    this.market.leave()
    this.memory.release()
  }

  /** Moves the sandbox to another market, which is identical up to now. */
  join(world: LoadedWorld): void {
    this.market.join(world)
    this.player.follow(world.timeline)
  }

  private marketGrew(): void {
    this.player.grew()
    this.growthAhead.review()
  }

  private stop(): void {
    this.stopListeners.notify('gone')
    this.player.stop()
    this.growthAhead.stop()
    this.clock.stop()
  }

  private start(): SandboxRun {
    const { config, journal, createTenancy, systemClock, changes, turns } = this
    const world = () => this.world
    const alertChanged = (id: number) => this.changeLog?.markChanged('alert', String(id))
    const countersChanged = () => this.changeLog?.markChanged('progress', SINGLE_ID)
    const sockets = scheduledOf(this.socketListeners, changes)
    const from = { config, world, journal, systemClock, createTenancy, sockets, turns, owner: this }
    const scenarioLengthChanged = (length: number) => this.memory.set('scenarios', length)
    const reports = { lagChanged: lagReport(this), lapBegun: lapReport(this), countersChanged }
    const run = runOf({ ...from, alertChanged, scenarioLengthChanged, ...reports })
    run.tenancy.usage.onChange((name) => this.changeLog?.markChanged('usage', name))
    run.tenancy.onChange((change) => {
      this.changeLog?.markChanged(change.kind, change.id)
      if (change.kind === 'key' && !run.tenancy.keys.has(change.id)) run.alerts.forgetKey(change.id)
      changes.notify(this.keyListeners, change)
    })
    if (!config.snapshot) return run
    this.journal.set(config.snapshot.progress.journal)
    return restored(run, config.snapshot)
  }
}

/** The `Date` header by a clock, formatted once a second. */
class DateHeader {
  private second = Number.NaN
  private text = ''

  at(nowMs: number): string {
    const second = Math.floor(nowMs / 1000)
    if (second !== this.second) {
      this.second = second
      this.text = httpDate(second * 1000)
    }
    return this.text
  }
}

/** The market of a sandbox, kept open while it is used. */
class SandboxMarket {
  private release = () => {}

  constructor(
    private current: LoadedWorld,
    private readonly player: GrowthListener,
  ) {
    this.join(current)
  }

  get world(): LoadedWorld {
    return this.current
  }

  /** Moves the sandbox to this market. */
  join(world: LoadedWorld): void {
    const releaseBefore = this.release
    this.current = world
    const release = world.growth?.hold()
    const forget = world.growth?.onGrown(this.player)
    this.release = () => {
      forget?.()
      release?.()
    }
    releaseBefore()
  }

  leave(): void {
    this.release()
    this.release = () => {}
  }
}

// Default limits of keys without their own, as the answers to the open questions say.

/** Connections and subscriptions that the perpetual venue allows. */
const VENUE_SOCKET_LIMITS = { maxConnections: 10, maxSubscriptions: 1_000 }

/** A key's own limits, with the defaults of the sandbox's answers. */
function withDefaultLimits(own: KeyLimits, answers: Answers): KeyLimits {
  const plan = answers['other-key-limits']
  const rates = plan === 'none' ? null : PLAN_LIMITS[plan]
  const sockets = answers['socket-limits'] === 'venue' ? VENUE_SOCKET_LIMITS : null
  if (!rates && !sockets) return own
  return {
    ...own,
    ratePerMinute: own.ratePerMinute ?? rates?.ratePerMinute ?? null,
    monthlyQuota: own.monthlyQuota ?? rates?.monthlyQuota ?? null,
    maxConnections: own.maxConnections ?? sockets?.maxConnections ?? null,
    maxSubscriptions: own.maxSubscriptions ?? sockets?.maxSubscriptions ?? null,
  }
}

/** Why the connections and waiting work of a sandbox have to end. */
export type StopReason =
  /** The sandbox was dropped or reset. */
  | 'gone'
  /** The process ends; until then the sandbox continues. */
  | 'ending'

type StopListener = (why: StopReason) => void

/** Listeners for the end of a sandbox: connections, streams, waiting calls. Each is called once. */
class StopListeners {
  private readonly listeners = new Set<StopListener>()

  get size(): number {
    return this.listeners.size
  }

  /** Adds a listener; the result removes it. */
  add(listener: StopListener): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  notify(why: StopReason): void {
    const present = [...this.listeners]
    this.listeners.clear()
    for (const listener of present) listener(why)
  }
}
