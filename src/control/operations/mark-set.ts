import { Type } from '../../contract/schema.ts'
import { controlOperation } from '../control-operation.ts'
import { MarkName, MarkRecord } from '../mark-records.ts'
import { AtField } from '../sandbox-record.ts'

export const markSet = controlOperation({
  id: 'mark.set',
  method: 'PUT',
  path: '/sandboxes/:id/playhead/marks/:mark',
  title: 'Remember a place of the tape by name',
  about: 'The playhead can then be set to it: `{"at": "<name>"}`.',
  params: {
    path: Type.Object({ id: Type.String(), mark: MarkName }),
    body: Type.Object({ at: Type.Optional(AtField) }),
  },
  data: MarkRecord,
  answer({ path, body }, { sandbox }) {
    const found = sandbox()
    const at = body.at === undefined ? found.position().atMs : found.playhead.clampToTape(body.at)
    found.marks.set(path.mark, at)
    return { mark: path.mark, at }
  },
})
