import { type TapeMs, tapeMs } from '../clock/instant.ts'
import type { Slices } from '../clock/turns.ts'
import type { Facts, Moment } from '../contract/facts.ts'
import type { Timeline } from '../contract/timeline.ts'
import type { RecordedGap } from '../market/bars/recorded-past.ts'
import type { LiquiditySnapshot } from '../market/events/event-kind.ts'
import type { TimedMarketEvent } from '../market/events/market-event.ts'
import type { MoodName } from '../market/synth/mood.ts'
import type { CoinChange } from '../market/world/market-standing.ts'
import { UserError } from '../platform/user-error.ts'
import type { Recording } from '../tape/replay/as-recorded/recording.ts'
import type { Upstream } from '../tape/replay/upstream.ts'
import { savedEvents } from './market-events/event-request.ts'
import { type Anchor, placeIn, travelledBy } from './playhead.ts'
import type { SandboxOptions } from './sandbox-config.ts'
import { checkGrowth } from './sandbox-config.ts'
import type { SandboxState } from './snapshot/sandbox-state.ts'

/** The interface of a world to its sandboxes. */
export interface LoadedWorld {
  /** Identity of the world: tape digest and seed. */
  id: string
  /** The name of its tape, as its header has it. */
  source: string
  timeline: Timeline
  facts(moment: Moment): Facts
  cast(moment: Moment): unknown
  /** The coins of its tape, in their order. */
  coins: readonly string[]
  /** Gaps of its tape, in order of time; absent for a market without a tape. */
  gaps?: readonly RecordedGap[]
  /** The liquidity of each market at an instant. */
  standings(atMs: TapeMs): Slices<LiquiditySnapshot[]>
  /** The names of a coin in requests and streams; the argument may end in `*`. */
  namesOf(coin: string): string[]
  /** The change of a coin between two instants; null for an unknown coin. */
  change(coin: string, fromMs: TapeMs, toMs: TapeMs): CoinChange | null
  /** Continues the market after the tape; absent where the market ends with it. */
  growth?: MarketGrowth
  /** The recording that is replayed, if any. */
  recording?: Recording
  /** The service that answers what a recording lacks. */
  upstream?: Upstream | null
}

/** A listener that plays a growing market. */
export interface GrowthListener {
  /** More events are available. */
  grew(): void
  /** The tape time that it has played to. */
  playedMs(): number
}

/** The continuation of a market after its tape, grown on demand. */
export interface MarketGrowth {
  /**
   * Grows the market up to an instant of tape time; `timeline.endMs` is the present end. A
   * UserError when it cannot be grown.
   */
  ensure(untilMs: TapeMs): Promise<void>
  /** Adds a listener; the result removes it. */
  onGrown(listener: GrowthListener): () => void
  /** Keeps the market open for a sandbox until the result is called. */
  hold(): () => void
  /**
   * A market that is identical up to an instant and continues with events from there. A UserError
   * when no further branch is possible.
   */
  branch(branch: MarketBranch): Promise<LoadedWorld>
}

/** The start of a branch and its market events. */
export interface MarketBranch {
  /** Tape time, ms. */
  t0Ms: number
  /** All market events up to then, those of its earlier branches included. */
  events: readonly TimedMarketEvent[]
}

/** Finds or casts the world of a tape and a seed. */
export interface WorldProvider {
  (named: { tape?: string; seed?: number; mood?: MoodName; replay?: string }): Promise<LoadedWorld>
  /** The running castings, then the waiting ones in order; absent where worlds are never cast. */
  castings?(): readonly Casting[]
  /** The markets that continue after their tapes; absent where none does. */
  lines?(): readonly LineStatus[]
}

/** The status of a market that continues after its tape. */
export interface LineStatus {
  /** As in `LoadedWorld.id`. */
  world: string
  /** Market time grown beyond the tape, and requested, ms. */
  grownMs: number
  wantedMs: number
  /** Why it cannot be grown; null while it can. */
  failure: string | null
}

/** A running or waiting casting. */
export interface Casting {
  /** The future `LoadedWorld.id`. */
  world: string
  /** Events of the tape that are cast; 0 while waiting or casting the history. */
  events: number
  of: number
}

/**
 * The world that the options name, with the market events of a state; a UserError when the state is
 * of another world.
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

/** The world at the instant of the state: with its branch, and grown as far. */
async function restoredWorld(
  main: LoadedWorld,
  { progress: { clock, playhead, marketEvents = [] } }: Pick<SandboxState, 'progress'>,
): Promise<LoadedWorld> {
  const requested = savedEvents(marketEvents).map(({ timed }) => timed)
  let world = main
  // Events of one scenario were requested together.
  for (const [at, { requestedMs }] of requested.entries())
    if (requested[at + 1]?.requestedMs !== requestedMs)
      world =
        (await world.growth?.branch({ t0Ms: requestedMs, events: requested.slice(0, at + 1) })) ??
        world
  if (playhead.end === 'loop') return world
  const travelledMs = travelledBy(playhead, clock.nowMs)
  return grownTo(
    world,
    playhead.end === 'hold' ? heldAt(world, playhead, travelledMs) : travelledMs,
  )
}

/** A market that holds ends with the tape, unless it was beyond that already. */
function heldAt({ timeline }: LoadedWorld, from: Anchor, travelledMs: number): number {
  const { startMs, tapeEndMs } = timeline
  return Math.min(travelledMs, Math.max(tapeEndMs - startMs, from.travelledMs))
}

/** @param placeMs tape time, or an offset from the start of the tape */
async function grownTo(world: LoadedWorld, placeMs = 0): Promise<LoadedWorld> {
  const { startMs, tapeEndMs, endMs } = world.timeline
  const atMs = placeIn({ startMs, tapeEndMs, endMs, canContinue: true }, 'continue', placeMs)
  checkGrowth(world, atMs, true)
  await world.growth?.ensure(tapeMs(atMs))
  return world
}
