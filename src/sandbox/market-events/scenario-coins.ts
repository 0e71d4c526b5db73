/** Coins of a scenario by their place in the market: a scenario of the library knows no names. */
import { tapeMs } from '../../clock/instant.ts'
import type { Slices } from '../../clock/turns.ts'
import { coinOfPlace, isPlaceOfCoin } from '../../market/events/coin-places.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { parseScenario } from '../../scenario/scenario-parser.ts'
import type { LoadedWorld } from '../loaded-world.ts'
import type { SandboxOptions } from '../sandbox-options.ts'

/**
 * The scenario with the coins by name that it calls by their place, such as `busiest`, as of an
 * instant of the tape: its rules and its market events.
 */
export function* scenarioFor(
  { world, atMs }: { world: Pick<LoadedWorld, 'standings' | 'namesOf'>; atMs: number },
  scenario: Scenario,
): Slices<Scenario> {
  if (!mayNamePlaces(scenario)) return scenario
  const standings = yield* world.standings(tapeMs(atMs))
  const named = (name: string) => {
    const coin = coinOfPlace(name, standings)?.coin
    return coin === undefined ? [name] : world.namesOf(coin)
  }
  const source = withCoins(scenario.source as ScenarioSource, named)
  return parseScenario(source, scenario.name)
}

/** The same of the scenarios that a sandbox is made with, as of the start of its tape. */
export function* optionsFor(world: LoadedWorld, options: SandboxOptions): Slices<SandboxOptions> {
  if (!options.scenarios) return options
  const atMs = world.timeline.startMs
  const scenarios: Scenario[] = []
  for (const one of options.scenarios) scenarios.push(yield* scenarioFor({ world, atMs }, one))
  return { ...options, scenarios }
}

interface ScenarioSource {
  rules: { on?: { coin?: string | string[] } }[]
  market?: { event: { coin?: string } }[]
}

function mayNamePlaces({ rules, market }: Scenario): boolean {
  const ofRules = rules.flatMap(({ on }) => [on?.coin ?? []].flat())
  const ofEvents = market.flatMap(({ event }) => ('coin' in event ? (event.coin ?? []) : []))
  return [...ofRules, ...ofEvents].some(isPlaceOfCoin)
}

/** The same data with the names that `named` gives for each; an event takes the first. */
function withCoins(source: ScenarioSource, named: (name: string) => string[]): ScenarioSource {
  const { rules, market, ...rest } = source
  return {
    ...rest,
    ...(market ? { market: market.map((one) => withEventCoin(one, named)) } : {}),
    rules: rules.map((rule) => {
      const { coin } = rule.on ?? {}
      return coin === undefined
        ? rule
        : { ...rule, on: { ...rule.on, coin: [coin].flat().flatMap(named) } }
    }),
  }
}

function withEventCoin(
  one: { event: { coin?: string } },
  named: (name: string) => string[],
): { event: { coin?: string } } {
  const { coin } = one.event
  if (coin === undefined) return one
  return { ...one, event: { ...one.event, coin: named(coin)[0] ?? coin } }
}
