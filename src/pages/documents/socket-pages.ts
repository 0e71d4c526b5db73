/** The sockets as a page: a list of channels that can be searched, and what each is. */

import { CHANNELS } from '../../contract/catalogue.ts'
import type { Channel } from '../../contract/channel.ts'
import { sockets } from '../../contract/documents/reference.ts'
import { anchorOf, htmlOf, htmlPage } from './html-page.ts'
import { fieldNames, type SearchEntry, searchList } from './search-list.ts'

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
