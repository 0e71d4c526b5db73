/**
 * A world whose market continues after its tape. At first it is the cast world; when a sandbox
 * comes near its end, all use a copy that is grown: both are identical up to the present instant.
 */

import { later, type TapeMs, tapeMs } from '../../clock/instant.ts'
import { hostClock, startBackgroundTimer } from '../../clock/system-clock.ts'
import type { Slices } from '../../clock/turns.ts'
import type { Facts, Moment } from '../../contract/facts.ts'
import type { Timeline } from '../../contract/timeline.ts'
import type { RecordedGap } from '../../market/bars/recorded-past.ts'
import type { LiquiditySnapshot } from '../../market/events/event-kind.ts'
import type { TimedMarketEvent } from '../../market/events/market-event.ts'
import {
  eventChunk,
  onDemandEvents,
  prepareChunk,
  preparePlayback,
  timelineOf,
} from '../../market/playback/timeline.ts'
import type { MoodName } from '../../market/synth/mood.ts'
import { growWorld } from '../../market/world/cache.ts'
import { castOf } from '../../market/world/cast.ts'
import { factsOf } from '../../market/world/facts.ts'
import {
  type CoinChange,
  coinChange,
  namesOfCoin,
  standingsAt,
} from '../../market/world/market-standing.ts'
import type { World } from '../../market/world/world.ts'
import { UserError } from '../../platform/user-error.ts'
import type {
  GrowthListener,
  LineStatus,
  LoadedWorld,
  MarketBranch,
  MarketGrowth,
} from '../loaded-world.ts'
import { damageOf, LineFailure, LineGrower, type LineHost, type LineStore } from './line-grower.ts'

/** A view of the present world of a line. */
abstract class WorldView {
  protected abstract world: World

  get source(): string {
    return this.world.meta.source
  }

  get coins(): readonly string[] {
    return this.world.instruments.map(({ coin }) => coin)
  }

  get gaps(): readonly RecordedGap[] {
    return this.world.meta.gaps
  }

  facts(moment: Moment): Facts {
    return factsOf(this.world)(moment)
  }

  cast(moment: Moment): unknown {
    return castOf(this.world, moment)
  }

  standings(atMs: TapeMs): Slices<LiquiditySnapshot[]> {
    return standingsAt(this.world, atMs)
  }

  namesOf(coin: string): string[] {
    return namesOfCoin(this.world, coin)
  }

  change(coin: string, fromMs: TapeMs, toMs: TapeMs): CoinChange | null {
    return coinChange(this.world, coin, fromMs, toMs)
  }
}

/** Minimum interval between two takeovers while no caller waits. */
const TAKE_OVER_MS = 250

export class MarketLine extends WorldView implements LoadedWorld, MarketGrowth {
  readonly id: string
  readonly timeline: Timeline
  readonly growth = this
  readonly onGrown: MarketGrowth['onGrown'] = (listener) => this.listeners.add(listener)
  private readonly failed: LineFailure
  protected world: World
  private endMs: TapeMs
  private wantedMs: number
  private reportedMs = Number.NEGATIVE_INFINITY
  private takingOver: LineGrower | null = null
  private isGrown = false
  /** Whether its file was damaged, and is grown from its beginning. */
  private isRegrown = false
  private readonly opening: LineReading
  private readonly waiters = new GrowthWaiters()
  private readonly users = new LineUsers(
    () => this.waiters.count === 0,
    () => this.close(),
  )
  private readonly listeners = new LineListeners()
  private readonly branches: LineBranches<MarketLine>
  private grower: LineGrower
  private readonly forget: () => void

  constructor(
    private origin: LineOrigin<MarketLine>,
    private readonly host: LineHost,
    /** Prepares a world before its first use. */
    private readonly warm: (world: World) => Promise<void>,
  ) {
    super()
    const { id, world, t0Ms, branches } = origin
    this.branches = branches ?? new LineBranches<MarketLine>()
    this.id = id
    this.world = world
    this.endMs = t0Ms
    this.wantedMs = t0Ms
    this.grower = this.newGrower()
    this.failed = new LineFailure(id, host.log, () => this.listeners.grew())
    this.forget = host.track(this)
    this.timeline = lineTimeline(
      () => this.world,
      () => this.endMs,
    )
    this.opening = new LineReading(host.store, warm)
  }

  /** Why it cannot be grown; null while it can. */
  get failure(): string | null {
    return this.failed.why
  }

  /** The status of its growth; null while it was never grown. */
  get status(): LineStatus | null {
    const { failure, endMs, wantedMs, origin } = this
    if (failure === null && wantedMs <= origin.t0Ms) return null
    const { tapeEndMs } = this.timeline
    return { world: this.id, grownMs: endMs - tapeEndMs, wantedMs: wantedMs - tapeEndMs, failure }
  }

  async ensure(untilMs: TapeMs): Promise<void> {
    if (untilMs <= this.endMs) return
    if (this.failure !== null) throw new UserError(this.failure)
    this.wantedMs = Math.max(this.wantedMs, untilMs)
    this.users.review()
    this.grower.grow(untilMs)
    return this.waiters.until(untilMs)
  }

  hold(): () => void {
    return this.users.add()
  }

  branch({ t0Ms, events }: MarketBranch): Promise<MarketLine> {
    return this.branches.of(events, () => this.branchOff(events, tapeMs(t0Ms)))
  }

  private async branchOff(events: readonly TimedMarketEvent[], t0Ms: TapeMs): Promise<MarketLine> {
    await this.ensure(t0Ms)
    const { id, branches, host, warm, origin } = this
    // The cast world is used where it is enough, however far this line has been grown.
    const world = t0Ms <= origin.t0Ms ? origin.world : this.world
    const { mood } = origin
    const line = new MarketLine({ id, world, t0Ms, mood, events, branches }, host, warm)
    // Its own file exists from the beginning: its origin continues without the events.
    await line.ensure(later(t0Ms, 1))
    return line
  }

  /** It holds nothing after this; it may be grown again. */
  private close(): void {
    const { events, branches } = this.origin
    this.grower.close(branches === null)
    branches?.forget(events)
    if (branches) this.forget()
    this.grower = this.newGrower()
    this.world = this.origin.world
    this.opening.forget()
    this.isGrown = false
    this.endMs = this.origin.t0Ms
    this.wantedMs = this.endMs
    this.reportedMs = Number.NEGATIVE_INFINITY
    this.failed.forget()
  }

  private newGrower(): LineGrower {
    const { world, t0Ms, mood, events } = this.origin
    const grower: LineGrower = new LineGrower(
      { baseFile: world.db.filename, t0Ms, mood, events },
      this.host,
      (file, toMs) => {
        if (grower === this.grower) this.reported(file, toMs)
      },
      (error) => {
        if (grower === this.grower) this.fail(error)
      },
    )
    return grower
  }

  private reported(file: string, toMs: number): void {
    const { grower } = this
    if (toMs > this.reportedMs) this.failed.recover()
    this.reportedMs = Math.max(this.reportedMs, toMs)
    if (this.takingOver === this.grower) return
    this.takeOver(file).catch((error) => {
      if (grower === this.grower) this.fail(error)
    })
  }

  /** Takes over the file's new content into the world: cached columns grow first, in slices. */
  private async takeOver(file: string): Promise<void> {
    const { grower } = this
    this.takingOver = grower
    try {
      // What is reported while the last call ends is taken over as well.
      do await this.takeIn(file, grower)
      while (grower === this.grower && this.reportedMs > this.endMs)
    } finally {
      if (this.takingOver === grower) this.takingOver = null
    }
  }

  private async takeIn(file: string, grower: LineGrower): Promise<void> {
    const world = this.isGrown ? this.world : await this.opening.of(file, this.timeline.tapeEndMs)
    if (grower !== this.grower) return
    const { chunkMs } = this.timeline
    while (this.reportedMs > this.endMs) {
      const toMs = tapeMs(this.reportedMs)
      for (const _ of growWorld(world, toMs)) await hostClock.yieldTurn()
      if (!this.isGrown)
        for (const _ of this.listeners.prepare(world, chunkMs)) await hostClock.yieldTurn()
      if (grower !== this.grower) return
      if (!this.isGrown) this.leaveOrigin(world)
      this.endMs = toMs
      this.listeners.grew()
      this.waiters.settle(toMs)
      if (!this.waiters.isAwaited(this.reportedMs))
        await new Promise<void>((go) => hostClock.startTimer(TAKE_OVER_MS, go))
    }
  }

  private leaveOrigin(world: World): void {
    this.world = world
    this.opening.forget()
    this.isGrown = true
    // Values cached for the old world are released with the object that they are cached for.
    this.origin = { ...this.origin, world: { ...this.origin.world } }
  }

  private fail(given: Error): void {
    this.opening.forget()
    const damage = damageOf(given)
    const error = damage ?? given
    // The cache can be grown again: the damaged file is made unreachable.
    if (damage) this.replaceGrower()
    if (!damage || this.isGrown || this.isRegrown)
      return this.waiters.reject(this.failed.note(error))
    this.isRegrown = true
    this.host.log(`the market of ${this.id} is grown again: ${error.message}`)
    this.grower.grow(this.wantedMs)
  }

  private replaceGrower(): void {
    this.grower.close(false)
    this.grower = this.newGrower()
    this.reportedMs = Number.NEGATIVE_INFINITY
  }
}

/** The origin of a line. */
interface LineOrigin<Line> {
  id: string
  /** The world before it is grown. */
  world: World
  t0Ms: TapeMs
  mood: MoodName | null
  /** Its market events. */
  events: readonly TimedMarketEvent[]
  /** The branches of the same world; null for the first line. */
  branches: LineBranches<Line> | null
}

/** The timeline of a line, whatever its present world. */
function lineTimeline(world: () => World, endMs: () => TapeMs): Timeline {
  const { startMs, tapeEndMs, chunkMs, isOnDemand } = timelineOf(world())
  return {
    startMs,
    tapeEndMs,
    get endMs() {
      return endMs()
    },
    chunkMs,
    chunk: (index) => eventChunk(world(), chunkMs, index),
    prepare: (index) => prepareChunk(world(), chunkMs, index),
    isOnDemand,
    onDemandEvents: (addresses, index) => onDemandEvents(world(), chunkMs, addresses, index),
  }
}

/** Listeners for the growth of a line. */
class LineListeners {
  private readonly all = new Set<GrowthListener>()

  add(listener: GrowthListener): () => void {
    this.all.add(listener)
    return () => this.all.delete(listener)
  }

  grew(): void {
    for (const listener of [...this.all]) listener.grew()
  }

  /** Reads the next chunks of the listeners in a new world before they change to it, in slices. */
  *prepare(world: World, chunkMs: number): Slices<void> {
    for (const atMs of new Set([...this.all].map((one) => one.playedMs())))
      yield* preparePlayback(world, chunkMs, tapeMs(atMs))
  }
}

/** Idle time after which a line without users is closed. */
const IDLE_MS = 60_000

/** The users of a line, which is closed after a while without any. */
class LineUsers {
  private count = 0
  private stopClosing = () => {}

  constructor(
    private readonly mayClose: () => boolean,
    private readonly close: () => void,
  ) {}

  /** Adds a user until the result is called. */
  add(): () => void {
    this.stopClosing()
    this.count++
    let isOn = true
    return () => {
      if (!isOn) return
      isOn = false
      this.count--
      this.review()
    }
  }

  /** Closes the line later if it has no users. */
  review(): void {
    this.stopClosing()
    if (this.count > 0) return
    this.stopClosing = startBackgroundTimer(IDLE_MS, () => {
      if (this.mayClose()) this.close()
      else this.review()
    })
  }
}

/** The file of a line, read as soon as it exists, while the rest is still grown. */
class LineReading {
  private begun: Promise<World> | null = null

  constructor(
    private readonly store: LineStore,
    /** Prepares a world before its first use. */
    private readonly warm: (world: World) => Promise<void>,
  ) {}

  /** The prepared world of the file; the same one until it is forgotten. */
  of(file: string, tapeEndMs: TapeMs): Promise<World> {
    this.begun ??= this.read(file, tapeEndMs)
    return this.begun
  }

  /** The file has changed, or was unreadable. */
  forget(): void {
    this.begun = null
  }

  private async read(file: string, tapeEndMs: TapeMs): Promise<World> {
    const world = this.store.open(file, tapeEndMs)
    await this.warm(world)
    return world
  }
}

interface Waiter {
  untilMs: TapeMs
  resolve: () => void
  reject: (error: Error) => void
}

/** Callers that wait for the growth of a market. */
class GrowthWaiters {
  private waiters: Waiter[] = []

  get count(): number {
    return this.waiters.length
  }

  until(untilMs: TapeMs): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.waiters.push({ untilMs, resolve, reject })
    return promise
  }

  /** Whether a caller waits for no more than that. */
  isAwaited(endMs: number): boolean {
    return this.waiters.some(({ untilMs }) => untilMs <= endMs)
  }

  /** Resolves the callers that wait for no more than that. */
  settle(endMs: TapeMs): void {
    const settled = this.waiters.filter(({ untilMs }) => untilMs <= endMs)
    this.waiters = this.waiters.filter(({ untilMs }) => untilMs > endMs)
    for (const { resolve } of settled) resolve()
  }

  /** Rejects all callers. */
  reject(error: Error): void {
    const { waiters } = this
    this.waiters = []
    for (const { reject } of waiters) reject(error)
  }
}

type Events = readonly TimedMarketEvent[]

/** Each has a file of its own, of a hundred megabytes and more. */
const BRANCHES_MAX = 64

/** The lines of one world by their market events; sandboxes with the same events share one. */
class LineBranches<L> {
  private readonly known = new Map<string, Promise<L>>()

  /** The line of these events; made when it does not exist. */
  of(events: Events, make: () => Promise<L>): Promise<L> {
    const key = JSON.stringify(events)
    const known = this.known.get(key)
    if (known) return known
    if (this.known.size >= BRANCHES_MAX)
      throw new UserError(
        `${this.known.size} markets have market events, at most ${BRANCHES_MAX}: drop or ` +
          'reset some of their sandboxes first',
      )
    const made = make()
    this.known.set(key, made)
    made.catch(() => this.forget(events))
    return made
  }

  /** Forgets a closed line: the same events make another one. */
  forget(events: Events): void {
    this.known.delete(JSON.stringify(events))
  }
}
