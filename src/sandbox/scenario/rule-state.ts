/** What a rule has come to: how often it matched and acted, and where its chance stands. */
import {
  type RandomSource,
  type RandomState,
  randomSourceOf,
  randomState,
} from '../../random/random-source.ts'
import type { Rule, Scenario } from './scenario.ts'

/** Requests of a month that a key was made to have used. */
export interface SpentQuota {
  month: number
  requests: number
}

/** The same as plain data. */
export interface SavedRule {
  matchCount: number
  actionCount: number
  words: RandomState['words']
  spent: ({ accessKey: string } & SpentQuota)[]
}

export class RuleState {
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
