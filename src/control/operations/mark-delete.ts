import { Type } from '../../contract/schema.ts'
import { controlOperation, NotFoundError } from '../control-operation.ts'
import { MarkName } from '../mark-records.ts'

export const markDelete = controlOperation({
  id: 'mark.delete',
  method: 'DELETE',
  path: '/sandboxes/:id/playhead/marks/:mark',
  title: 'Forget a place',
  params: { path: Type.Object({ id: Type.String(), mark: MarkName }) },
  data: Type.Object({ deleted: Type.String() }),
  answer({ path }, { sandbox }) {
    const { marks } = sandbox()
    if (!marks.delete(path.mark))
      throw new NotFoundError(
        `no mark "${path.mark}"; there are ${[...marks.keys()].join(', ') || 'none'}`,
      )
    return { deleted: path.mark }
  },
})
