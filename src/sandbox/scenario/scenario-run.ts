/** A running scenario: which of its rules act on a request or a push, and how often. */
import { fieldSpanMs } from '../../contract/fields/field-check.ts'
import {
  type RandomSource,
  type RandomState,
  randomSourceOf,
  randomState,
} from '../../random/random-source.ts'
import type { Fault } from './fault.ts'
import type { Rule, Scenario } from './scenario.ts'
import { NameMatcher } from './scenario.ts'

// The counters of a rule: how often it matched and acted, and the state of its random source.

/** Requests of a month that a rule has used up for a key. */
export interface SpentQuota {
  month: number
  requests: number
}

/** The stored form of the counters. */
export interface SavedRule {
  matchCount: number
  actionCount: number
  words: RandomState['words']
  spent: ({ accessKey: string } & SpentQuota)[]
}

class RuleState {
  matchCount = 0
  actionCount = 0
  /** By access key. */
  readonly spent = new Map<string, SpentQuota>()
  private random: RandomState
  randomSource: RandomSource

  constructor(
    readonly rule: Rule,
    scenario: Pick<Scenario, 'seed'>,
  ) {
    const { key } = randomState(scenario.seed ?? 1, 'scenario')
    this.random = randomState(key, rule.randomName)
    this.randomSource = randomSourceOf(this.random)
  }

  get saved(): SavedRule {
    const { matchCount, actionCount, random } = this
    const spent = [...this.spent].map(([accessKey, { month, requests }]) => ({
      accessKey,
      month,
      requests,
    }))
    return { matchCount, actionCount, words: { ...random.words }, spent }
  }

  restore({ matchCount, actionCount, words, spent }: SavedRule): void {
    this.matchCount = matchCount
    this.actionCount = actionCount
    this.random = { key: this.random.key, words: { ...words } }
    this.randomSource = randomSourceOf(this.random)
    this.spent.clear()
    for (const { accessKey, ...one } of spent) this.spent.set(accessKey, one)
  }
}

/** The subject of faults: a request, an upgrade or a push. */
export interface FaultSubject {
  /** Operation id of a request, and with the type of its body; empty on sockets. */
  operations: readonly string[]
  /** Channels of a socket; empty for requests. */
  channels: readonly string[]
  key: string | null
  coins: readonly string[]
  addresses: readonly string[]
  /** The key, if it has a quota. */
  quotaKey?: string | undefined
  /** The reason of the refusal, once it is known. */
  refused?: string | undefined
}

/** Instants by which rules begin and end. */
export interface RunInstant {
  sessionMs: number
  tapeMs: number
}

/** An active rule. */
export interface ActiveRule {
  rule: Rule
  fault: Fault
  settings: never
  randomSource: RandomSource
  /** The quotas that it has used up. */
  spent: Map<string, SpentQuota>
}

export class ScenarioRun {
  private readonly states: readonly RuleState[]

  constructor(
    readonly scenario: Scenario,
    readonly startedAt: RunInstant,
    saved: readonly SavedRule[] = [],
  ) {
    this.states = scenario.rules.map((rule) => new RuleState(rule, scenario))
    for (const [at, one] of saved.entries()) this.states[at]?.restore(one)
  }

  get saved(): SavedRule[] {
    return this.states.map((state) => state.saved)
  }

  /** The quotas that its rules have used up. */
  get spent(): [accessKey: string, SpentQuota][] {
    return this.states.flatMap(({ spent }) => [...spent])
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

  /** The rules that hold for a subject, without counting a match. */
  holdingRules(
    can: (fault: Fault) => boolean,
    subject: FaultSubject,
    now: RunInstant,
  ): ActiveRule[] {
    return this.states
      .filter(({ rule }) => can(rule.fault) && this.isDue(rule, now) && matchesRule(rule, subject))
      .map(activeRuleOf)
  }

  /** Checks a single rule. */
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
    if (!this.isDue(rule, now) || !matchesRule(rule, subject)) return undefined
    if (rule.fault.oncePerQuota && !hasQuotaToSpend(state, subject)) return undefined
    if (!this.isSelected(state)) return undefined
    state.actionCount++
    return activeRuleOf(state)
  }

  /** Whether the rule has begun and has not ended. */
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

const activeRuleOf = ({ rule, randomSource, spent }: RuleState): ActiveRule => ({
  rule,
  fault: rule.fault,
  settings: rule.settings as never,
  randomSource,
  spent,
})

const hasQuotaToSpend = ({ spent }: RuleState, { quotaKey }: FaultSubject) =>
  quotaKey !== undefined && !spent.has(quotaKey)

/** Length of a span in ms; 0 for an absent one. */
export const ruleSpanMs = (text: string | undefined): number =>
  text === undefined ? 0 : fieldSpanMs(text)

/** The names of a rule, indexed: every request is checked against all rules. */
class SubjectMatcher {
  private readonly operation: NameMatcher | null
  private readonly channel: NameMatcher | null
  private readonly key: NameMatcher | null
  private readonly coin: NameMatcher | null
  private readonly address: NameMatcher | null
  private readonly refused: NameMatcher | null

  constructor({ on = {} }: Rule) {
    const matcher = (names: string | string[] | undefined) =>
      names === undefined ? null : new NameMatcher(names)
    this.operation = matcher(on.operation)
    this.channel = matcher(on.channel)
    this.key = matcher(on.key)
    this.coin = matcher(on.coin)
    this.address = matcher(on.address)
    this.refused = matcher(on.refused)
  }

  matches({ operations, channels, key, coins, addresses, refused }: FaultSubject): boolean {
    if (this.operation?.matches(operations) === false) return false
    if (this.channel?.matches(channels) === false) return false
    if (this.key?.matches(key === null ? [] : [key]) === false) return false
    if (this.coin?.matches(coins) === false) return false
    if (this.refused?.matches(refused ? [refused] : []) === false) return false
    return this.address?.matches(addresses) ?? true
  }
}

const matchers = new WeakMap<Rule, SubjectMatcher>()

function matchesRule(rule: Rule, subject: FaultSubject): boolean {
  let matcher = matchers.get(rule)
  if (!matcher) {
    matcher = new SubjectMatcher(rule)
    matchers.set(rule, matcher)
  }
  return matcher.matches(subject)
}
