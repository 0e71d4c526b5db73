/** Files of a package that shows OpenAPI documents, and would load them from a network. */
import path from 'node:path'
import { SAFE_HEADERS } from './http-response.ts'
import { type Packed, packedResponse, readPacked } from './packed-file.ts'

const TYPES: Readonly<Record<string, string>> = {
  '/swagger/swagger-ui.css': 'text/css; charset=utf-8',
  '/swagger/swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
}

const read = new Map<string, Promise<Packed>>()

/** The file of a path; null for a path that is none. */
export function swaggerFile(at: string): ((request: Request) => Promise<Response>) | null {
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
