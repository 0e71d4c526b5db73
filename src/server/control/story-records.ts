/** Stories as the control plane shows them. */
import { Nullable, OneOf, type Static, Type } from '../../contract/schema.ts'
import type { Story } from '../../sandbox/story/story-parser.ts'
import { STORY_VIEWS } from '../../sandbox/story/story-parser.ts'

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
        do: Type.Array(
          Type.Object({
            market: Type.Optional(Type.Unknown({ description: 'a market event' })),
            scenario: Type.Optional(Type.String({ description: 'scenario to switch on' })),
            calm: Type.Optional(Type.Literal(true, { description: 'remove all scenarios' })),
            speed: Type.Optional(Type.Number({ description: 'speed of the market' })),
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
export const storyRecord = ({ name, title, about, coin, steps }: Story): StoryView => ({
  name,
  title,
  about,
  coin,
  steps,
})

type StoryView = Static<typeof StoryRecord>
