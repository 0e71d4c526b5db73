/** What a browser asks before a page of another origin may call. */
import type { HttpResponse } from '../../../sandbox/pipeline/http-message.ts'

/** Pages of any origin may call, as they may call the service, also on one's own machine. */
export function preflight({ headers }: { headers: Headers }): HttpResponse {
  const isToOwnMachine = headers.get('access-control-request-private-network') === 'true'
  return {
    status: 204,
    contentType: 'text/plain',
    body: '',
    headers: {
      'access-control-allow-methods': 'GET, POST, PUT, DELETE',
      'access-control-allow-headers': '*',
      ...(isToOwnMachine ? { 'access-control-allow-private-network': 'true' } : {}),
    },
  }
}
