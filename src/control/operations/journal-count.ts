import { Type } from '../../contract/schema.ts'
import { controlOperation } from '../control-operation.ts'
import { JournalFilter, matchingEntries } from '../journal-records.ts'

export const journalCount = controlOperation({
  id: 'journal.count',
  method: 'GET',
  path: '/sandboxes/:id/journal/count',
  title: 'How many entries match',
  about: 'Such as: was /fills called exactly twice by this key? Look at `dropped` too.',
  params: { query: JournalFilter },
  data: Type.Object({
    count: Type.Integer(),
    dropped: Type.Integer({ description: 'entries that had to make room' }),
  }),
  answer({ query }, { sandbox }) {
    const { journal } = sandbox()
    let count = 0
    for (const _ of matchingEntries(journal, query)) count++
    return { count, dropped: journal.dropped }
  },
})
