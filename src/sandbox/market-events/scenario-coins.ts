/** Resolves the coins of a scenario: those of the library are named by rank in the market. */

import { tapeMs } from '../../clock/instant.ts'
import type { Slices } from '../../clock/turns.ts'
import type { Moment } from '../../contract/facts.ts'
import { type FieldFlaw, FlawList } from '../../contract/fields/field-check.ts'
import { unknownText } from '../../contract/fields/nearest-name.ts'
import { DEFAULT_ANSWERS } from '../../contract/questions.ts'
import { isPlaceOfCoin, nameAtPlace } from '../../market/events/event-schedule.ts'
import { MAGIC_VALUES, magicCoin } from '../fault-injection.ts'
import type { LoadedWorld } from '../loaded-world.ts'
import type { Sandbox } from '../sandbox.ts'
import { DEFAULT_SANDBOX_ID, type SandboxOptions } from '../sandbox-config.ts'
import { fits, KnownNames, type Scenario } from '../scenario/scenario.ts'
import { scenarioError, scenarioOf } from '../scenario/scenario-parser.ts'
import { scheduleMarketEvents } from './event-request.ts'

/**
 * The scenario with all names of its coins in rules and market events; ranks such as `busiest` are
 * resolved as of an instant of the tape. A UserError for an unknown coin.
 */
function* scenarioFor(
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
  const source = yield* withCoins(scenario.source as ScenarioSource, {
    ofEvent: (name) => atPlace(name) ?? [name],
    ofRule: (name, at) => {
      const known = isPlaceOfCoin(name) ? (atPlace(name) ?? [name]) : names.of(name)
      if (known) return known
      if (isListed(name)) return world.namesOf(name)
      if (flaws.isFull) return [name]
      const text = unknownText('coin', name, world.coins)
      flaws.add(['rules', at, 'on', 'coin'], `is wrong: ${text}`)
      return [name]
    },
  })
  if (!flaws.isEmpty) throw scenarioError(flaws.found, scenario.place)
  return yield* scenarioOf(source, scenario.name, scenario.place)
}

/** Resolves the scenarios of a new sandbox, as of the start of its tape. */
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

/** The same data with the given names of each coin; a market event takes the first. */
function* withCoins(source: ScenarioSource, naming: Naming): Slices<ScenarioSource> {
  const { rules, market, ...rest } = source
  const named: ScenarioSource['rules'] = []
  for (const [at, rule] of rules.entries()) {
    const { coin } = rule.on ?? {}
    const names = coin === undefined ? [] : [coin].flat().flatMap((name) => naming.ofRule(name, at))
    named.push(
      coin === undefined ? rule : { ...rule, on: { ...rule.on, coin: [...new Set(names)] } },
    )
    yield
  }
  const events = market?.map((one) => withEventCoin(one, naming))
  return { ...rest, ...(events ? { market: events } : {}), rules: named }
}

function withEventCoin(
  one: { event: { coin?: string } },
  { ofEvent }: Naming,
): { event: { coin?: string } } {
  const { coin } = one.event
  if (coin === undefined) return one
  return { ...one, event: { ...one.event, coin: ofEvent(coin)[0] ?? coin } }
}

// The names of a coin in requests and pushes, whichever of them a rule gives.

/** The parts of a world that coin names are resolved from. */
type NamingWorld = Pick<LoadedWorld, 'standings' | 'namesOf' | 'coins' | 'cast'>

class CoinNames {
  /** The coin of each name, in lower case. */
  private readonly owners = new Map<string, string>()
  private readonly found = new Map<string, string[] | null>()
  private others: ReadonlySet<string> | null = null

  constructor(
    private readonly world: NamingWorld,
    private readonly atMs: number,
  ) {
    for (const coin of world.coins)
      for (const name of world.namesOf(coin)) {
        const key = name.toLowerCase()
        if (!this.owners.has(key)) this.owners.set(key, coin)
      }
  }

  /** All names of the coin with this name or symbol; null for an unknown one. */
  of(name: string): string[] | null {
    const known = this.found.get(name)
    if (known !== undefined) return known
    const names = this.find(name)
    this.found.set(name, names)
    return names
  }

  private find(name: string): string[] | null {
    const { world } = this
    const owner = this.owners.get(name.toLowerCase())
    if (owner !== undefined) return [name, ...world.namesOf(owner)]
    const others = this.otherNames()
    if (name.endsWith('*')) {
      const isAny = (names: Iterable<string>) => [...names].some((other) => fits(name, other))
      return isAny(world.coins) || isAny(others) ? [name] : null
    }
    if (!others.has(name.toLowerCase())) return null
    const traded = world.coins.find((coin) =>
      world.namesOf(coin).some((pairs) => pairs.endsWith('*') && fits(pairs, name)),
    )
    const ofCoin = traded === undefined ? [] : world.namesOf(traded)
    return [name, ...ofCoin.filter((one) => !one.endsWith('*'))]
  }

  /** Symbols of other exchanges, keys of coins, tickers and magic coins, in lower case. */
  private otherNames(): ReadonlySet<string> {
    const names = () => [...castNames(this.world, this.atMs), ...MAGIC_VALUES.map(magicOf)]
    this.others ??= new Set(names().map((name) => name.toLowerCase()))
    return this.others
  }
}

const magicOf = ({ code }: { code: string }) => magicCoin(code)

function castNames(world: NamingWorld, atMs: number): string[] {
  const cast = world.cast({ atMs: tapeMs(atMs), shiftMs: 0, answers: DEFAULT_ANSWERS } as Moment)
  const { symbols = [], coinKeys = [], stockTickers = [] } = cast as Record<string, string[]>
  return [...symbols, ...coinKeys, ...stockTickers]
}

// Scenarios with market events.

/**
 * Activates a scenario by `put` and schedules its market events; a UserError for an event that the
 * market refuses, and then nothing has changed.
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
    yield* scheduleMarketEvents(sandbox, { plot, scenario: settled, change, ...at })
    return
  }
  sandbox.player.catchUp()
  sandbox.changes.keep(change)
}

/**
 * Schedules the market events of a new sandbox's scenarios, as of its start: sandboxes with the
 * same options are in the same market, however long that took. A refused event is a UserError,
 * before which `undo` is called.
 *
 * @param shared the scenarios of all sandboxes of the server: they may name keys of another one,
 * while unknown keys in a sandbox's own scenarios are refused; null checks no keys
 */
export function* scheduleInitialEvents(
  sandbox: Sandbox,
  undo: () => unknown = () => {},
  shared: readonly Scenario[] | null = null,
): Slices<Sandbox> {
  const { playhead, config } = sandbox
  // A snapshot has its market events already.
  if (config.snapshot) return sandbox
  const scenarios = config.options.scenarios ?? []
  const at = scenarios.findLast((one) => one.playhead?.at !== undefined)?.playhead?.at
  const atMs = playhead.placeOf(at ?? config.atMs ?? playhead.span.startMs)
  try {
    if (shared) for (const one of ownAmong(sandbox, shared)) checkKeys(sandbox, one)
    for (const scenario of scenarios) {
      const { market: plot } = scenario
      if (plot.length > 0) yield* scheduleMarketEvents(sandbox, { plot, scenario, atMs })
    }
    return sandbox
  } catch (error) {
    undo()
    throw error
  }
}

/** The tape time to which a scenario sets the playhead; undefined when it does not. */
function soughtMsOf({ playhead }: Sandbox, scenario: Scenario): number | undefined {
  const at = scenario.playhead?.at
  return at === undefined ? undefined : playhead.placeOf(at)
}

/** A shared scenario is recognised by the place that it was read from. */
function ownAmong({ id, config }: Sandbox, shared: readonly Scenario[]): Scenario[] {
  const isShared = (one: Scenario) => shared.some(({ place }) => place === one.place)
  const all = config.options.scenarios ?? []
  return id === DEFAULT_SANDBOX_ID ? [...all] : all.filter((one) => !isShared(one))
}

// The keys that the rules of a scenario name.

/** Throws a UserError for unknown keys. */
function checkKeys(sandbox: Sandbox, scenario: Scenario): void {
  const flaws = keyFlaws(sandbox, scenario)
  if (flaws.length > 0) throw scenarioError(flaws, scenario.place)
}

/** The unknown keys of a scenario, as field errors. */
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

/** Maximum number of keys in a message. */
const SHOWN_MAX = 10
