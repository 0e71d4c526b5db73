/** The reference as pages: one with a list that can be searched, and a short one for each part. */

import { OPERATIONS } from '../../contract/catalogue.ts'
import { groupOf, groupTag } from '../../contract/documents/groups.ts'
import { isInfo } from '../../contract/documents/info-types.ts'
import { operationPage } from '../../contract/documents/operation-page.ts'
import { conventions, questions } from '../../contract/documents/reference.ts'
import { INFO_TYPES } from '../../contract/info/index.ts'
import type { Operation } from '../../contract/operation.ts'
import { parametersOf } from '../../contract/parameters.ts'
import { escaped, htmlOf, htmlPage } from './html-page.ts'
import { fieldNames, type SearchEntry, searchList } from './search-list.ts'

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

/** What holds for all operations. */
export const conventionsPage = (): string =>
  partPage(CONVENTIONS, htmlOf(`# ${CONVENTIONS.title}\n\n${conventions()}`))

/** What the contract leaves open. */
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
