/**
 * A world whose market goes on after its tape. At first it is what was cast; when somebody comes
 * near the end of that, all are on a copy that is grown: up to any instant both say the same.
 */

import { later, type TapeMs, tapeMs } from '../../clock/instant.ts'
import { hostClock, startBackgroundTimer } from '../../clock/system-clock.ts'
import type { Slices } from '../../clock/turns.ts'
import type { Facts, Moment } from '../../contract/facts.ts'
import type { Timeline } from '../../contract/timeline.ts'
import type { RecordedGap } from '../../market/bars/recorded-gap.ts'
import type { CoinStanding } from '../../market/events/event-kind.ts'
import type { TimedMarketEvent } from '../../market/events/market-event.ts'
import {
  eventChunk,
  eventsApart,
  prepareChunk,
  preparePlayback,
  timelineOf,
} from '../../market/playback/timeline.ts'
import type { MoodName } from '../../market/synth/mood.ts'
import { castOf } from '../../market/world/cast.ts'
import { factsOf } from '../../market/world/facts.ts'
import {
  type CoinChange,
  coinChange,
  namesOfCoin,
  standingsAt,
} from '../../market/world/market-standing.ts'
import { growWorld } from '../../market/world/per-world.ts'
import type { World } from '../../market/world/world.ts'
import { UserError } from '../../platform/user-error.ts'
import type {
  GrowthListener,
  LineStatus,
  LoadedWorld,
  MarketBranch,
  MarketGrowth,
} from '../loaded-world.ts'

import { damageOf, LineFailure } from './line-failure.ts'
import type { LineStore } from './line-files.ts'
import { LineGrower, type LineHost } from './line-grower.ts'

/** What a sandbox asks of the world that is there at present. */
abstract class WorldView {
  protected abstract world: World

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

  standings(atMs: TapeMs): Slices<CoinStanding[]> {
    return standingsAt(this.world, atMs)
  }

  namesOf(coin: string): string[] {
    return namesOfCoin(this.world, coin)
  }

  change(coin: string, fromMs: TapeMs, toMs: TapeMs): CoinChange | null {
    return coinChange(this.world, coin, fromMs, toMs)
  }
}

/** While more and more comes and nobody waits for it, it is taken over once in so long. */
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
  private hasBegunAnew = false
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
    /** Gets a world ready for whoever looks at it first. */
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

  /** How it is grown; null while nobody wanted that. */
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
    // What was there when it began is told by that, however far this line has been grown.
    const world = t0Ms <= origin.t0Ms ? origin.world : this.world
    const { mood } = origin
    const line = new MarketLine({ id, world, t0Ms, mood, events, branches }, host, warm)
    // Its own file is there from the beginning: the one it branches off from goes on otherwise.
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

  /** What is in the file becomes part of the world: kept columns grow first, in slices. */
  private async takeOver(file: string): Promise<void> {
    const { grower } = this
    this.takingOver = grower
    try {
      await this.takeIn(file, grower)
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
    // What was kept of the world that is left goes with the object that it was kept for.
    this.origin = { ...this.origin, world: { ...this.origin.world } }
  }

  private fail(given: Error): void {
    this.opening.forget()
    const damage = damageOf(given)
    const error = damage ?? given
    // What is in the cache can be grown again: nobody finds the damaged file any more.
    if (damage) this.replaceGrower()
    if (!damage || this.isGrown || this.hasBegunAnew)
      return this.waiters.reject(this.failed.note(error))
    this.hasBegunAnew = true
    this.host.log(`the market of ${this.id} is grown again: ${error.message}`)
    this.grower.grow(this.wantedMs)
  }

  private replaceGrower(): void {
    this.grower.close(false)
    this.grower = this.newGrower()
    this.reportedMs = Number.NEGATIVE_INFINITY
  }
}

/** Where a line begins. */
interface LineOrigin<Line> {
  id: string
  /** What it is until it is grown. */
  world: World
  t0Ms: TapeMs
  mood: MoodName | null
  /** What it was told. */
  events: readonly TimedMarketEvent[]
  /** Those of the same world; null for the first one. */
  branches: LineBranches<Line> | null
}

/** The events of a line, whatever world it has at present. */
function lineTimeline(world: () => World, endMs: () => TapeMs): Timeline {
  const { startMs, tapeEndMs, chunkMs, isApart } = timelineOf(world())
  return {
    startMs,
    tapeEndMs,
    get endMs() {
      return endMs()
    },
    chunkMs,
    chunk: (index) => eventChunk(world(), chunkMs, index),
    prepare: (index) => prepareChunk(world(), chunkMs, index),
    isApart,
    eventsApart: (addresses, index) => eventsApart(world(), chunkMs, addresses, index),
  }
}

/** Who is told when a line has grown. */
class LineListeners {
  private readonly all = new Set<GrowthListener>()

  add(listener: GrowthListener): () => void {
    this.all.add(listener)
    return () => this.all.delete(listener)
  }

  grew(): void {
    for (const listener of [...this.all]) listener.grew()
  }

  /** Before they go over to another world: reads what they play next there, in slices. */
  *prepare(world: World, chunkMs: number): Slices<void> {
    for (const atMs of new Set([...this.all].map((one) => one.playedMs())))
      yield* preparePlayback(world, chunkMs, tapeMs(atMs))
  }
}

/** A line that nobody is on is closed after so long. */
const IDLE_MS = 60_000

/** Who is on a line, which is closed when nobody has been for a while. */
class LineUsers {
  private count = 0
  private stopClosing = () => {}

  constructor(
    private readonly mayClose: () => boolean,
    private readonly close: () => void,
  ) {}

  /** One more, until the result is called. */
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

  /** It is used now, or no more: if by nobody, it is closed later. */
  review(): void {
    this.stopClosing()
    if (this.count > 0) return
    this.stopClosing = startBackgroundTimer(IDLE_MS, () => {
      if (this.mayClose()) this.close()
      else this.review()
    })
  }
}

/** The file of a line, read as soon as it is there, while what is wanted of it is still grown. */
class LineReading {
  private begun: Promise<World> | null = null

  constructor(
    private readonly store: LineStore,
    /** Gets a world ready for whoever looks at it first. */
    private readonly warm: (world: World) => Promise<void>,
  ) {}

  /** The world of it, ready for whoever looks first; the same one until it is forgotten. */
  of(file: string, tapeEndMs: TapeMs): Promise<World> {
    this.begun ??= this.read(file, tapeEndMs)
    return this.begun
  }

  /** It is another file from now on, or was not to be read. */
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

/** Who waits until a market has been grown. */
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

  /** Whether somebody waits for no more than that. */
  isAwaited(endMs: number): boolean {
    return this.waiters.some(({ untilMs }) => untilMs <= endMs)
  }

  /** It has been grown so far. */
  settle(endMs: TapeMs): void {
    const settled = this.waiters.filter(({ untilMs }) => untilMs <= endMs)
    this.waiters = this.waiters.filter(({ untilMs }) => untilMs > endMs)
    for (const { resolve } of settled) resolve()
  }

  /** It is not grown any more. */
  reject(error: Error): void {
    const { waiters } = this
    this.waiters = []
    for (const { reject } of waiters) reject(error)
  }
}

type Events = readonly TimedMarketEvent[]

/** Each has a file of its own, of a hundred megabytes and more. */
const BRANCHES_MAX = 64

/** The lines of one world by what they were told; those who tell the same are on the same one. */
class LineBranches<L> {
  private readonly known = new Map<string, Promise<L>>()

  /** The one that was told these; made when it is not there. */
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

  /** It is closed: who tells the same again has another one made. */
  forget(events: Events): void {
    this.known.delete(JSON.stringify(events))
  }
}
