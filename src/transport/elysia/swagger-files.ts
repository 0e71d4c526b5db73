/** Files of a package that shows OpenAPI documents, and would load them from a network. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { SAFE_HEADERS } from './http-response.ts'

const TYPES: Readonly<Record<string, string>> = {
  '/swagger/swagger-ui.css': 'text/css; charset=utf-8',
  '/swagger/swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
}

/** The file of a path; null for a path that is none. */
export function swaggerFile(at: string): Response | null {
  const contentType = TYPES[at]
  if (contentType === undefined) return null
  return new Response(Bun.file(placeOf(path.basename(at))), {
    headers: { 'content-type': contentType, ...SAFE_HEADERS },
  })
}

/** Beside the program where that is built, else in the package that it comes from. */
function placeOf(name: string): string {
  const built = path.join(import.meta.dir, 'swagger-ui', name)
  return existsSync(built) ? built : require.resolve(`swagger-ui-dist/${name}`)
}
