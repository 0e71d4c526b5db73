/** Long lists, page by page. */

import type { Slices } from '../../clock/turns.ts'
import { Type } from '../../contract/schema.ts'
import type { NumberedEntries } from '../../sandbox/numbered-map.ts'

const PAGE_MAX = 1_000

/** How long a page is, and where it begins, as a query asks for it. */
export const pageFields = (usual: number, max: number) =>
  Type.Object({
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: max,
        description: `maximum number of entries; ${usual} by default, at most ${max}`,
      }),
    ),
    cursor: Type.Optional(
      Type.String({
        pattern: '^\\d{1,15}$',
        'x-form': 'what the Link header of the page before says; leave it out for the first page',
        description:
          'where the previous page ended; its `Link` header has the address of the next page',
      }),
    ),
  })

/** The same of most lists. */
export const PageFields = pageFields(PAGE_MAX, PAGE_MAX)

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
