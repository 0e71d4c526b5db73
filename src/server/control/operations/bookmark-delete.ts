import { Type } from '../../../contract/schema.ts'
import { someNames } from '../../../sandbox/some-names.ts'
import { BookmarkName } from '../bookmark-records.ts'
import { NotFoundError } from '../control-errors.ts'
import { controlOperation } from '../control-operation.ts'

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
