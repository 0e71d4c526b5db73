import { Type } from '../../../contract/schema.ts'
import { UserError } from '../../../platform/user-error.ts'
import { BOOKMARKS_MAX, boundFlaw } from '../../../sandbox/sandbox-config.ts'
import { BookmarkName, BookmarkRecord } from '../bookmark-records.ts'
import { controlOperation } from '../control-operation.ts'
import { AtField } from '../sandbox-record.ts'

export const bookmarkSet = controlOperation({
  id: 'bookmark.set',
  method: 'PUT',
  path: '/sandboxes/:id/playhead/bookmarks/:bookmark',
  movesTime: true,
  title: 'Bookmark a position of the tape',
  about: 'You can then set the playhead to it: `{"at": "<name>"}`.',
  params: {
    path: Type.Object({ id: Type.String(), bookmark: BookmarkName }),
    body: Type.Object({ at: Type.Optional(AtField) }),
  },
  examples: [
    { name: 'where the market is now', body: {} },
    { name: 'ten minutes after the start', path: { bookmark: 'cascade' }, body: { at: 600_000 } },
  ],
  data: BookmarkRecord,
  answer({ path, body }, { sandbox }) {
    const found = sandbox()
    const { size } = found.bookmarks
    const full = found.bookmarks.has(path.bookmark)
      ? null
      : boundFlaw('bookmarks', size, BOOKMARKS_MAX)
    if (full !== null) throw new UserError(full)
    const at = body.at === undefined ? found.position().atMs : found.playhead.placeOf(body.at)
    found.bookmarks.set(path.bookmark, at)
    return { bookmark: path.bookmark, at }
  },
})
