/** The control call that lists stories, and their schema. */

import { Nullable, OneOf, type Static, Type } from '../../../contract/schema.ts'
import type { Story } from '../../../sandbox/story/story-parser.ts'
import { STORY_FIGURES, STORY_VIEWS } from '../../../sandbox/story/story-parser.ts'
import { controlOperation } from '../control-operation.ts'

// Stories as the control plane shows them.

const Text = Type.Object({ en: Type.String(), zh: Type.String() }, { title: 'StoryText' })

export const StoryRecord = Type.Object(
  {
    name: Type.String({ description: 'name of its file' }),
    title: Text,
    about: Nullable(Text),
    coin: Type.String({ description: 'coin whose market is shown' }),
    steps: Type.Array(
      Type.Object({
        caption: Text,
        show: OneOf([...STORY_VIEWS], 'the view to show'),
        coin: Nullable(
          Type.Literal('newcomer', { description: 'the coin that an event has listed is shown' }),
        ),
        do: Type.Array(
          Type.Object({
            market: Type.Optional(Type.Unknown({ description: 'a market event' })),
            scenario: Type.Optional(Type.String({ description: 'scenario to switch on' })),
            calm: Type.Optional(Type.Literal(true, { description: 'remove all scenarios' })),
            speed: Type.Optional(Type.Number({ description: 'speed of the market' })),
          }),
        ),
        until: Nullable(
          Type.Object({
            figure: OneOf([...STORY_FIGURES], 'of the last market event, or of the market'),
            of: Nullable(
              Type.Literal('newcomer', { description: 'of the coin that an event has listed' }),
            ),
            above: Nullable(Type.Number({ description: 'the figure must be greater' })),
            below: Nullable(Type.Number({ description: 'the figure must be less' })),
            withinMs: Type.Integer({ description: 'how long that may take' }),
          }),
        ),
        waitMs: Nullable(
          Type.Integer({ description: 'time until the next step; null to wait for the user' }),
        ),
      }),
    ),
  },
  { title: 'Story' },
)

/** A story as the control plane shows it. */
const storyRecord = ({ name, title, about, coin, steps }: Story): StoryView => ({
  name,
  title,
  about,
  coin,
  steps,
})

type StoryView = Static<typeof StoryRecord>

export const storyList = controlOperation({
  id: 'story.list',
  method: 'GET',
  path: '/stories',
  title: 'The stories that the console can play',
  about: 'Reads their files each time, and lists the errors in invalid ones.',
  data: Type.Object({
    stories: Type.Array(StoryRecord),
    flaws: Type.Array(Type.String(), { description: 'file, line and field' }),
  }),
  answer(_, { registry }) {
    const { stories, flaws } = registry.stories()
    return { stories: stories.map(storyRecord), flaws: [...flaws] }
  },
})
