/** The documents as a server offers them. Each is made when it is first asked for. */

export interface Page {
  status: number
  contentType: string
  body: string
}

const JSON_TYPE = 'application/json; charset=utf-8'
const HTML_TYPE = 'text/html; charset=utf-8'

/**
 * Path to page. A page is told how much later than on the tape the instants are that clients are
 * shown.
 */
export const pages: ReadonlyMap<string, (shiftMs?: number) => Page> = new Map([
  ['/openapi.json', shiftedPage(JSON_TYPE, (shiftMs) => asText(loadOpenapi().openapi(shiftMs)))],
  ['/asyncapi.json', cachedPage(JSON_TYPE, () => asText(loadAsyncapi().asyncapi()))],
  [
    '/reference',
    cachedPage(HTML_TYPE, () => renderedPage('Reference', loadReference().reference())),
  ],
  ['/asyncapi', cachedPage(HTML_TYPE, () => renderedPage('Sockets', loadReference().sockets()))],
])

// A server that nobody asks for a page should not load what makes them, and a page is answered
// without waiting: hence `require`.
const loadOpenapi = (): typeof import('./openapi.ts') => require('./openapi.ts')
const loadAsyncapi = (): typeof import('./asyncapi.ts') => require('./asyncapi.ts')
const loadReference = (): typeof import('./reference.ts') => require('./reference.ts')
const loadHtmlPage = (): typeof import('./html-page.ts') => require('./html-page.ts')

const asText = (document: object) => JSON.stringify(document)
const renderedPage = (title: string, markdown: string) => loadHtmlPage().htmlPage(title, markdown)

function cachedPage(contentType: string, make: () => string): () => Page {
  let page: Page | null = null
  return () => {
    page ??= { status: 200, contentType, body: make() }
    return page
  }
}

/** A page that is made anew when its instants are others. */
function shiftedPage(contentType: string, make: (shiftMs: number) => string) {
  let cached: { shiftMs: number; page: Page } | null = null
  return (shiftMs = 0): Page => {
    if (cached?.shiftMs !== shiftMs)
      cached = { shiftMs, page: { status: 200, contentType, body: make(shiftMs) } }
    return cached.page
  }
}
