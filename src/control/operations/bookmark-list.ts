import { Type } from '../../contract/schema.ts'
import { BookmarkRecord } from '../bookmark-records.ts'
import { controlOperation } from '../control-operation.ts'

export const bookmarkList = controlOperation({
  id: 'bookmark.list',
  method: 'GET',
  path: '/sandboxes/:id/playhead/bookmarks',
  title: 'All bookmarks',
  data: Type.Array(BookmarkRecord),
  answer: (_, { sandbox }) => [...sandbox().bookmarks].map(([bookmark, at]) => ({ bookmark, at })),
})
