import { Type } from '../../../contract/schema.ts'
import { controlOperation } from '../control-operation.ts'
import { StoryRecord, storyRecord } from '../story-records.ts'

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
