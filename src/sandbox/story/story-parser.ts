/** Reads a story from YAML; errors name file, line and field. */
import {
  checkFields,
  type FieldPath,
  FlawList,
  fieldSpanMs,
  SpanField,
} from '../../contract/fields/field-check.ts'
import { unknownText } from '../../contract/fields/nearest-name.ts'
import { readYaml } from '../../contract/fields/yaml-text.ts'
import { OneOf, type Static, Type } from '../../contract/schema.ts'
import { readEvent } from '../../market/events/event-schedule.ts'

type View = NonNullable<StoryFields['steps'][number]['show']>

/** A text in the languages of the console; English where a translation is missing. */
export interface StoryText {
  en: string
  zh: string
}

export interface Story {
  /** Of its file, without extension. */
  name: string
  title: StoryText
  about: StoryText | null
  coin: string
  steps: StoryStep[]
}

export interface StoryStep {
  caption: StoryText
  show: View
  /** The coin to show: that of the last listing; null for the coin of the story. */
  coin: 'newcomer' | null
  do: StoryAction[]
  /** What the caption says, as a condition on the market; null where it says nothing of it. */
  until: StoryCondition | null
  /** Delay of the next step, ms; null for a step on demand. */
  waitMs: number | null
}

/** A figure of the market, its bounds, and how long it may take. */
export interface StoryCondition {
  figure: StoryFigure
  /** The coin of the last listing; null for the coin of the story. */
  of: 'newcomer' | null
  above: number | null
  below: number | null
  withinMs: number
}

/** Parses a story; a UserError lists all errors, one a line. */
export const parseStoryYaml = (
  name: string,
  file: string,
  text: string,
  scenarios: readonly string[],
): Story =>
  readYaml({ file, text, whole: 'the story' }, (given) => {
    checkFields(StoryFields, given, [])
    const fields = given as StoryFields
    checkActions(fields, scenarios)
    return storyOf(name, fields)
  })

function storyOf(name: string, { title, about, coin = 'BTC', steps }: StoryFields): Story {
  let show: View = 'all'
  let shownCoin: StoryStep['coin'] = null
  return {
    name,
    title: textOf(title),
    about: about === undefined ? null : textOf(about),
    coin,
    steps: steps.map((step) => {
      show = step.show ?? show
      shownCoin = step.coin ?? shownCoin
      return {
        caption: textOf(step.caption),
        show,
        coin: shownCoin,
        do: step.do ?? [],
        until: typeof step.until === 'object' ? conditionOf(step.until) : null,
        waitMs: step.wait === undefined ? null : fieldSpanMs(step.wait),
      }
    }),
  }
}

function conditionOf({ figure, of, above, below, within }: Static<typeof Condition>) {
  return {
    figure,
    of: of ?? null,
    above: above ?? null,
    below: below ?? null,
    withinMs: within === undefined ? WITHIN_MS : fieldSpanMs(within),
  }
}

/** Maximum duration of a condition, ms. */
const WITHIN_MS = 60_000

function textOf(caption: StoryFields['title']): StoryText {
  if (typeof caption === 'string') return { en: caption, zh: caption }
  return { en: caption.en, zh: caption.zh ?? caption.en }
}

function checkActions({ steps }: StoryFields, scenarios: readonly string[]): void {
  const flaws = new FlawList()
  for (const [at, step] of steps.entries())
    for (const [index, action] of (step.do ?? []).entries())
      flaws.collect(() => checkAction(action, ['steps', at, 'do', index], scenarios))
  for (const [at, { until }] of steps.entries())
    if (typeof until === 'object' && until.above === undefined && until.below === undefined)
      flaws.add(['steps', at, 'until'], 'needs a bound: above, below or both')
  flaws.end()
}

function checkAction(action: StoryAction, at: FieldPath, scenarios: readonly string[]): void {
  const flaws = new FlawList()
  const names = Object.keys(action)
  if (names.length !== 1)
    flaws.add(at, `must be one of market, scenario, calm, speed, not ${names.length} of them`)
  const { market, scenario } = action
  if (market !== undefined) flaws.collect(() => readEvent(market, [...at, 'market']))
  if (scenario !== undefined && !scenarios.includes(scenario))
    flaws.add([...at, 'scenario'], `is wrong: ${unknownText('scenario', scenario, scenarios)}`)
  flaws.end()
}

/** The schema of a story: the steps of a console with their captions, as data. */
const CAPTION_MAX = 400

/** A caption: one text, or one for each language of the console. */
const Caption = (description: string) =>
  Type.Union(
    [
      Type.String({ minLength: 1, maxLength: CAPTION_MAX }),
      Type.Object(
        {
          en: Type.String({ minLength: 1, maxLength: CAPTION_MAX }),
          zh: Type.Optional(Type.String({ minLength: 1, maxLength: CAPTION_MAX })),
        },
        { additionalProperties: false },
      ),
    ],
    { description },
  )

/** The parts of the market that a step shows. */
export const STORY_VIEWS = ['chart', 'book', 'trades', 'liquidations', 'whales', 'all'] as const

const Action = Type.Object(
  {
    market: Type.Optional(Type.Unknown({ description: 'a market event: `{kind, …}`' })),
    scenario: Type.Optional(
      Type.String({ minLength: 1, description: 'a scenario of the library to switch on' }),
    ),
    calm: Type.Optional(Type.Literal(true, { description: 'removes all scenarios' })),
    speed: Type.Optional(
      Type.Number({ minimum: 0, maximum: 10_000, description: 'speed of the market' }),
    ),
  },
  { additionalProperties: false, description: 'one of them' },
)

/** Figures of a condition: four of the last market event for a coin, then those of the market. */
export const STORY_FIGURES = [
  'changePct',
  'tradedUsd',
  'boughtUsd',
  'liquidatedUsd',
  'spreadBp',
  'bookAgeS',
  'tradeAgeS',
  'historyDays',
] as const
export type StoryFigure = (typeof STORY_FIGURES)[number]

const Condition = Type.Object(
  {
    figure: OneOf([...STORY_FIGURES], 'of the last market event for the coin, or of its market'),
    of: Type.Optional(
      Type.Literal('newcomer', { description: 'of the coin that an event has listed' }),
    ),
    above: Type.Optional(Type.Number({ description: 'the figure must be greater' })),
    below: Type.Optional(Type.Number({ description: 'the figure must be less' })),
    within: Type.Optional(SpanField('how long that may take; 60s by default')),
  },
  {
    additionalProperties: false,
    description: 'what the caption says of the market: the step waits for it and shows the figure',
  },
)

const Step = Type.Object(
  {
    caption: Caption('the text of the step'),
    show: Type.Optional(OneOf([...STORY_VIEWS], 'the view; that of the step before by default')),
    coin: Type.Optional(
      Type.Literal('newcomer', {
        description: 'from here on the coin that an event has listed is shown',
      }),
    ),
    do: Type.Optional(Type.Array(Action, { maxItems: 10, description: 'what is done, in order' })),
    until: Type.Optional(
      Type.Union([
        Condition,
        Type.Literal('none', { description: 'the caption says nothing of the market' }),
      ]),
    ),
    wait: Type.Optional(
      SpanField('delay of the next step, such as `20s`; without it, the user starts it'),
    ),
  },
  { additionalProperties: false },
)

export const StoryFields = Type.Object(
  {
    title: Caption('its title'),
    about: Type.Optional(Caption('what it shows, in a sentence')),
    coin: Type.Optional(
      Type.String({ minLength: 1, description: 'coin of the market; BTC by default' }),
    ),
    steps: Type.Array(Step, { minItems: 1, maxItems: 50 }),
  },
  { additionalProperties: false },
)
type StoryFields = Static<typeof StoryFields>
type StoryAction = Static<typeof Action>
