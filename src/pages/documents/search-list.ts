/** A list that a page searches: groups of links, each with the words by which it is found. */
import type { TSchema } from '../../contract/schema.ts'
import { escaped } from './html-page.ts'

export interface SearchEntry {
  href: string
  title: string
  /** Shown beside it, such as method and path. */
  detail: string
  /** Further words by which it is found. */
  words: readonly string[]
}

export interface SearchGroup {
  title: string
  about?: string
  entries: readonly SearchEntry[]
}

/** HTML; `search.js` makes it search. */
export function searchList(label: string, groups: readonly SearchGroup[]): string {
  return [
    '<form role="search" id="search">',
    `<label for="words">${escaped(label)}</label>`,
    '<input type="search" id="words" autocomplete="off" spellcheck="false">',
    '<p role="status" id="found"></p>',
    '</form>',
    ...groups.map(groupHtml),
  ].join('\n')
}

/** The names of all fields in a schema. */
export function fieldNames(schema: TSchema): string[] {
  const own = Object.entries((schema.properties ?? {}) as Record<string, TSchema>)
  const items = Array.isArray(schema.items) ? schema.items : [schema.items]
  const inner = [
    ...own.map(([, field]) => field),
    ...Object.values((schema.patternProperties ?? {}) as Record<string, TSchema>),
    ...((schema.anyOf ?? []) as TSchema[]),
    ...(items as (TSchema | undefined)[]).filter((item) => item !== undefined),
  ]
  return [...own.map(([name]) => name), ...inner.flatMap(fieldNames)]
}

function groupHtml({ title, about, entries }: SearchGroup): string {
  const explained = about === undefined ? '' : `<p>${escaped(about)}</p>`
  const items = entries.map(entryHtml).join('\n')
  return `<section class="group"><h2>${escaped(title)}</h2>${explained}<ul>${items}</ul></section>`
}

function entryHtml({ href, title, detail, words }: SearchEntry): string {
  const all = new Set([title, detail, ...words].map((word) => word.toLowerCase()))
  return (
    `<li data-words="${escaped([...all].join(' '))}"><a href="${escaped(href)}">` +
    `${escaped(title)}</a> <code>${escaped(detail)}</code></li>`
  )
}
