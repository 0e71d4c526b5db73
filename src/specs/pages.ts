/** The papers as a server offers them. Each is made when it is first asked for. */

export interface Page {
  status: number
  contentType: string
  body: string
}

/** Path to page. */
export const pages: ReadonlyMap<string, () => Page> = new Map([
  ['/openapi.json', once(() => openapiRoom().openapi())],
  ['/asyncapi.json', once(() => asyncapiRoom().asyncapi())],
])

// A server that nobody asks for a page should not load what makes them, and a page is answered
// without waiting: hence `require`.
const openapiRoom = (): typeof import('./openapi.ts') => require('./openapi.ts')
const asyncapiRoom = (): typeof import('./asyncapi.ts') => require('./asyncapi.ts')

function once(make: () => object): () => Page {
  let made: Page | null = null
  return () => {
    made ??= {
      status: 200,
      contentType: 'application/json; charset=utf-8',
      body: JSON.stringify(make(), null, 2),
    }
    return made
  }
}
