/** Marks as the control plane shows them. */
import { Type } from '../../contract/schema.ts'

export const BookmarkName = Type.String({
  pattern: '^[A-Za-z][\\w-]{0,62}$',
  maxLength: 63,
  minLength: 1,
  'x-form': 'letters, digits, `_` and `-`, the first a letter',
  description: 'a letter, then letters, digits, `_` and `-`, at most 63',
})

export const BookmarkRecord = Type.Object(
  {
    bookmark: Type.String(),
    at: Type.Integer({ description: 'tape time, ms' }),
  },
  { title: 'Bookmark' },
)
