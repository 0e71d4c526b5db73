/** Pages, documents and the files of the console over HTTP. */

import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { splitSandboxBase } from '../../../contract/paths.ts'
import type { Page, PageMaker, ShownDocument } from '../../../pages/documents/pages.ts'
import type { Registry } from '../../../sandbox/registry.ts'
import { DEFAULT_SANDBOX_ID } from '../../../sandbox/sandbox-config.ts'
import { CORS_HEADERS, earlyRefusal, SAFE_HEADERS } from './http-response.ts'
import { PACKED, type Packed, packed, packedResponse } from './packed-file.ts'

/** Path to page. */
export type Pages = ReadonlyMap<string, PageMaker>

/** The page of a path; null for another path. */
export function pageOf(
  pages: Pages,
  fullPath: string,
  registry: Pick<Registry, 'get'>,
): ((request: Request) => Response | Promise<Response>) | null {
  if (fullPath.startsWith('//')) return null
  const { path, sandbox } = splitSandboxBase(fullPath)
  if (path === '/swagger/scalar.js' && pages.has('/swagger') && sandbox === undefined)
    return async (request) => methodRefusal(request, path) ?? scalarResponse(request)
  const ofConsole = pages.has('/') && sandbox === undefined ? consoleFile(path) : null
  if (ofConsole)
    return async (request) =>
      methodRefusal(request, path) ?? consoleResponse(path, request, await ofConsole())
  const make = pages.get(path)
  const shown = registry.get(sandbox ?? DEFAULT_SANDBOX_ID)
  if (!make || (sandbox !== undefined && !shown)) return null
  const page = make(shown?.position().shiftMs)
  if (sandbox !== undefined && !page.ofSandbox) return null
  return (request) => methodRefusal(request, path) ?? pageResponse(page, request)
}

/** A page loads nothing from elsewhere, runs only our files, and may be framed only by ours. */
const policy = (scripts: string, styles: string) =>
  `default-src 'none'; script-src 'self'${scripts}; style-src 'self'${styles}; ` +
  "img-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'; " +
  "frame-ancestors 'self'; frame-src 'self'"
const PAGE_POLICY = policy('', '')

function pageResponse(page: Page, { headers }: Request): Response | Promise<Response> {
  const { status, contentType, body, json, shows } = page
  if (shows) return documentResponse(shows)
  if (json !== undefined && wantsJson(headers.get('accept') ?? ''))
    return new Response(json, {
      status,
      headers: { ...CORS_HEADERS, vary: 'accept', 'content-type': JSON_TYPE },
    })
  return new Response(body, {
    status,
    headers: {
      ...CORS_HEADERS,
      ...(json === undefined ? {} : { vary: 'accept' }),
      'content-type': contentType,
      'content-security-policy': PAGE_POLICY,
    },
  })
}

// Loaded on demand: most servers never show a document.
const loadDocumentPage = (): typeof import('./document-page.ts') => require('./document-page.ts')

/**
 * A page of the framework's plugin: what it has inline is allowed by its hash. Scalar also writes
 * the style attributes of its lines of code as HTML; no hash could allow these.
 */
async function documentResponse(shows: ShownDocument): Promise<Response> {
  const { html, scripts, styles } = await loadDocumentPage().documentPage(shows)
  const allowed = `${policy(` ${scripts}`, ` ${styles}`)}; style-src-attr 'unsafe-inline'`
  return new Response(html, {
    headers: {
      ...CORS_HEADERS,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': allowed,
    },
  })
}

const scalarResponse = async (request: Request): Promise<Response> =>
  packedResponse(await loadDocumentPage().scalarFile(), request, {
    'content-type': 'text/javascript; charset=utf-8',
    ...SAFE_HEADERS,
  })

/** Scripts and style sheets have a new name for each content. */
function consoleResponse(
  path: string,
  request: Request,
  file: ConsoleFile | null,
): Response | Promise<Response> {
  if (file === null) return earlyRefusal(path, 404, `the console has no file at ${path}`)
  return packedResponse(file.packed, request, {
    ...SAFE_HEADERS,
    'content-type': file.type,
    'content-security-policy': PAGE_POLICY,
    'cache-control': file.isNamedByContent ? 'max-age=31536000, immutable' : 'no-cache',
  })
}

const JSON_TYPE = 'application/json; charset=utf-8'
const wantsJson = (accept: string) => accept.includes('json') && !accept.includes('text/html')

function methodRefusal({ method }: Request, path: string): Response | Promise<Response> | null {
  if (method === 'GET' || method === 'HEAD') return null
  const text = `${method.slice(0, 20)} is no method of this page, use GET`
  return earlyRefusal(path, 405, text, { allow: 'GET, HEAD' })
}

// The console: built beside the program, or bundled from its sources at the first request.

/** The file of a console path; null for another path. */
function consoleFile(at: string): (() => Promise<ConsoleFile | null>) | null {
  if (at !== CONSOLE_PAGE && !at.startsWith(`${CONSOLE_PAGE}/`)) return null
  const name = at === CONSOLE_PAGE ? 'console.html' : at.slice(CONSOLE_PAGE.length + 1)
  return async () => {
    consoleFiles ??= loadConsoleFiles()
    return (await consoleFiles).get(name) ?? null
  }
}

interface ConsoleFile {
  packed: Packed
  type: string
  /** Whether its name changes with its content. */
  isNamedByContent: boolean
}

const CONSOLE_PAGE = '/console'
let consoleFiles: Promise<ReadonlyMap<string, ConsoleFile>> | null = null

async function loadConsoleFiles(): Promise<ReadonlyMap<string, ConsoleFile>> {
  const built = path.join(import.meta.dir, 'console')
  const found = existsSync(built) ? await builtFiles(built) : await bundledFiles()
  return new Map(
    found.map(([name, bytes]) => [
      name,
      {
        packed: bytes,
        type: CONSOLE_TYPES[path.extname(name)] ?? 'application/octet-stream',
        isNamedByContent: !name.endsWith('.html'),
      },
    ]),
  )
}

type NamedFile = readonly [name: string, bytes: Packed]

const builtFiles = (folder: string): Promise<NamedFile[]> =>
  Promise.all(
    readdirSync(folder).map(
      async (name) =>
        [name.slice(0, -PACKED.length), await Bun.file(path.join(folder, name)).bytes()] as const,
    ),
  )

async function bundledFiles(): Promise<NamedFile[]> {
  const { bundleConsole } = await import('./console-bundle.ts')
  const { files: bundled } = await bundleConsole(path.join(import.meta.dir, '..', '..', '..', '..'))
  return bundled.map(({ name, bytes }) => [name, packed(bytes)])
}

const CONSOLE_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}
