/** The reference as pages: a searchable list, and a short page for each part. */

import { CHANNELS, OPERATIONS } from '../../contract/catalogue.ts'
import type { Channel } from '../../contract/channel.ts'
import { isInfo } from '../../contract/documents/components.ts'
import { groupOf, groupTag } from '../../contract/documents/description.ts'
import {
  conventions,
  operationPage,
  questions,
  sockets,
} from '../../contract/documents/reference.ts'
import { INFO_TYPES } from '../../contract/info/index.ts'
import type { Operation } from '../../contract/operation.ts'
import { parametersOf } from '../../contract/parameters.ts'
import type { TSchema } from '../../contract/schema.ts'
import { anchorOf, escaped, htmlOf, htmlPage } from './html-page.ts'

const PATH = '/reference'

/** The list of everything. */
export function referenceIndex(): string {
  const groups = Map.groupBy(OPERATIONS, groupOf)
  const list = searchList('Search operations by name, path, parameter, field or permission', [
    { title: 'For all operations', entries: [CONVENTIONS, QUESTIONS] },
    ...[...groups].map(([group, operations]) => ({
      title: group,
      about: groupTag(group).description,
      entries: operations.map(operationEntry),
    })),
  ])
  return htmlPage({
    title: 'Reference',
    path: PATH,
    main: `<h1>Reference</h1>${list}`,
    scripts: ['/pages/search.js'],
  })
}

/** Rules common to all operations. */
export const conventionsPage = (): string =>
  partPage(CONVENTIONS, htmlOf(`# ${CONVENTIONS.title}\n\n${conventions()}`))

/** Open questions of the contract. */
export const questionsPage = (): string =>
  partPage(QUESTIONS, htmlOf(`# ${QUESTIONS.title}\n\n${questions().replaceAll('### ', '## ')}`))

/** One operation, with the others of its group. */
export function operationHtmlPage(operation: Operation): string {
  const others = OPERATIONS.filter((one) => groupOf(one) === groupOf(operation))
  const links = others.map(
    ({ id, title }) =>
      `<li><a href="${PATH}/${id}"${id === operation.id ? ' aria-current="page"' : ''}>` +
      `${escaped(title)}</a></li>`,
  )
  // The reference in one file has its operations two levels down.
  const text = operationPage(operation).replace(/^##(#+) /gm, '$1 ')
  const group = groupOf(operation)
  const aside =
    `<nav aria-label="Group ${escaped(group)}"><h2>${escaped(group)}</h2>` +
    `<ul>${links.join('')}</ul></nav>`
  return partPage(operationEntry(operation), htmlOf(text) + aside)
}

const CONVENTIONS: SearchEntry = {
  href: `${PATH}/conventions`,
  title: 'What holds for all',
  detail: 'signature, envelopes, keywords of schemas',
  words: ['authentication', 'AccessKeyId', 'SignatureNonce', 'Timestamp', 'prefix'],
}

const QUESTIONS: SearchEntry = {
  href: `${PATH}/questions`,
  title: 'Open questions',
  detail: 'what the contract leaves open',
  words: ['answers', 'assumptions'],
}

function partPage({ title, href }: SearchEntry, html: string): string {
  const back = `<p class="back"><a href="${PATH}">Reference</a></p>`
  return htmlPage({ title, path: href, main: back + html })
}

function operationEntry(operation: Operation): SearchEntry {
  const { id, title, method, path, access, data, aliases } = operation
  const infos = isInfo(operation) ? INFO_TYPES : []
  return {
    href: `${PATH}/${id}`,
    title,
    detail: `${method} ${path}`,
    words: [
      id,
      ...aliases,
      ...(access.kind === 'permission' ? [access.name] : [access.kind]),
      ...parametersOf(operation).map(({ name }) => name),
      ...fieldNames(data),
      ...infos.flatMap((info) => [info.type, ...fieldNames(info.data)]),
    ],
  }
}

/** A searchable list: groups of links, each with its search words. */
export interface SearchEntry {
  href: string
  title: string
  /** Shown beside it, such as method and path. */
  detail: string
  /** Further search words. */
  words: readonly string[]
}

interface SearchGroup {
  title: string
  about?: string
  entries: readonly SearchEntry[]
}

/** HTML; `search.js` adds the search. */
function searchList(label: string, groups: readonly SearchGroup[]): string {
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
function fieldNames(schema: TSchema): string[] {
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

// The sockets as a page: a searchable list of channels, and each channel.

/** The page. */
export function socketsPage(): string {
  const groups = Map.groupBy(CHANNELS, ({ dialect }) => dialect)
  const list = searchList(
    'Search channels by name or field',
    [...groups].map(([dialect, channels]) => ({
      title: `Channels of ${dialect.path}`,
      entries: channels.map(channelEntry),
    })),
  )
  // Two levels up, since the reference in one file has them under headings of its own.
  const text = sockets().replace(/^#(#+) /gm, '$1 ')
  const [title = '', ...parts] = text.split('\n\n')
  const main = htmlOf(title) + list + htmlOf(parts.join('\n\n'))
  return htmlPage({ title: 'Sockets', path: '/asyncapi', main, scripts: ['/pages/search.js'] })
}

function channelEntry({ id, title, dialect, subscription, data }: Channel): SearchEntry {
  return {
    href: `#${anchorOf(title)}`,
    title,
    detail: id,
    words: [dialect.path, ...fieldNames(subscription), ...fieldNames(data)],
  }
}
