import { Type } from '../../../contract/schema.ts'
import { controlOperation } from '../control-operation.ts'
import { JournalEntryView, journalEntryView } from '../journal-entry-view.ts'
import { JournalFilter, newestEntries } from '../journal-records.ts'
import { journalStream } from '../journal-stream.ts'
import { Page, pageFields } from '../page.ts'

const USUAL_LIMIT = 200
const LIMIT_MAX = 10_000

export const journalRead = controlOperation({
  id: 'journal.read',
  method: 'GET',
  path: '/sandboxes/:id/journal',
  title: 'Read the journal',
  about:
    'Returns the newest matching entries, oldest first; the next page has earlier ones. With ' +
    '`Accept: text/event-stream` the call sends the entries after `since`, and then new entries ' +
    'as they are written. The journal contains no secrets and no signatures.',
  params: { query: Type.Composite([JournalFilter, pageFields(USUAL_LIMIT, LIMIT_MAX)]) },
  examples: [{ name: 'the last ten requests', query: { kind: 'request', limit: 10 } }],
  data: Type.Object({
    entries: Type.Array(JournalEntryView),
    dropped: Type.Integer({ description: 'entries removed to make room' }),
    newest: Type.Integer({ description: 'number of the newest entry' }),
  }),
  stream: ({ query }, call) => journalStream(call, query),
  *answer({ query }, { sandbox }) {
    const { journal } = sandbox()
    const { newest } = journal
    const { limit = USUAL_LIMIT, cursor = newest + 1 } = query
    const below = Math.min(Number(cursor), newest + 1)
    const found = yield* newestEntries(journal, query, below, limit + 1)
    const isMore = found.length > limit
    const entries = isMore ? found.slice(1) : found
    return new Page(
      { entries: entries.map(journalEntryView), dropped: journal.dropped, newest },
      isMore ? String(entries[0]?.seq) : null,
    )
  },
})
