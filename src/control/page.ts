/** Long lists, page by page. */
import type { Slices } from '../clock/turns.ts'
import { Type } from '../contract/schema.ts'
import type { NumberedEntries } from '../sandbox/numbered-map.ts'

const PAGE_MAX = 1_000

/** Where a page begins and how long it is, as a query asks for it. */
export const PageFields = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: PAGE_MAX,
      description: `how many at most; ${PAGE_MAX} if left out`,
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      pattern: '^\\d{1,15}$',
      'x-form': 'the cursor in the Link header of the page before; leave it out for the first page',
      description: 'where the page before ended: its `Link` header has the address of the next',
    }),
  ),
})

/** Data with the cursor of the page after it; null when it is the last. */
export class Page<T> {
  constructor(
    readonly data: T,
    readonly next: string | null,
  ) {}
}

/** A page of named entries in the order in which they were added, each as `view` shows it. */
export function* pageOf<V, R>(
  entries: NumberedEntries<V>,
  { limit = PAGE_MAX, cursor = '0' }: { limit?: number; cursor?: string },
  view: (value: V, name: string) => R,
): Slices<Page<R[]>> {
  const found = entries.pageAfter(Number(cursor), limit + 1)
  const shown: R[] = []
  for (const { name, value } of found.slice(0, limit)) {
    shown.push(view(value, name))
    yield
  }
  const last = found.length > limit ? found[limit - 1] : undefined
  return new Page(shown, last ? String(last.number) : null)
}

/** The `Link` header that leads on, for the address that was asked. */
export function linkTo(next: string, path: string, query: string): string {
  const parameters = new URLSearchParams(query)
  parameters.set('cursor', next)
  return `<${path}?${parameters}>; rel="next"`
}
