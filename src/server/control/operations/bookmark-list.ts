import { Type } from '../../../contract/schema.ts'
import { BookmarkRecord } from '../bookmark-records.ts'
import { controlOperation } from '../control-operation.ts'
import { PageFields, pageOf } from '../page.ts'

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
