/** What a browser asks before a page of another origin may call. */
import { bareRequest, type HttpResponse } from '../../../sandbox/pipeline/http-message.ts'
import { dateHeader } from '../../../sandbox/pipeline/pipeline.ts'
import type { Registry } from '../../../sandbox/registry.ts'
import { splitUrl } from './http-response.ts'

/** Pages of any origin may call, as they may call the service, also on one's own machine. */
export function preflight(
  registry: Registry,
  { headers, url }: { headers: Headers; url: string },
): HttpResponse {
  const { pathname, query } = splitUrl(url)
  const isToOwnMachine = headers.get('access-control-request-private-network') === 'true'
  return {
    status: 204,
    contentType: 'text/plain',
    body: '',
    headers: {
      'access-control-allow-methods': 'GET, POST, PUT, DELETE',
      'access-control-allow-headers': '*',
      ...dateHeader(registry, bareRequest('OPTIONS', pathname, query)),
      ...(isToOwnMachine ? { 'access-control-allow-private-network': 'true' } : {}),
    },
  }
}
