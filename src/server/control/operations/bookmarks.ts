/** Calls of the control plane about bookmarks: named positions of the tape. */

import { Type } from '../../../contract/schema.ts'
import { UserError } from '../../../platform/user-error.ts'
import { BOOKMARKS_MAX, boundFlaw } from '../../../sandbox/sandbox-config.ts'
import { someNames } from '../../../sandbox/some-names.ts'
import { NotFoundError } from '../control-call.ts'
import { controlOperation, PageFields, pageOf } from '../control-operation.ts'
import { AtField } from '../sandbox-record.ts'

// Bookmarks as the control plane shows them.

const BookmarkName = Type.String({
  pattern: '^[A-Za-z][\\w-]{0,62}$',
  maxLength: 63,
  minLength: 1,
  'x-form': 'letters, digits, `_` and `-`, the first a letter',
  description: 'a letter, then letters, digits, `_` and `-`, at most 63',
})

const BookmarkRecord = Type.Object(
  {
    bookmark: Type.String(),
    at: Type.Integer({ description: 'tape time, ms' }),
  },
  { title: 'Bookmark' },
)

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

export const bookmarkList = controlOperation({
  id: 'bookmark.list',
  method: 'GET',
  path: '/sandboxes/:id/playhead/bookmarks',
  title: 'All bookmarks',
  params: { query: PageFields },
  data: Type.Array(BookmarkRecord),
  answer: ({ query }, { sandbox }) =>
    pageOf(sandbox().bookmarks, query, (at, bookmark) => ({ bookmark, at })),
})

export const bookmarkDelete = controlOperation({
  id: 'bookmark.delete',
  method: 'DELETE',
  path: '/sandboxes/:id/playhead/bookmarks/:bookmark',
  title: 'Delete a bookmark',
  params: { path: Type.Object({ id: Type.String(), bookmark: BookmarkName }) },
  data: Type.Object({ deleted: Type.String() }),
  answer({ path }, { sandbox }) {
    const { bookmarks } = sandbox()
    if (!bookmarks.delete(path.bookmark))
      throw new NotFoundError(`no bookmark "${path.bookmark}"; there are ${someNames(bookmarks)}`)
    return { deleted: path.bookmark }
  },
})
