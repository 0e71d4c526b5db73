/** Pages and documents over HTTP. */

import path from 'node:path'
import { splitSandboxBase } from '../../../contract/paths.ts'
import type { Page, PageMaker } from '../../../pages/documents/pages.ts'
import type { Registry } from '../../../sandbox/registry.ts'
import { DEFAULT_SANDBOX_ID } from '../../../sandbox/sandbox-config.ts'
import { type ConsoleFile, consoleFile } from './console-files.ts'
import { CORS_HEADERS, earlyRefusal, SAFE_HEADERS } from './http-response.ts'
import { type Packed, packedResponse, readPacked } from './packed-file.ts'

/** Path to page. */
export type Pages = ReadonlyMap<string, PageMaker>

/** What a path shows to people; null for one that is no page. */
export function pageOf(
  pages: Pages,
  fullPath: string,
  registry: Pick<Registry, 'get'>,
): ((request: Request) => Response | Promise<Response>) | null {
  if (fullPath.startsWith('//')) return null
  const { path, sandbox } = splitSandboxBase(fullPath)
  const file = pages.has('/swagger') && sandbox === undefined ? swaggerFile(path) : null
  if (file) return (request) => methodRefusal(request, path) ?? file(request)
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

/** A page loads nothing from elsewhere, runs only our files, and stands in no frame but ours. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
  "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; " +
  "frame-src 'self'"

function pageResponse({ status, contentType, body, json }: Page, { headers }: Request): Response {
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

/** A script or a style sheet is another file once there is something else in it. */
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

/** Files of a package that shows OpenAPI documents, and would load them from a network. */
const TYPES: Readonly<Record<string, string>> = {
  '/swagger/swagger-ui.css': 'text/css; charset=utf-8',
  '/swagger/swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
}

const read = new Map<string, Promise<Packed>>()

/** The file of a path; null for a path that is none. */
function swaggerFile(at: string): ((request: Request) => Promise<Response>) | null {
  const contentType = TYPES[at]
  if (contentType === undefined) return null
  return async (request) => {
    const file = read.get(at) ?? readFile(path.basename(at))
    read.set(at, file)
    return packedResponse(await file, request, { 'content-type': contentType, ...SAFE_HEADERS })
  }
}

/** Beside the program where that is built, else in the package that it comes from. */
const readFile = (name: string): Promise<Packed> =>
  readPacked(path.join(import.meta.dir, 'swagger-ui', name), () =>
    require.resolve(`swagger-ui-dist/${name}`),
  )
