/** A running scenario: which of its rules act on a request or a push, and how often. */
import { fieldSpanMs } from '../fields/span-field.ts'
import { type RandomSource, randomSource } from '../random/random-source.ts'
import type { Fault } from './fault.ts'
import type { Rule, RuleSelector, Scenario } from './scenario.ts'

/** What a rule may act on: a request, an upgrade or a push. */
export interface FaultSubject {
  /** Operation id of a request; null on sockets. */
  operation: string | null
  /** Channels of a socket; empty for requests. */
  channels: readonly string[]
  key: string | null
  coins: readonly string[]
  addresses: readonly string[]
}

/** Instants by which rules begin and end. */
export interface RunInstant {
  sessionMs: number
  tapeMs: number
}

/** A rule that acts now. */
export interface ActiveRule {
  rule: Rule
  fault: Fault
  settings: never
  randomSource: RandomSource
}

/** A rule, and how often it matched and has acted. */
interface RuleState {
  rule: Rule
  matchCount: number
  actionCount: number
  randomSource: RandomSource
}

export class ScenarioRun {
  private readonly states: RuleState[]

  constructor(
    readonly scenario: Scenario,
    readonly startedAt: RunInstant,
  ) {
    const random = randomSource(scenario.seed ?? 1, 'scenario')
    // By its own name, so that a further rule does not shift another's random numbers.
    this.states = scenario.rules.map((rule) => ({
      rule,
      matchCount: 0,
      actionCount: 0,
      randomSource: random.fork(`${rule.name}/${rule.fault.name}`),
    }))
  }

  /** The rules that act on a subject, in their order; each match counts. */
  activeRules(
    can: (fault: Fault) => boolean,
    subject: FaultSubject,
    now: RunInstant,
  ): ActiveRule[] {
    return this.states.flatMap((state) =>
      can(state.rule.fault) ? (this.tryRule(state, subject, now) ?? []) : [],
    )
  }

  /** One rule alone. */
  activeRule(rule: Rule, subject: FaultSubject, now: RunInstant): ActiveRule | undefined {
    const state = this.states.find((one) => one.rule === rule)
    return state && this.tryRule(state, subject, now)
  }

  private tryRule(
    state: RuleState,
    subject: FaultSubject,
    now: RunInstant,
  ): ActiveRule | undefined {
    const { rule } = state
    if (!this.isDue(rule, now) || !matchesSelector(rule.on ?? {}, subject)) return undefined
    if (!this.isSelected(state)) return undefined
    state.actionCount++
    const { fault, settings } = rule
    return { rule, fault, settings: settings as never, randomSource: state.randomSource }
  }

  /** Whether the rule has begun and is not over. */
  isDue({ from, for: length, every, time }: Rule, now: RunInstant): boolean {
    const which = time === 'tape' ? 'tapeMs' : 'sessionMs'
    let sinceMs = now[which] - this.startedAt[which] - ruleSpanMs(from)
    if (sinceMs < 0) return false
    if (every !== undefined) sinceMs %= ruleSpanMs(every)
    return length === undefined || sinceMs < ruleSpanMs(length)
  }

  private isSelected(state: RuleState): boolean {
    const { on = {}, times } = state.rule
    state.matchCount++
    if (times !== undefined && state.actionCount >= times) return false
    if (on.nth !== undefined && ![on.nth].flat().includes(state.matchCount)) return false
    if (on.everyNth !== undefined && state.matchCount % on.everyNth !== 0) return false
    return on.probability === undefined || state.randomSource.chance(on.probability)
  }
}

/** Length of a span in ms, none for one that is left out. */
export const ruleSpanMs = (text: string | undefined): number =>
  text === undefined ? 0 : fieldSpanMs(text)

function matchesSelector(
  on: RuleSelector,
  { operation, channels, key, coins, addresses }: FaultSubject,
): boolean {
  if (
    on.operation !== undefined &&
    !matchesName(on.operation, operation === null ? [] : [operation])
  )
    return false
  if (on.channel !== undefined && !matchesName(on.channel, channels)) return false
  if (on.key !== undefined && !matchesName(on.key, key === null ? [] : [key])) return false
  if (on.coin !== undefined && !matchesName(on.coin, coins)) return false
  return on.address === undefined || matchesName(on.address, addresses)
}

/** Whether one of the names matches one of the values, in any case. */
function matchesName(names: string | readonly string[], values: readonly string[]): boolean {
  return [names].flat().some((name) => {
    const wanted = name.toLowerCase()
    const start = wanted.endsWith('*') ? wanted.slice(0, -1) : null
    return values.some((value) => {
      const given = value.toLowerCase()
      return start === null ? given === wanted : given.startsWith(start)
    })
  })
}
