/** Pages and documents of a server. Each is built on first use. */
import { OPERATIONS } from '../../contract/catalogue.ts'

export interface Page {
  status: number
  contentType: string
  body: string
  /** The same as JSON, for clients that accept it. */
  json?: string
  /** Whether it also exists under the base address of each sandbox. */
  ofSandbox?: boolean
  /** Whether it contains instants. */
  ofInstants?: boolean
  /** The document that the framework's plugin shows here; its page has no body of ours. */
  shows?: ShownDocument
}

/** An OpenAPI document on a page that tries its operations. */
export interface ShownDocument {
  title: string
  path: string
  documentPath: string
  /** Path of the script that shows it. */
  script: string
  /** HTML at the end of the head. */
  head: string
  /** HTML above the document. */
  above: string
}

/** Gets the shift from tape time to shown time. */
export type PageMaker = (shiftMs?: number) => Page

const JSON_TYPE = 'application/json; charset=utf-8'
const HTML_TYPE = 'text/html; charset=utf-8'
const SCRIPT_TYPE = 'text/javascript; charset=utf-8'
const STYLE_TYPE = 'text/css; charset=utf-8'
const ICON_TYPE = 'image/svg+xml; charset=utf-8'

// A server without page requests should not load their code, and a page is served synchronously:
// hence `require`.
const loadOpenapi = (): typeof import('../../contract/documents/openapi.ts') =>
  require('../../contract/documents/openapi.ts')
const loadAsyncapi = (): typeof import('../../contract/documents/asyncapi.ts') =>
  require('../../contract/documents/asyncapi.ts')
const loadHome = (): typeof import('./home-page.ts') => require('./home-page.ts')
const loadReference = (): typeof import('./reference-pages.ts') => require('./reference-pages.ts')
const loadSockets = (): typeof import('./reference-pages.ts') => require('./reference-pages.ts')
const loadOperations = (): typeof import('./operation-pages.ts') => require('./operation-pages.ts')
const loadFiles = (): typeof import('./page-files.ts') => require('./page-files.ts')

const asText = (document: object) => JSON.stringify(document, null, 1)
const file = (name: string) => () => loadFiles().PAGE_FILES[name] ?? ''

/** Path to page. */
export const pages: ReadonlyMap<string, PageMaker> = new Map([
  entry('/openapi.json', (shiftMs) => ({
    status: 200,
    contentType: JSON_TYPE,
    body: loadOpenapi().openapiText(shiftMs),
    ofSandbox: true,
    ofInstants: true,
  })),
  document('/asyncapi.json', () => asText(loadAsyncapi().asyncapi())),
  entry('/', () => ({
    status: 200,
    contentType: HTML_TYPE,
    body: loadHome().homePage(),
    json: asText(loadHome().homeDocument()),
  })),
  entry('/swagger', () => ({
    status: 200,
    contentType: HTML_TYPE,
    body: '',
    shows: loadOperations().contractOperations(),
    ofSandbox: true,
  })),
  entry('/_control', () => ({
    status: 200,
    contentType: HTML_TYPE,
    body: '',
    shows: loadOperations().controlOperations(),
  })),
  html('/asyncapi', () => loadSockets().socketsPage()),
  html('/reference', () => loadReference().referenceIndex()),
  html('/reference/conventions', () => loadReference().conventionsPage()),
  html('/reference/questions', () => loadReference().questionsPage()),
  ...OPERATIONS.map((operation) =>
    html(`/reference/${operation.id}`, () => loadReference().operationHtmlPage(operation)),
  ),
  plain('/pages/home.js', SCRIPT_TYPE, file('home.js')),
  plain('/pages/search.js', SCRIPT_TYPE, file('search.js')),
  plain('/pages/operations.js', SCRIPT_TYPE, file('operations.js')),
  plain('/pages/style.css', STYLE_TYPE, file('style.css')),
  plain('/pages/operations.css', STYLE_TYPE, file('operations.css')),
  plain('/favicon.svg', ICON_TYPE, file('icon.svg')),
  // Browsers request it for pages without an icon, such as JSON.
  plain('/favicon.ico', ICON_TYPE, file('icon.svg')),
])

function document(path: string, make: () => string) {
  return plain(path, JSON_TYPE, make)
}

function html(path: string, make: () => string) {
  return plain(path, HTML_TYPE, make)
}

function plain(path: string, contentType: string, make: () => string) {
  return entry(path, () => ({ status: 200, contentType, body: make() }))
}

/** Built once, or again when its instants change. */
function entry(path: string, make: (shiftMs: number) => Page): [string, PageMaker] {
  let cached: { shiftMs: number; page: Page } | null = null
  return [
    path,
    (shiftMs = 0) => {
      const isFresh = cached !== null && (cached.shiftMs === shiftMs || !cached.page.ofInstants)
      if (cached === null || !isFresh) cached = { shiftMs, page: make(shiftMs) }
      return cached.page
    },
  ]
}
