import { Type } from '../../../contract/schema.ts'
import { controlOperation } from '../control-operation.ts'
import { countEntries, JournalFilter } from '../journal-records.ts'

export const journalCount = controlOperation({
  id: 'journal.count',
  method: 'GET',
  path: '/sandboxes/:id/journal/count',
  title: 'How many entries match',
  about: 'For example, to check that a key has called /fills exactly twice. Check `dropped` too.',
  params: { query: JournalFilter },
  examples: [{ name: 'refused requests', query: { status: 401 } }],
  data: Type.Object({
    count: Type.Integer(),
    dropped: Type.Integer({ description: 'entries removed to make room' }),
  }),
  *answer({ query }, { sandbox }) {
    const { journal } = sandbox()
    return { count: yield* countEntries(journal, query), dropped: journal.dropped }
  },
})
