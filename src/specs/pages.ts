/** The papers as a server offers them. Each is made when it is first asked for. */

export interface Page {
  status: number
  contentType: string
  body: string
}

const JSON_TYPE = 'application/json; charset=utf-8'
const HTML_TYPE = 'text/html; charset=utf-8'

/** Path to page. */
export const pages: ReadonlyMap<string, () => Page> = new Map([
  ['/openapi.json', once(JSON_TYPE, () => asText(openapiRoom().openapi()))],
  ['/asyncapi.json', once(JSON_TYPE, () => asText(asyncapiRoom().asyncapi()))],
  ['/reference', once(HTML_TYPE, () => read('Reference', referenceRoom().reference()))],
  ['/asyncapi', once(HTML_TYPE, () => read('Sockets', referenceRoom().sockets()))],
])

// A server that nobody asks for a page should not load what makes them, and a page is answered
// without waiting: hence `require`.
const openapiRoom = (): typeof import('./openapi.ts') => require('./openapi.ts')
const asyncapiRoom = (): typeof import('./asyncapi.ts') => require('./asyncapi.ts')
const referenceRoom = (): typeof import('./reference.ts') => require('./reference.ts')
const readingRoom = (): typeof import('./reading-page.ts') => require('./reading-page.ts')

const asText = (document: object) => JSON.stringify(document, null, 2)
const read = (title: string, markdown: string) => readingRoom().readingPage(title, markdown)

function once(contentType: string, make: () => string): () => Page {
  let made: Page | null = null
  return () => {
    made ??= { status: 200, contentType, body: make() }
    return made
  }
}
