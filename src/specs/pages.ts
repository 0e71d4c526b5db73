/** The documents as a server offers them. Each is made when it is first asked for. */

export interface Page {
  status: number
  contentType: string
  body: string
}

const JSON_TYPE = 'application/json; charset=utf-8'
const HTML_TYPE = 'text/html; charset=utf-8'

/** Path to page. */
export const pages: ReadonlyMap<string, () => Page> = new Map([
  ['/openapi.json', cachedPage(JSON_TYPE, () => asText(loadOpenapi().openapi()))],
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
