import { type TapeMs, tapeMs } from '../clock/instant.ts'
import type { Slices } from '../clock/turns.ts'
import type { Facts, Moment } from '../contract/facts.ts'
import type { Timeline } from '../contract/timeline.ts'
import type { RecordedGap } from '../market/bars/recorded-gap.ts'
import type { CoinStanding } from '../market/events/event-kind.ts'
import type { TimedMarketEvent } from '../market/events/market-event.ts'
import type { MoodName } from '../market/synth/mood.ts'
import type { CoinChange } from '../market/world/market-standing.ts'
import { UserError } from '../platform/user-error.ts'
import type { Recording } from '../tape/replay/as-recorded/recording.ts'
import type { Upstream } from '../tape/replay/upstream.ts'
import { savedEvents } from './market-events/asked-event.ts'
import { type Anchor, placeIn, travelledBy } from './playhead.ts'
import type { SandboxOptions } from './sandbox-config.ts'
import { checkGrowth } from './sandbox-config.ts'
import type { SandboxState } from './snapshot/sandbox-state.ts'

/** A world as a sandbox sees it. */
export interface LoadedWorld {
  /** Which world it is: tape digest and seed. */
  id: string
  timeline: Timeline
  facts(moment: Moment): Facts
  cast(moment: Moment): unknown
  /** The coins of its tape, in their order. */
  coins: readonly string[]
  /** Where its tape lacks something, in order of time; of a market without one it is left out. */
  gaps?: readonly RecordedGap[]
  /** What stands in each market at an instant. */
  standings(atMs: TapeMs): Slices<CoinStanding[]>
  /** What requests and streams call a coin; a name may end in `*`. */
  namesOf(coin: string): string[]
  /** What has come about between two; null for a coin that it does not have. */
  change(coin: string, fromMs: TapeMs, toMs: TapeMs): CoinChange | null
  /** How its market goes on after the tape; one without it ends there. */
  growth?: MarketGrowth
  /** What is served back as it was recorded, where there is such a recording. */
  recording?: Recording
  /** The service that is asked for what it does not have. */
  upstream?: Upstream | null
}

/** Who plays a market that grows. */
export interface GrowthListener {
  /** There is more. */
  grew(): void
  /** Up to where it has played, tape time. */
  playedMs(): number
}

/** A market that goes on after its tape, as far as somebody wants it. */
export interface MarketGrowth {
  /**
   * Has the market grown up to an instant of the tape's time; `timeline.endMs` says how far it is.
   * A UserError when it cannot be grown.
   */
  ensure(untilMs: TapeMs): Promise<void>
  /** Called when there is more; the result removes the listener. */
  onGrown(listener: GrowthListener): () => void
  /** A sandbox is on it: it stays open until the result is called. */
  hold(): () => void
  /**
   * The market that is the same up to an instant, and goes on with events from there. A UserError
   * when there cannot be another one.
   */
  branch(branch: MarketBranch): Promise<LoadedWorld>
}

/** Where a market branches off, and by what. */
export interface MarketBranch {
  /** Tape time, ms. */
  t0Ms: number
  /** All that its market was told by then, those of its branches before among them. */
  events: readonly TimedMarketEvent[]
}

/** Finds or casts the world of a tape and a seed. */
export interface WorldProvider {
  (named: { tape?: string; seed?: number; mood?: MoodName; replay?: string }): Promise<LoadedWorld>
  /** What is being cast, and then what waits for it, in order; one that never casts has none. */
  castings?(): readonly Casting[]
  /** The markets that go on after their tapes; one in which none does has none. */
  lines?(): readonly LineStatus[]
}

/** A market that has gone on after its tape. */
export interface LineStatus {
  /** As `LoadedWorld.id` says. */
  world: string
  /** How far beyond the tape it has been grown, ms of market time, and how far it is wanted. */
  grownMs: number
  wantedMs: number
  /** Why it cannot be grown; null while it can. */
  failure: string | null
}

/** A world that is being cast, or waits for its turn. */
export interface Casting {
  /** As `LoadedWorld.id` will say. */
  world: string
  /** Of the events of its tape, how many are done; 0 while its history is cast or it waits. */
  events: number
  of: number
}

/**
 * The world that the options name, told what a state was told; a UserError when it was taken on
 * another one.
 */
export async function worldOf(
  worlds: WorldProvider,
  options: SandboxOptions,
  state: Pick<SandboxState, 'world' | 'progress'> | null,
  what = 'the snapshot',
): Promise<LoadedWorld> {
  const world = await worlds(options)
  if (!state) return (options.end ?? 'continue') === 'continue' ? grownTo(world, options.at) : world
  if (state.world === world.id) return restoredWorld(world, state)
  throw new UserError(
    `${what} is of world ${state.world}, and this would be world ${world.id}: ` +
      'name the tape and seed that it was made with',
  )
}

/** As it was when the state was taken: where it had branched off, and grown as far. */
async function restoredWorld(
  main: LoadedWorld,
  { progress: { clock, playhead, marketEvents = [] } }: Pick<SandboxState, 'progress'>,
): Promise<LoadedWorld> {
  const asked = savedEvents(marketEvents).map(({ timed }) => timed)
  let world = main
  // Those of one scenario were asked for together.
  for (const [at, { askedMs }] of asked.entries())
    if (asked[at + 1]?.askedMs !== askedMs)
      world =
        (await world.growth?.branch({ t0Ms: askedMs, events: asked.slice(0, at + 1) })) ?? world
  if (playhead.end === 'loop') return world
  const travelledMs = travelledBy(playhead, clock.nowMs)
  return grownTo(
    world,
    playhead.end === 'hold' ? heldAt(world, playhead, travelledMs) : travelledMs,
  )
}

/** One that holds goes no further than the end of the tape, if it was not beyond that already. */
function heldAt({ timeline }: LoadedWorld, from: Anchor, travelledMs: number): number {
  const { startMs, tapeEndMs } = timeline
  return Math.min(travelledMs, Math.max(tapeEndMs - startMs, from.travelledMs))
}

/** @param placeMs tape time, or an offset from the start of the tape */
async function grownTo(world: LoadedWorld, placeMs = 0): Promise<LoadedWorld> {
  const { startMs, tapeEndMs, endMs } = world.timeline
  const atMs = placeIn({ startMs, tapeEndMs, endMs, goesOn: true }, 'continue', placeMs)
  checkGrowth(world, atMs, true)
  await world.growth?.ensure(tapeMs(atMs))
  return world
}
