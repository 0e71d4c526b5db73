/** The papers as a server offers them. Each is made when it is first asked for. */
import { asyncapi } from './asyncapi.ts'
import { openapi } from './openapi.ts'

export interface Page {
  status: number
  contentType: string
  body: string
}

/** Path to page. */
export const pages: ReadonlyMap<string, () => Page> = new Map([
  ['/openapi.json', once(openapi)],
  ['/asyncapi.json', once(asyncapi)],
])

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
