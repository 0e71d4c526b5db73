/** A scenario that is being played: which of its rules act on what comes along, and how often. */
import { spanMs } from '../contract/span.ts'
import { type Dice, dice } from '../random/dice.ts'
import type { Deed } from './deed.ts'
import type { On, Rule, Scenario } from './scenario.ts'

/** What comes along: a request, an upgrade or a push. */
export interface Subject {
  /** Operation id of a request; null on sockets. */
  operation: string | null
  /** Channels of a socket; empty for requests. */
  channels: readonly string[]
  key: string | null
  coins: readonly string[]
  addresses: readonly string[]
}

/** Instants by which rules begin and end. */
export interface Instant {
  sessionMs: number
  tapeMs: number
}

/** A rule that acts now. */
export interface Acting {
  rule: Rule
  deed: Deed
  settings: never
  dice: Dice
}

/** A rule, and how often it was looked at and has acted. */
interface State {
  rule: Rule
  fitting: number
  acted: number
  dice: Dice
}

export class Script {
  private readonly states: State[]

  constructor(
    readonly scenario: Scenario,
    readonly began: Instant,
  ) {
    const chance = dice(scenario.seed ?? 1, 'scenario')
    // By its own name, so that a further rule does not shift another's chances.
    this.states = scenario.rules.map((rule) => ({
      rule,
      fitting: 0,
      acted: 0,
      dice: chance.fork(`${rule.name}/${rule.deed.name}`),
    }))
  }

  /** The rules that act on a subject, in their order; each look counts. */
  acting(can: (deed: Deed) => boolean, subject: Subject, now: Instant): Acting[] {
    return this.states.flatMap((state) =>
      can(state.rule.deed) ? (this.act(state, subject, now) ?? []) : [],
    )
  }

  /** One rule alone. */
  actingOne(rule: Rule, subject: Subject, now: Instant): Acting | undefined {
    const state = this.states.find((one) => one.rule === rule)
    return state && this.act(state, subject, now)
  }

  private act(state: State, subject: Subject, now: Instant): Acting | undefined {
    const { rule } = state
    if (!this.isDue(rule, now) || !fits(rule.on ?? {}, subject)) return undefined
    if (!this.isChosen(state)) return undefined
    state.acted++
    const { deed, settings } = rule
    return { rule, deed, settings: settings as never, dice: state.dice }
  }

  /** Whether the rule's time has come and is not over. */
  isDue({ from, for: length, every, time }: Rule, now: Instant): boolean {
    const which = time === 'tape' ? 'tapeMs' : 'sessionMs'
    let sinceMs = now[which] - this.began[which] - lengthMs(from)
    if (sinceMs < 0) return false
    if (every !== undefined) sinceMs %= lengthMs(every)
    return length === undefined || sinceMs < lengthMs(length)
  }

  private isChosen(state: State): boolean {
    const { on = {}, times } = state.rule
    state.fitting++
    if (times !== undefined && state.acted >= times) return false
    if (on.nth !== undefined && ![on.nth].flat().includes(state.fitting)) return false
    if (on.each !== undefined && state.fitting % on.each !== 0) return false
    return on.odds === undefined || state.dice.chance(on.odds)
  }
}

/** Length of a span in ms; `500ms` and `0s` too. */
export function lengthMs(text: string | undefined): number {
  if (text === undefined || text === '0s') return 0
  return text.endsWith('ms') ? Number(text.slice(0, -2)) : spanMs(text)
}

function fits(on: On, { operation, channels, key, coins, addresses }: Subject): boolean {
  if (on.operation !== undefined && !one(on.operation, operation === null ? [] : [operation]))
    return false
  if (on.channel !== undefined && !one(on.channel, channels)) return false
  if (on.key !== undefined && !one(on.key, key === null ? [] : [key])) return false
  if (on.coin !== undefined && !one(on.coin, coins)) return false
  return on.address === undefined || one(on.address, addresses)
}

/** Whether one of the names fits one of the values, however they are spelt. */
function one(names: string | readonly string[], values: readonly string[]): boolean {
  return [names].flat().some((name) => {
    const wanted = name.toLowerCase()
    const start = wanted.endsWith('*') ? wanted.slice(0, -1) : null
    return values.some((value) => {
      const given = value.toLowerCase()
      return start === null ? given === wanted : given.startsWith(start)
    })
  })
}
