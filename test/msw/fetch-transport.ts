/** What carries the suite through msw. */
import { httpTransport } from '../../src/conformance/http-transport.ts'
import type { TargetTransport } from '../../src/conformance/target-transport.ts'

/** No such host is there: what is not intercepted fails. */
export const ORIGIN = 'https://api.example.test'

/**
 * Requests and sockets by the globals of the runtime. A socket does not show the answer that
 * refused it, so it is asked for, and not by an upgrade, which `fetch` of Node does not send.
 */
export function fetchTransport(answerMs: number): TargetTransport {
  const transport = httpTransport(ORIGIN, { answerMs })
  return {
    request: transport.request,
    connect: (path) =>
      transport.connect(path).catch(() => transport.request({ method: 'GET', path })),
  }
}
