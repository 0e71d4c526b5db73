/** A scenario: which faults occur, where, when and how often, as data. */
import type { Answers } from '../contract/questions.ts'
import { type Static, Type } from '../contract/schema.ts'
import { SpanField } from '../fields/span-field.ts'
import type { FieldPlace } from '../fields/yaml-text.ts'
import { type PlotEvent, PlotField } from '../market/events/plot.ts'
import type { Fault } from './fault.ts'

const Names = (description: string) =>
  Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())], { description }))
const SpanText = (description: string) => Type.Optional(SpanField(description))

/**
 * What a rule is about. What is left out matches anything; of several names one must match; `*`
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
      Type.Union([Type.Integer({ minimum: 1 }), Type.Array(Type.Integer({ minimum: 1 }))], {
        description: 'the nth that matches, counted from 1; or several',
      }),
    ),
    everyNth: Type.Optional(
      Type.Integer({ minimum: 1, description: 'every nth that matches: 2 is every other one' }),
    ),
    probability: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1, description: 'that it acts, 0 to 1' }),
    ),
  },
  { additionalProperties: false },
)
export type RuleSelector = Static<typeof RuleSelector>

const RuleFields = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, description: 'what the journal calls it' })),
    on: Type.Optional(RuleSelector),
    from: SpanText('how long after the scenario was put on it begins, such as `10s`'),
    for: SpanText('how long it lasts; without end when left out'),
    every: SpanText('begins again after each of these'),
    time: Type.Optional(
      Type.Union([Type.Literal('session'), Type.Literal('tape')], {
        description: 'whose time `from`, `for` and `every` are; session unless said',
      }),
    ),
    times: Type.Optional(Type.Integer({ minimum: 1, description: 'acts so often at most' })),
    do: Type.Unknown({ description: 'a fault by name, or `{name: {its settings}}`' }),
  },
  { additionalProperties: false },
)

export const ScenarioFields = Type.Object(
  {
    title: Type.String({ minLength: 1, description: 'what happens, in short' }),
    guidance: Type.Optional(Type.String({ description: 'what a client must cope with' })),
    seed: Type.Optional(Type.Integer({ minimum: 0, description: 'of its random choices (1)' })),
    questions: Type.Optional(
      Type.Record(Type.String(), Type.String(), { description: 'answers to open questions' }),
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
          description: 'where in the tape the market is set as it begins',
        },
      ),
    ),
    market: Type.Optional(PlotField),
    rules: Type.Array(RuleFields),
  },
  { additionalProperties: false },
)
export type ScenarioFields = Static<typeof ScenarioFields>

export interface Rule extends Omit<ScenarioFields['rules'][number], 'do'> {
  /** Given, or made of its number and fault. */
  name: string
  /** Names its random choices: they follow from the rule, and not from the rules around it. */
  randomName: string
  fault: Fault
  settings: Record<string, unknown>
}

export interface Scenario extends Omit<ScenarioFields, 'rules' | 'questions' | 'market'> {
  name: string
  /** Answers to open questions while it is on. */
  questions?: Partial<Answers>
  rules: Rule[]
  /** What the market is told to do, by time. */
  market: PlotEvent[]
  /** What it was read from. */
  source: unknown
  /** Where a field of that stands. */
  place: FieldPlace
}
