import { Type } from '../../../contract/schema.ts'
import { controlOperation } from '../control-operation.ts'

export const journalClear = controlOperation({
  id: 'journal.clear',
  method: 'DELETE',
  path: '/sandboxes/:id/journal',
  storesNothing: true,
  title: 'Clear the journal',
  data: Type.Object({
    newest: Type.Integer({ description: 'the next entry has the number after this one' }),
  }),
  answer(_, { sandbox }) {
    const { journal } = sandbox()
    journal.clear()
    return { newest: journal.newest }
  },
})
