import { Type } from '../../contract/schema.ts'
import { JournalFields, journalWish } from '../journal-records.ts'
import { controlOperation } from '../operation.ts'

export const journalSet = controlOperation({
  id: 'journal.set',
  method: 'PUT',
  path: '/sandboxes/:id/journal',
  title: 'Turn the journal on or off, or bound it',
  params: { body: JournalFields },
  data: Type.Object({ on: Type.Boolean(), bytes: Type.Integer() }),
  answer({ body }, { sandbox }) {
    const { journal } = sandbox()
    journal.set(journalWish(body).journal)
    return { on: journal.settings.on, bytes: journal.settings.mostBytes }
  },
})
