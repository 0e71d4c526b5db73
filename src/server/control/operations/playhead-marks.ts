import { OneOf, Type } from '../../../contract/schema.ts'
import { marksOf } from '../../../sandbox/playhead.ts'
import { controlOperation } from '../control-operation.ts'

export const playheadMarks = controlOperation({
  id: 'playhead.marks',
  method: 'GET',
  path: '/sandboxes/:id/playhead/marks',
  title: 'Marks along the tape',
  about:
    'Gaps of the tape, faults of scenarios (the newest 1000 that are still in the journal) and ' +
    'bookmarks, ordered by time. You can set the playhead to `at`.',
  params: {
    query: Type.Object({
      kind: Type.Optional(OneOf(['bookmark', 'gap', 'fault'], 'only marks of this kind')),
    }),
  },
  data: Type.Array(
    Type.Object(
      {
        at: Type.Integer({ description: 'tape time, ms' }),
        until: Type.Integer({ description: 'end of a gap; otherwise the same as `at`, ms' }),
        kind: OneOf(['bookmark', 'gap', 'fault'], 'kind of the mark'),
        what: Type.String({ description: 'name of the bookmark or rule, or reason of the gap' }),
      },
      { title: 'Mark' },
    ),
  ),
  answer: ({ query: { kind } }, { sandbox }) =>
    marksOf(sandbox()).filter((mark) => kind === undefined || mark.kind === kind),
})
