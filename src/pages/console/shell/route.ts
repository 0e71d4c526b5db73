/**
 * Address of a view in the console: `#/market/BTC?interval=1m`, so that every view and record has
 * its own. Its `sandbox` names a sandbox other than the default.
 */

import { computed, signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { decoded } from '../../../contract/paths.ts'

/** Interface of a view. Each has a folder in `views` and a line in `views.ts`. */
export interface View {
  /** Id in its address: `#/market`. */
  id: string
  /** Its heading in the navigation. */
  group: ViewGroup
  /** In the present language. */
  title(): string
  /** Purpose, for the palette and tooltips. */
  about(): string
  /** Further words that the palette finds it by. */
  words?(): string
  /** What the palette finds in it besides itself, from every view. */
  commands?(): readonly { title: string; words: string; run(): void }[]
  /** Lines of an icon of 20 by 20, as the `d` of an SVG path. */
  icon: string
  component: ComponentType
  /** Whether its purpose is to make changes: hidden from read-only guests. */
  isChanging?: boolean
  /** Whether it fills the window, without navigation and top bar. */
  isFullScreen?: boolean
}

export type ViewGroup = 'market' | 'control' | 'debug' | 'reference'

export interface Route {
  /** View id. */
  view: string
  /** Path after the view, decoded. */
  path: readonly string[]
  query: Readonly<Record<string, string>>
}

/** Query values; null and undefined remove one. */
export type QueryChange = Readonly<Record<string, string | number | null | undefined>>

const hash = signal(location.hash)
addEventListener('hashchange', () => {
  hash.value = location.hash
})

export const route = computed<Route>(() => parsedRoute(hash.value))

const DEFAULT_SANDBOX = 'default'

/** The selected sandbox. */
export const sandboxId = computed(() => route.value.query.sandbox ?? DEFAULT_SANDBOX)

/** The address of a view or record, in the selected sandbox unless the query names one. */
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

/** Navigates to a view or record. */
export function go(view: string, path: readonly string[] = [], query: QueryChange = {}): void {
  location.hash = linkTo(view, path, query)
}

/** Changes the query of the present address, without a history entry. */
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
