/** Telling the market of a sandbox what to do. */

import { tapeMs } from '../../clock/instant.ts'
import type { Slices } from '../../clock/turns.ts'
import { FieldFlaw, flawsIn, flawsText } from '../../contract/fields/field-flaw.ts'
import type { CoinStanding } from '../../market/events/event-kind.ts'
import { coinOf, eventEndMs, type MarketEvent } from '../../market/events/market-event.ts'
import { type PlotEvent, plotFor } from '../../market/events/plot.ts'
import type { CoinChange } from '../../market/world/market-standing.ts'
import { UserError } from '../../platform/user-error.ts'
import type { LoadedWorld, MarketBranch, MarketGrowth } from '../loaded-world.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { scenarioError } from '../scenario/scenario-parser.ts'
import { type AskedEvent, eventStateAt } from './asked-event.ts'

/** Events by time, counted from now. */
export interface Telling {
  plot: readonly PlotEvent[]
  /** What they belong to; null for a call of its own. */
  scenario: Scenario | null
  /** Changes the sandbox at the same moment, and may set the playhead to `atMs` of the tape. */
  change?: () => void
  atMs?: number
}

/**
 * The market does it from now on, or when it is time: other sandboxes stay in the market that they
 * are in. What is wrong with any of it is a UserError, and then nothing has changed.
 */
export function* tellMarket(
  sandbox: Sandbox,
  { plot, scenario, change, atMs }: Telling,
): Slices<readonly AskedEvent[]> {
  const growth = growthOf(sandbox)
  sandbox.memory.whole.checkRoom()
  const startMs = () => tapeMs(atMs ?? sandbox.position().atMs)
  const standings = yield* sandbox.world.standings(startMs())
  const named = plotInMarket(plot, standings, scenario)
  const { marketEvents } = sandbox
  // What is shown from here on is another market's.
  const goOn = standStill(sandbox)
  let isGone = false
  const forget = sandbox.onStop((why) => {
    isGone ||= why === 'gone'
  })
  try {
    const asked = marketEvents.next(named, startMs(), scenario?.name ?? null)
    const events = [...marketEvents.timed, ...asked.map(({ timed }) => timed)]
    const world = yield* marketOf(growth, { t0Ms: startMs(), events })
    if (isGone) throw new UserError(`sandbox "${sandbox.id}" was reset or dropped meanwhile`)
    enter(sandbox, world, () => {
      change?.()
      sandbox.join(world)
      marketEvents.add(asked)
    })
    marketEvents.report(asked)
    return asked
  } finally {
    forget()
    if (!isGone) goOn()
  }
}

/** The market stands, whatever the clock does, until the result is called. */
function standStill({ player, playhead, clock }: Sandbox): () => void {
  const { speed } = playhead
  if (speed !== 'max') {
    player.stand()
    return () => player.resume()
  }
  playhead.set(clock.nowMs(), { speed: 0 })
  player.reposition()
  return () => {
    if (playhead.speed === 0) playhead.set(clock.nowMs(), { speed })
    player.reposition()
  }
}

/** Goes over to another market, or stays as it was when that cannot be stored. */
function enter(sandbox: Sandbox, world: LoadedWorld, change: () => void): void {
  const { world: before, marketEvents } = sandbox
  const { saved } = marketEvents
  const letGo = before.growth?.hold()
  try {
    sandbox.changes.keep(change)
  } catch (error) {
    if (sandbox.world === world) sandbox.join(before)
    marketEvents.restore(saved)
    throw error
  } finally {
    letGo?.()
  }
}

/** A market that ends or begins again cannot be told what is to come. */
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

/** A scenario has a list, a call one event: messages name its fields as they were given. */
function plotInMarket(
  plot: readonly PlotEvent[],
  standings: readonly CoinStanding[],
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

// What came of a market event: how the markets that it acts on have changed since it began.

/**
 * The change of each coin that it acts on, from when it began to when it ended, or to the instant
 * of the tape that is asked for; nothing while it is planned.
 */
export function* outcomeOf(
  world: Pick<LoadedWorld, 'change' | 'coins'>,
  asked: AskedEvent,
  atMs: number,
): Slices<CoinChange[]> {
  if (eventStateAt(asked, atMs) === 'planned') return []
  const { event, fromMs } = asked.timed
  const untilMs = Math.min(atMs, eventEndMs(asked.timed))
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
