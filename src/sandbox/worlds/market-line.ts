/**
 * A world whose market goes on after its tape. At first it is what was cast; when somebody comes
 * near the end of that, all are on a copy that is grown: up to any instant both say the same.
 */
import { later, type TapeMs, tapeMs } from '../../clock/instant.ts'
import { hostClock } from '../../clock/system-clock.ts'
import type { Timeline } from '../../contract/timeline.ts'
import type { TimedMarketEvent } from '../../market/events/market-event.ts'
import { UserError } from '../../user-error.ts'
import { growWorld } from '../../world/per-world.ts'
import type { World } from '../../world/world.ts'
import type { LineStatus, LoadedWorld, MarketBranch, MarketGrowth } from '../loaded-world.ts'
import { GrowthWaiters } from './growth-waiters.ts'
import { LineBranches } from './line-branches.ts'
import { LineFailure } from './line-failure.ts'
import { LineGrower, type LineHost } from './line-grower.ts'
import { LineListeners } from './line-listeners.ts'
import type { LineOrigin } from './line-origin.ts'
import { LineReading } from './line-reading.ts'
import { lineTimeline } from './line-timeline.ts'
import { LineUsers } from './line-users.ts'
import { WorldView } from './world-view.ts'

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
    if (toMs > this.reportedMs) this.failed.recover()
    this.reportedMs = Math.max(this.reportedMs, toMs)
    if (this.takingOver !== this.grower) this.takeOver(file).catch((error) => this.fail(error))
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

  private fail(error: Error): void {
    this.opening.forget()
    this.waiters.reject(this.failed.note(error))
  }
}
