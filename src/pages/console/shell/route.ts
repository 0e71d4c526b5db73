/**
 * Where one is in the console: `#/market/BTC?interval=1m`, so that every view and record has an
 * address of its own. `sandbox` in it names the sandbox, unless it is the default one.
 */
import { computed, signal } from '@preact/signals'

export interface Route {
  /** Of the view. */
  view: string
  /** What comes after it, decoded. */
  path: readonly string[]
  query: Readonly<Record<string, string>>
}

/** Values of a query; null and undefined take one out. */
export type QueryChange = Readonly<Record<string, string | number | null | undefined>>

const hash = signal(location.hash)
addEventListener('hashchange', () => {
  hash.value = location.hash
})

export const route = computed<Route>(() => parsedRoute(hash.value))

const DEFAULT_SANDBOX = 'default'

/** The sandbox that is looked at. */
export const sandboxId = computed(() => route.value.query.sandbox ?? DEFAULT_SANDBOX)

/** The address of a view or record, in the sandbox that is looked at unless the query says so. */
export function linkTo(
  view: string,
  path: readonly string[] = [],
  query: QueryChange = {},
): string {
  const sandbox = sandboxId.value === DEFAULT_SANDBOX ? null : sandboxId.value
  const kept = Object.entries({ sandbox, ...query }).filter(
    ([name, value]) => value != null && !(name === 'sandbox' && value === DEFAULT_SANDBOX),
  )
  const search = new URLSearchParams(kept.map(([name, value]) => [name, String(value)]))
  const place = [view, ...path].map(encodeURIComponent).join('/')
  return `#/${place}${search.size > 0 ? `?${search}` : ''}`
}

/** Goes to a view or record. */
export function go(view: string, path: readonly string[] = [], query: QueryChange = {}): void {
  location.hash = linkTo(view, path, query)
}

/** Changes the query of where one is, without a step in the browser's history. */
export function changeQuery(change: QueryChange): void {
  const { view, path, query } = route.value
  history.replaceState(null, '', linkTo(view, path, { ...query, ...change }))
  hash.value = location.hash
}

/** The same view of another sandbox. */
export function pickSandbox(id: string): void {
  go(route.value.view, [], { sandbox: id })
}

function parsedRoute(text: string): Route {
  const [place = '', search = ''] = text.replace(/^#\/?/, '').split('?')
  const [view = '', ...path] = place.split('/').map(decoded)
  return { view, path, query: Object.fromEntries(new URLSearchParams(search)) }
}

/** An address that somebody has typed may be no address. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
