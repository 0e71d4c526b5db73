/** Coins of a scenario by their place in the market: a scenario of the library knows no names. */
import { tapeMs } from '../../clock/instant.ts'
import type { Slices } from '../../clock/turns.ts'
import { type FieldFlaw, FlawList } from '../../fields/field-flaw.ts'
import { isPlaceOfCoin, nameAtPlace } from '../../market/events/coin-places.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { parseScenario, scenarioError } from '../../scenario/scenario-parser.ts'
import { unknownText } from '../../suggestion/nearest-name.ts'
import type { LoadedWorld } from '../loaded-world.ts'
import type { SandboxOptions } from '../sandbox-options.ts'
import { CoinNames, type NamingWorld } from './coin-names.ts'

/**
 * The scenario with all names of the coins that it calls by one of them or by their place, such as
 * `busiest`, as of an instant of the tape: its rules and its market events. A UserError for a coin
 * that there is not.
 */
export function* scenarioFor(
  { world, atMs }: { world: NamingWorld; atMs: number },
  scenario: Scenario,
  known: readonly FieldFlaw[] = [],
): Slices<Scenario> {
  const mayName = mayNamePlaces(scenario)
  const flaws = new FlawList()
  for (const { path, message } of known) flaws.add(path, message)
  if (!mayName && !scenario.rules.some(({ on }) => on?.coin !== undefined) && flaws.isEmpty)
    return scenario
  const standings = mayName ? yield* world.standings(tapeMs(atMs)) : []
  const atPlace = (name: string) => {
    const coin = nameAtPlace(name, standings)
    return coin === undefined ? null : world.namesOf(coin)
  }
  const names = new CoinNames(world, atMs)
  const isListed = (name: string) =>
    scenario.market.some(({ event }) => event.kind === 'listing' && event.coin === name)
  const source = withCoins(scenario.source as ScenarioSource, {
    ofEvent: (name) => atPlace(name) ?? [name],
    ofRule: (name, at) => {
      const known = isPlaceOfCoin(name) ? (atPlace(name) ?? [name]) : names.of(name)
      if (known) return known
      if (isListed(name)) return world.namesOf(name)
      const text = unknownText('coin', name, world.coins)
      flaws.add(['rules', at, 'on', 'coin'], `is wrong: ${text}`)
      return [name]
    },
  })
  if (!flaws.isEmpty) throw scenarioError(flaws.found, scenario.place)
  return parseScenario(source, scenario.name, scenario.place)
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

interface Naming {
  ofRule(name: string, at: number): string[]
  ofEvent(name: string): string[]
}

/** The same data with the names that are given for each; an event takes the first. */
function withCoins(source: ScenarioSource, naming: Naming): ScenarioSource {
  const { rules, market, ...rest } = source
  return {
    ...rest,
    ...(market ? { market: market.map((one) => withEventCoin(one, naming)) } : {}),
    rules: rules.map((rule, at) => {
      const { coin } = rule.on ?? {}
      if (coin === undefined) return rule
      const names = [coin].flat().flatMap((name) => naming.ofRule(name, at))
      return { ...rule, on: { ...rule.on, coin: [...new Set(names)] } }
    }),
  }
}

function withEventCoin(
  one: { event: { coin?: string } },
  { ofEvent }: Naming,
): { event: { coin?: string } } {
  const { coin } = one.event
  if (coin === undefined) return one
  return { ...one, event: { ...one.event, coin: ofEvent(coin)[0] ?? coin } }
}
