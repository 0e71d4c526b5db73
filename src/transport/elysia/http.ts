/** Paths, URLs and answers as HTTP carries them. */
import type { Answer } from '../../pipeline/exchange.ts'

/** A path as it is, and under each sandbox's own base. */
export function basedPaths(paths: readonly string[]): string[] {
  return paths.flatMap((path) => [path, `/s/:sandbox${path}`])
}

/** Path and query of a URL, undecoded. */
export function split(url: string): { pathname: string; query: string } {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const mark = url.indexOf('?', start)
  if (mark === -1) return { pathname: url.slice(start), query: '' }
  return { pathname: url.slice(start, mark), query: url.slice(mark + 1) }
}

/** An answer as HTTP carries it; a body may be a stream of text. */
export function respond({
  status,
  contentType,
  body,
  headers,
}: Omit<Answer, 'body'> & { body: string | ReadableStream<string> }): Response {
  return new Response(body as string, {
    status,
    headers: { 'content-type': contentType, 'access-control-allow-origin': '*', ...headers },
  })
}
