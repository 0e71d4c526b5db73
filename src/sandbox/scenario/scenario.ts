/** A scenario: which faults occur, where, when and how often, as data. */

import { SpanField } from '../../contract/fields/field-check.ts'
import type { FieldPlace } from '../../contract/fields/yaml-text.ts'
import type { Answers } from '../../contract/questions.ts'
import { type Static, Type } from '../../contract/schema.ts'
import { type PlotEvent, PlotField } from '../../market/events/event-schedule.ts'
import type { Fault } from './fault.ts'

// Names of rules, which may end in `*` and ignore case.

/** Whether a rule's name matches a known one, as a whole or as a prefix. */
export function fits(name: string, known: string): boolean {
  const [wanted, given] = [name.toLowerCase(), known.toLowerCase()]
  return wanted.endsWith('*') ? given.startsWith(wanted.slice(0, -1)) : given === wanted
}

/** The names of a rule, indexed: a lookup does not depend on their number. */
export class NameMatcher {
  private readonly whole = new Set<string>()
  private readonly beginnings = new Set<string>()
  private readonly lengths = new Set<number>()

  constructor(names: string | readonly string[]) {
    for (const name of typeof names === 'string' ? [names] : names) {
      const wanted = name.toLowerCase()
      if (wanted.endsWith('*')) {
        this.beginnings.add(wanted.slice(0, -1))
        this.lengths.add(wanted.length - 1)
      } else this.whole.add(wanted)
    }
  }

  /** Whether one of the names matches one of the values. */
  matches(values: readonly string[]): boolean {
    return values.some((value) => this.fits(value.toLowerCase()))
  }

  private fits(value: string): boolean {
    if (this.whole.has(value)) return true
    for (const length of this.lengths)
      if (length <= value.length && this.beginnings.has(value.slice(0, length))) return true
    return false
  }
}

/** Known names, searched for a rule's name by bisection. */
export class KnownNames {
  private readonly sorted: readonly string[]

  constructor(names: Iterable<string>) {
    this.sorted = Array.from(names, (name) => name.toLowerCase()).sort()
  }

  /** Whether a name matches one of them, as a whole or as a prefix. */
  has(name: string): boolean {
    const wanted = name.toLowerCase()
    const beginning = wanted.endsWith('*') ? wanted.slice(0, -1) : wanted
    const found = this.sorted[this.firstFrom(beginning)]
    return beginning === wanted ? found === wanted : found?.startsWith(beginning) === true
  }

  private firstFrom(beginning: string): number {
    let [low, high] = [0, this.sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.sorted[middle] as string) < beginning) low = middle + 1
      else high = middle
    }
    return low
  }
}

const Names = (description: string) =>
  Type.Optional(Type.Union([NameText, Type.Array(NameText, { maxItems: 100 })], { description }))
const NameText = Type.String({ maxLength: 200 })
const SpanText = (description: string) => Type.Optional(SpanField(description))

/**
 * The subject of a rule. An absent field matches anything; of several names one must match; `*`
 * ends a name.
 */
export const RuleSelector = Type.Object(
  {
    operation: Names(
      'operation, such as `perpdex.tickers`, `futures.*` or `perpdex.info/l2Book`; requests only',
    ),
    channel: Names('channel, such as `l2Book`; sockets only'),
    coin: Names('coin, symbol or coin key that is requested or pushed'),
    address: Names('account that is requested or pushed'),
    key: Names('access key'),
    refused: Names('why an answer refuses: `signature`, `permission`, …; faults of responses only'),
    nth: Type.Optional(
      Type.Union(
        [
          Type.Integer({ minimum: 1 }),
          Type.Array(Type.Integer({ minimum: 1 }), { maxItems: 1_000 }),
        ],
        {
          description: 'only the nth match, counted from 1; or a list',
        },
      ),
    ),
    everyNth: Type.Optional(
      Type.Integer({ minimum: 1, description: 'every nth match: 2 is every second one' }),
    ),
    probability: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1, description: 'probability that it acts, 0 to 1' }),
    ),
  },
  { additionalProperties: false },
)
export type RuleSelector = Static<typeof RuleSelector>

/** Maximum number of rules of a scenario, and of all active ones. */
export const RULES_MAX = 500

export const RuleFields = Type.Object(
  {
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'its name in the journal' }),
    ),
    on: Type.Optional(RuleSelector),
    from: SpanText('start, counted from when the scenario is switched on, such as `10s`'),
    for: SpanText('duration; without end by default'),
    every: SpanText('period: the rule begins again after each'),
    time: Type.Optional(
      Type.Union([Type.Literal('session'), Type.Literal('tape')], {
        description: 'clock of `from`, `for` and `every`; session by default',
      }),
    ),
    times: Type.Optional(
      Type.Integer({ minimum: 1, description: 'maximum number of times it acts' }),
    ),
    do: Type.Unknown({ description: 'a fault by name, or `{name: {its settings}}`' }),
  },
  { additionalProperties: false },
)

export const ScenarioFields = Type.Object(
  {
    title: Type.String({ minLength: 1, maxLength: 500, description: 'short description' }),
    guidance: Type.Optional(
      Type.String({ maxLength: 5_000, description: 'what a client must cope with' }),
    ),
    seed: Type.Optional(
      Type.Integer({ minimum: 0, description: 'seed of its random choices (1)' }),
    ),
    questions: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        maxProperties: 500,
        description: 'answers to open questions',
      }),
    ),
    playhead: Type.Optional(
      Type.Object(
        {
          at: Type.Optional(
            Type.Integer({ minimum: 0, description: 'ms after the start of the tape' }),
          ),
          speed: Type.Optional(Type.Number({ minimum: 0, maximum: 10_000 })),
        },
        {
          additionalProperties: false,
          description: 'position of the market in the tape at the start',
        },
      ),
    ),
    market: Type.Optional(PlotField),
    rules: Type.Array(RuleFields, { maxItems: RULES_MAX }),
  },
  { additionalProperties: false },
)
export type ScenarioFields = Static<typeof ScenarioFields>

export interface Rule extends Omit<ScenarioFields['rules'][number], 'do'> {
  /** The given name, or one made of its number and fault. */
  name: string
  /** Seeds its random choices: they depend on the rule, and not on the rules around it. */
  randomName: string
  fault: Fault
  settings: Record<string, unknown>
}

export interface Scenario extends Omit<ScenarioFields, 'rules' | 'questions' | 'market'> {
  name: string
  /** Answers to open questions while it is on. */
  questions?: Partial<Answers>
  rules: Rule[]
  /** The market events by time. */
  market: PlotEvent[]
  /** The value that it was read from. */
  source: unknown
  /** UTF-16 units of the source as JSON. */
  length: number
  /** The place of a field of the source. */
  place: FieldPlace
}
