/**
 * The page that reads the OpenAPI document. It is Elysia's own, over our document, and loads
 * nothing from elsewhere: its script and style are served beside it.
 */
import { swagger } from '@elysiajs/swagger'
import { Elysia } from 'elysia'
import { openapi } from '../../specs/openapi.ts'
import { respondPage, SAFE } from './http.ts'

const PATH = '/swagger'

/** Files of the page that it would otherwise load from a network. */
export const SWAGGER_FILES: Record<string, string> = {
  [`${PATH}/swagger-ui.css`]: 'text/css; charset=utf-8',
  [`${PATH}/swagger-ui-bundle.js`]: 'text/javascript; charset=utf-8',
}

/** Answers a request for the page, for its document or for one of its files. */
export async function swaggerAnswer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  const contentType = SWAGGER_FILES[pathname]
  if (contentType)
    return new Response(fileOf(pathname), { headers: { 'content-type': contentType, ...SAFE } })
  const answer = await page().handle(request)
  if (pathname !== PATH) return answer
  const text = (await answer.text()).replaceAll(
    /https:\/\/unpkg\.com\/swagger-ui-dist@[^/]+/g,
    PATH,
  )
  return respondPage({ status: 200, contentType: 'text/html; charset=utf-8', body: text })
}

const fileOf = (pathname: string) =>
  Bun.file(require.resolve(`swagger-ui-dist${pathname.slice(PATH.length)}`))

let made: Elysia | null = null

function page(): Elysia {
  made ??= new Elysia().use(
    swagger({
      path: PATH,
      provider: 'swagger-ui',
      theme: `${PATH}/swagger-ui.css`,
      autoDarkMode: false,
      documentation: openapi() as never,
      exclude: [/.*/],
      swaggerOptions: { docExpansion: 'none', tryItOutEnabled: true, deepLinking: true },
    }),
  ) as unknown as Elysia
  return made
}
