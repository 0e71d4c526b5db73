/** A story: what a console shows and does step by step, with captions, as data. */

import { SpanField } from '../../contract/fields/span-field.ts'
import { OneOf, type Static, Type } from '../../contract/schema.ts'

const CAPTION_MAX = 400

/** What is read aloud: one text, or one for each language of the console. */
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

/** What of the market is looked at. */
export const STORY_VIEWS = ['chart', 'book', 'trades', 'liquidations', 'whales', 'all'] as const

const Action = Type.Object(
  {
    market: Type.Optional(
      Type.Unknown({ description: 'what the market does: `{kind, …}`, as market events are' }),
    ),
    scenario: Type.Optional(
      Type.String({ minLength: 1, description: 'a scenario of the library, put on' }),
    ),
    calm: Type.Optional(Type.Literal(true, { description: 'takes every scenario off' })),
    speed: Type.Optional(
      Type.Number({ minimum: 0, maximum: 10_000, description: 'how fast the market goes' }),
    ),
  },
  { additionalProperties: false, description: 'one of them' },
)

const Step = Type.Object(
  {
    caption: Caption('what is told'),
    show: Type.Optional(OneOf([...STORY_VIEWS], 'what is looked at; as before when left out')),
    do: Type.Optional(Type.Array(Action, { maxItems: 10, description: 'what is done, in order' })),
    wait: Type.Optional(
      SpanField('how long until the next step, such as `20s`; until it is asked for if left out'),
    ),
  },
  { additionalProperties: false },
)

export const StoryFields = Type.Object(
  {
    title: Caption('what it is called'),
    about: Type.Optional(Caption('what it shows, in a sentence')),
    coin: Type.Optional(
      Type.String({ minLength: 1, description: 'which market is shown; BTC when left out' }),
    ),
    steps: Type.Array(Step, { minItems: 1, maxItems: 50 }),
  },
  { additionalProperties: false },
)
export type StoryFields = Static<typeof StoryFields>
export type StoryAction = Static<typeof Action>
