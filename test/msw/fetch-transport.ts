/** Transports the suite through msw. */
import { httpTransport } from '../../src/conformance/http-transport.ts'
import type { TargetTransport } from '../../src/conformance/target-transport.ts'

/** A host that does not exist: an unintercepted request fails. */
export const ORIGIN = 'https://api.example.test'

/**
 * Requests and sockets by the runtime's globals. A socket hides the response that refused it, so it
 * is requested again, and not by an upgrade, which Node's `fetch` does not send.
 */
export function fetchTransport(answerMs: number): TargetTransport {
  const transport = httpTransport(ORIGIN, { answerMs })
  return {
    request: transport.request,
    connect: (path, isAgain, signedAgain = () => path) =>
      transport
        .connect(path, isAgain)
        .catch(() => transport.request({ method: 'GET', path: signedAgain() })),
  }
}
