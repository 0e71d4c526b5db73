/**
 * The page that reads the OpenAPI document. It is Elysia's own, over our document, and loads
 * nothing from elsewhere: its script and style are served beside it.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { openapi as openapiPlugin } from '@elysiajs/openapi'
import { Elysia } from 'elysia'
import { openapi } from '../../specs/openapi.ts'
import type { Json } from '../../specs/schemas.ts'
import { SAFE_HEADERS, splitUrl, toPageResponse } from './http-response.ts'

const PATH = '/swagger'

/** Files of the page that it would otherwise load from a network. */
const SWAGGER_FILES: Record<string, string> = {
  [`${PATH}/swagger-ui.css`]: 'text/css; charset=utf-8',
  [`${PATH}/swagger-ui-bundle.js`]: 'text/javascript; charset=utf-8',
}

/** Answers a request for the page, for its document or for one of its files. */
export async function swaggerResponse(request: Request): Promise<Response> {
  const { pathname } = splitUrl(request.url)
  const contentType = SWAGGER_FILES[pathname]
  if (contentType)
    return new Response(bundledFile(pathname), {
      headers: { 'content-type': contentType, ...SAFE_HEADERS },
    })
  // The framework finds no path in a URL without a host, which is what a request without one has.
  const answer = await swaggerApp().handle(new Request(`http://localhost${pathname}`))
  if (pathname !== PATH) return answer
  const body = await answer.text()
  return toPageResponse({ status: 200, contentType: 'text/html; charset=utf-8', body })
}

/** Beside the program where that is built, else in the package that it comes from. */
function bundledFile(pathname: string) {
  const name = pathname.slice(PATH.length)
  const built = path.join(import.meta.dir, 'swagger-ui', name)
  return Bun.file(existsSync(built) ? built : require.resolve(`swagger-ui-dist${name}`))
}

let cachedPage: Elysia | null = null

function swaggerApp(): Elysia {
  cachedPage ??= pageOf(openapi())
  return cachedPage
}

const pageOf = (documentation: Json) =>
  new Elysia().use(
    openapiPlugin({
      path: PATH,
      provider: 'swagger-ui',
      openapiVersion: documentation.openapi as '3.1.0',
      documentation: documentation as never,
      exclude: { paths: /.*/ },
      swagger: {
        cdn: `${PATH}/swagger-ui-bundle.js`,
        theme: `${PATH}/swagger-ui.css`,
        autoDarkMode: false,
        docExpansion: 'none',
        tryItOutEnabled: true,
        deepLinking: true,
      },
    }),
  ) as unknown as Elysia
