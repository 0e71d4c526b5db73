import { OneOf, Type } from '../../contract/schema.ts'
import { marksOf } from '../../sandbox/playhead-marks.ts'
import { controlOperation } from '../control-operation.ts'

export const playheadMarks = controlOperation({
  id: 'playhead.marks',
  method: 'GET',
  path: '/sandboxes/:id/playhead/marks',
  title: 'Marks along the tape',
  about:
    'Where the tape lacks something, where scenarios did something (as far back as the journal ' +
    'goes, the newest 1000), and the bookmarks, in order of time. The playhead can be set to `at`.',
  params: {
    query: Type.Object({
      kind: Type.Optional(OneOf(['bookmark', 'gap', 'fault'], 'of this sort only')),
    }),
  },
  data: Type.Array(
    Type.Object(
      {
        at: Type.Integer({ description: 'tape time, ms' }),
        until: Type.Integer({ description: 'its end, of a gap; else the same, ms' }),
        kind: OneOf(['bookmark', 'gap', 'fault'], 'what is there'),
        what: Type.String({ description: 'name of the bookmark or rule, or why there is a gap' }),
      },
      { title: 'Mark' },
    ),
  ),
  answer: ({ query: { kind } }, { sandbox }) =>
    marksOf(sandbox()).filter((mark) => kind === undefined || mark.kind === kind),
})
