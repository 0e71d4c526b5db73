import { Limit, Type } from '../../contract/schema.ts'
import { controlOperation } from '../control-operation.ts'
import {
  JournalEntryView,
  JournalFilter,
  journalEntryView,
  matchingEntries,
} from '../journal-records.ts'
import { journalStream } from '../journal-stream.ts'

export const journalRead = controlOperation({
  id: 'journal.read',
  method: 'GET',
  path: '/sandboxes/:id/journal',
  title: 'What came in and went out, and why',
  about:
    'The newest entries that match, oldest first. With `Accept: text/event-stream` entries are ' +
    'sent as they come, first those after `since`. Secrets and signatures are never in it.',
  params: {
    query: Type.Composite([JournalFilter, Type.Object({ limit: Limit({ default: 200 }) })]),
  },
  data: Type.Object({
    entries: Type.Array(JournalEntryView),
    dropped: Type.Integer({ description: 'entries that had to make room' }),
    newest: Type.Integer({ description: 'number of the newest entry' }),
  }),
  stream: ({ query }, { sandbox }) => journalStream(sandbox(), query),
  answer({ query }, { sandbox }) {
    const { journal } = sandbox()
    const entries = [...matchingEntries(journal, query)].slice(-query.limit).map(journalEntryView)
    return { entries, dropped: journal.dropped, newest: journal.newest }
  },
})
