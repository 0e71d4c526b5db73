/** Stories as the control plane shows them. */
import { Nullable, OneOf, type Static, Type } from '../contract/schema.ts'
import { STORY_VIEWS } from '../story/story.ts'
import type { Story } from '../story/story-parser.ts'

const Text = Type.Object({ en: Type.String(), zh: Type.String() }, { title: 'StoryText' })

export const StoryRecord = Type.Object(
  {
    name: Type.String({ description: 'of its file' }),
    title: Text,
    about: Nullable(Text),
    coin: Type.String({ description: 'which market is shown' }),
    steps: Type.Array(
      Type.Object({
        caption: Text,
        show: OneOf([...STORY_VIEWS], 'what is looked at'),
        do: Type.Array(
          Type.Object({
            market: Type.Optional(Type.Unknown({ description: 'a market event' })),
            scenario: Type.Optional(Type.String({ description: 'one that is put on' })),
            calm: Type.Optional(Type.Literal(true, { description: 'all scenarios come off' })),
            speed: Type.Optional(Type.Number({ description: 'how fast the market goes' })),
          }),
        ),
        waitMs: Nullable(Type.Integer({ description: 'until the next step; null until asked' })),
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
