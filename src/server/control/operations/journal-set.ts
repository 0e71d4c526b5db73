import { Type } from '../../../contract/schema.ts'
import { controlOperation } from '../control-operation.ts'
import { JournalFields, journalOptions } from '../journal-records.ts'

export const journalSet = controlOperation({
  id: 'journal.set',
  method: 'PUT',
  path: '/sandboxes/:id/journal',
  title: 'Turn the journal on or off, or limit its size',
  params: { body: JournalFields },
  examples: [{ name: 'at most a megabyte', body: { on: true, bytes: 1_000_000 } }],
  data: Type.Object({ on: Type.Boolean(), bytes: Type.Integer() }),
  answer({ body }, { sandbox }) {
    const { journal, changes } = sandbox()
    journal.set(journalOptions(body).journal)
    changes.tell([() => journal.makeRoom()], null)
    return { on: journal.settings.on, bytes: journal.settings.maxBytes }
  },
})
