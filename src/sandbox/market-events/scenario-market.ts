/** Scenarios that tell the market what to do. */

import type { Slices } from '../../clock/turns.ts'
import { type FieldFlaw, FlawList } from '../../contract/fields/field-flaw.ts'
import { unknownText } from '../../contract/fields/nearest-name.ts'
import type { Sandbox } from '../sandbox.ts'
import { DEFAULT_SANDBOX_ID } from '../sandbox-id.ts'
import { KnownNames } from '../scenario/name-match.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { scenarioError } from '../scenario/scenario-parser.ts'
import { scenarioFor } from './scenario-coins.ts'
import { tellMarket } from './telling.ts'

/**
 * Puts a scenario on by `put`, and tells the market what it says; a UserError for what the market
 * cannot do, and then nothing has changed.
 */
export function* putScenario(
  sandbox: Sandbox,
  scenario: Scenario,
  put: (settled: Scenario) => void,
): Slices<void> {
  const flaws = keyFlaws(sandbox, scenario)
  const soughtMs = soughtMsOf(sandbox, scenario)
  const atMs = soughtMs ?? sandbox.position().atMs
  const settled = yield* scenarioFor({ world: sandbox.world, atMs }, scenario, flaws)
  const change = () => put(settled)
  if (settled.market.length > 0) {
    const { market: plot } = settled
    const at = soughtMs === undefined ? {} : { atMs: soughtMs }
    yield* tellMarket(sandbox, { plot, scenario: settled, change, ...at })
    return
  }
  sandbox.player.catchUp()
  sandbox.changes.keep(change)
}

/**
 * Tells the market what the scenarios say that a sandbox is made with, as of where it begins: all
 * that are made alike are in the same market, however long it took. What the market cannot do is a
 * UserError, before which `undo` is called.
 *
 * @param shared the scenarios that all sandboxes of the server have: they may be about the keys of
 * another one, while a key that there is not is refused in those of its own; null looks at no keys
 */
export function* tellFromStart(
  sandbox: Sandbox,
  undo: () => void = () => {},
  shared: readonly Scenario[] | null = null,
): Slices<Sandbox> {
  const { playhead, config } = sandbox
  // A snapshot has been told already.
  if (config.snapshot) return sandbox
  const scenarios = config.options.scenarios ?? []
  const at = scenarios.findLast((one) => one.playhead?.at !== undefined)?.playhead?.at
  const atMs = playhead.placeOf(at ?? config.atMs ?? playhead.span.startMs)
  try {
    if (shared) for (const one of ownAmong(sandbox, shared)) checkKeys(sandbox, one)
    for (const scenario of scenarios) {
      const { market: plot } = scenario
      if (plot.length > 0) yield* tellMarket(sandbox, { plot, scenario, atMs })
    }
    return sandbox
  } catch (error) {
    undo()
    throw error
  }
}

/** Where in the tape a scenario sets the playhead; undefined when it leaves it. */
function soughtMsOf({ playhead }: Sandbox, scenario: Scenario): number | undefined {
  const at = scenario.playhead?.at
  return at === undefined ? undefined : playhead.placeOf(at)
}

/** A shared one is known by where it was read. */
function ownAmong({ id, config }: Sandbox, shared: readonly Scenario[]): Scenario[] {
  const isShared = (one: Scenario) => shared.some(({ place }) => place === one.place)
  const all = config.options.scenarios ?? []
  return id === DEFAULT_SANDBOX_ID ? [...all] : all.filter((one) => !isShared(one))
}

// Keys that the rules of a scenario name.

/** A UserError for keys that the sandbox does not have. */
function checkKeys(sandbox: Sandbox, scenario: Scenario): void {
  const flaws = keyFlaws(sandbox, scenario)
  if (flaws.length > 0) throw scenarioError(flaws, scenario.place)
}

/** What is wrong with the keys that it names. */
function keyFlaws({ id, tenancy }: Sandbox, { rules }: Scenario): readonly FieldFlaw[] {
  const flaws = new FlawList()
  const known = [...tenancy.keys.keys()]
  const names = new KnownNames(known)
  for (const [at, { on }] of rules.entries())
    for (const name of [on?.key ?? []].flat())
      if (!flaws.isFull && !names.has(name)) {
        const text = unknownText(`key of sandbox ${id}`, name, known.slice(0, SHOWN_MAX))
        flaws.add(['rules', at, 'on', 'key'], `is wrong: ${text}`)
      }
  return flaws.found
}

/** So many keys are shown. */
const SHOWN_MAX = 10
