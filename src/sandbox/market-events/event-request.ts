/** Schedules market events in the market of a sandbox. */

import { tapeMs } from '../../clock/instant.ts'
import type { Slices } from '../../clock/turns.ts'
import { FieldFlaw, flawsIn, flawsText } from '../../contract/fields/field-check.ts'
import type { LiquiditySnapshot } from '../../market/events/event-kind.ts'
import {
  eventText,
  type PlotEvent,
  plotFor,
  readEvent,
} from '../../market/events/event-schedule.ts'
import {
  coinOf,
  eventEndMs,
  type MarketEvent,
  type TimedMarketEvent,
} from '../../market/events/market-event.ts'
import type { CoinChange } from '../../market/world/market-standing.ts'
import { UserError } from '../../platform/user-error.ts'
import type { LoadedWorld, MarketBranch, MarketGrowth } from '../loaded-world.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { scenarioError } from '../scenario/scenario-parser.ts'

/** Market events by time, counted from now. */
export interface EventRequest {
  plot: readonly PlotEvent[]
  /** The scenario that they belong to; null for a call of its own. */
  scenario: Scenario | null
  /** Changes the sandbox at the same instant, and may set the playhead to `atMs` of the tape. */
  change?: () => void
  atMs?: number
}

/**
 * Schedules market events from now on: other sandboxes stay in the market that they are in. An
 * invalid event is a UserError, and then nothing has changed.
 */
export function* scheduleMarketEvents(
  sandbox: Sandbox,
  { plot, scenario, change, atMs }: EventRequest,
): Slices<readonly RequestedEvent[]> {
  const growth = growthOf(sandbox)
  sandbox.memory.whole.checkRoom()
  const startMs = () => tapeMs(atMs ?? sandbox.position().atMs)
  const standings = yield* sandbox.world.standings(startMs())
  const named = resolveEvents(plot, standings, scenario)
  const { marketEvents } = sandbox
  // Everything shown from here on is of the new market.
  const resume = stopMarket(sandbox)
  let isGone = false
  const forget = sandbox.onStop((why) => {
    isGone ||= why === 'gone'
  })
  try {
    const requested = marketEvents.next(named, startMs(), scenario?.name ?? null)
    const events = [...marketEvents.timed, ...requested.map(({ timed }) => timed)]
    const world = yield* marketOf(growth, { t0Ms: startMs(), events })
    if (isGone) throw new UserError(`sandbox "${sandbox.id}" was reset or dropped meanwhile`)
    enter(sandbox, world, () => {
      change?.()
      sandbox.join(world)
      marketEvents.add(requested)
    })
    marketEvents.report(requested)
    return requested
  } finally {
    forget()
    if (!isGone) resume()
  }
}

/** Stops the market, whatever the clock does, until the result is called. */
function stopMarket({ player, playhead, clock }: Sandbox): () => void {
  const { speed } = playhead
  if (speed !== 'max') {
    player.pause()
    return () => player.resume()
  }
  playhead.set(clock.nowMs(), { speed: 0 })
  player.reposition()
  return () => {
    if (playhead.speed === 0) playhead.set(clock.nowMs(), { speed })
    player.reposition()
  }
}

/** Enters another market; undone when that cannot be stored. */
function enter(sandbox: Sandbox, world: LoadedWorld, change: () => void): void {
  const { world: before, marketEvents } = sandbox
  const { saved } = marketEvents
  const release = before.growth?.hold()
  try {
    sandbox.changes.keep(change)
  } catch (error) {
    if (sandbox.world === world) sandbox.join(before)
    marketEvents.restore(saved)
    throw error
  } finally {
    release?.()
  }
}

/** The growth of the market; a UserError for a market that ends or restarts with its tape. */
function growthOf({ playhead, world }: Sandbox): MarketGrowth {
  if (playhead.end !== 'continue')
    throw new UserError(
      `market events need a market that continues, and at the end of its tape this one is set to ` +
        `${playhead.end}: set the end of the playhead to "continue"`,
    )
  if (world.growth) return world.growth
  throw new UserError('market events need a market that continues, and this one ends with its tape')
}

function* marketOf(growth: MarketGrowth, branch: MarketBranch): Slices<LoadedWorld> {
  let world: LoadedWorld | null = null
  yield growth.branch(branch).then((ready) => {
    world = ready
  })
  return world as unknown as LoadedWorld
}

/** Field paths in messages are those of the request: a scenario has a list, a call one event. */
function resolveEvents(
  plot: readonly PlotEvent[],
  standings: readonly LiquiditySnapshot[],
  scenario: Scenario | null,
): PlotEvent<MarketEvent>[] {
  const at = scenario === null ? [] : ['market']
  try {
    return plotFor(plot, standings, at)
  } catch (error) {
    const flaws = flawsIn(error)
    if (scenario !== null) throw scenarioError(flaws, scenario.place)
    const ofEvent = flaws.map(({ path, message }) => new FieldFlaw(path.slice(2), message))
    throw new UserError(flawsText(ofEvent, 'the market event'))
  }
}

// The effects of a market event: how its markets have changed since it began.

/**
 * The change of each coin of the event, from its begin to its end, or to a given instant of the
 * tape; nothing while it is planned.
 */
export function* outcomeOf(
  world: Pick<LoadedWorld, 'change' | 'coins'>,
  requested: RequestedEvent,
  atMs: number,
): Slices<CoinChange[]> {
  if (eventStateAt(requested, atMs) === 'planned') return []
  const { event, fromMs } = requested.timed
  const untilMs = Math.min(atMs, eventEndMs(requested.timed))
  const coin = coinOf(event)
  const coins = coin === undefined ? [] : coin === null ? world.coins : [coin]
  const changes: CoinChange[] = []
  for (const one of coins) {
    const change = world.change(one, tapeMs(fromMs), tapeMs(untilMs))
    if (change) changes.push(change)
    yield
  }
  return changes
}

/** A market event of a sandbox with its number, origin and state. */
export interface RequestedEvent {
  /** From 1, in the order of the requests. */
  id: number
  timed: TimedMarketEvent
  /** The scenario that lists it; null when a control call requested it. */
  scenario: string | null
}

/** `planned` before it begins, `done` after its end. */
type EventState = 'planned' | 'acting' | 'done'

/** The state of an event at an instant of the tape. */
export function eventStateAt({ timed }: RequestedEvent, atMs: number): EventState {
  if (atMs < timed.fromMs) return 'planned'
  return atMs < eventEndMs(timed) ? 'acting' : 'done'
}

/** `market event 3 (move of BTC)`. */
export const requestedEventText = ({ id, timed }: RequestedEvent): string =>
  `market event ${id} (${eventText(timed.event)})`

/** The stored form of an event. */
export interface SavedEvent {
  event: unknown
  /** When it was requested; the name is that of the state file. */
  askedMs: number
  fromMs: number
  scenario: string | null
}

/** Reads stored events; a UserError for an invalid one. */
export const savedEvents = (saved: readonly SavedEvent[]): RequestedEvent[] =>
  saved.map(({ event, askedMs, fromMs, scenario }, at) => ({
    id: at + 1,
    timed: { event: savedEvent(event), requestedMs: askedMs, fromMs },
    scenario,
  }))

/** The stored event as it was requested: the coin by name, the amount in dollars. */
function savedEvent(event: unknown): MarketEvent {
  try {
    return readEvent(event) as MarketEvent
  } catch (flaw) {
    throw new UserError(flawsText(flawsIn(flaw), 'a saved market event'))
  }
}
