/**
 * Request and socket handlers for msw, which answer as a sandbox does.
 *
 * @example
 * const server = setupServer(...handlers(sandbox, { origin: 'https://api.example.com' }))
 */
import type { HttpHandler, WebSocketHandler } from 'msw'
import { UserError } from '../../../platform/user-error.ts'
import type { Backend } from './backend.ts'
import { checkMsw, forwardingHandler, passingHandlers } from './backend.ts'
import { httpBaseOf, interceptedUrls } from './intercepted-urls.ts'
import { networkBackend, type SandboxAddress } from './network-backend.ts'
import { socketHandler } from './socket-handlers.ts'

export type { Backend, BackendRequest, BackendSocket, SocketListener } from './backend.ts'
export type { SandboxAddress } from './network-backend.ts'

export interface HandlerOptions {
  /**
   * Base URLs of the service in the client under test, of HTTP or of WebSocket:
   * `https://api.example.com`. The sandbox's own by default.
   */
  origin?: string | readonly string[]
}

/**
 * Handlers for every operation and every channel of the contract, under each of its prefixes.
 *
 * @param sandbox result of `createSandbox()`, or a backend in this process
 * @throws UserError when the installed msw, the sandbox or an origin is invalid
 */
export function handlers(
  sandbox: SandboxAddress | Backend,
  { origin }: HandlerOptions = {},
): (HttpHandler | WebSocketHandler)[] {
  checkMsw()
  const backend = backendOf(sandbox)
  const own = new Set(backend.ownUrls.map(httpBaseOf))
  const bases = [...new Set([origin ?? backend.ownUrls].flat().map(httpBaseOf))]
  if (bases.length === 0)
    throw new UserError('give the base URL to answer: {origin: "https://api.example.com"}')
  const foreign = bases.filter((base) => !own.has(base)).map(interceptedUrls)
  return [
    ...foreign.map((urls) => forwardingHandler(urls, backend)),
    ...passingHandlers(backend.ownUrls),
    ...bases.map((base) => socketHandler(interceptedUrls(base), backend)),
  ]
}

function backendOf(sandbox: SandboxAddress | Backend): Backend {
  if ('request' in sandbox) return sandbox
  if (URL.canParse(sandbox.baseUrl)) return networkBackend(sandbox)
  throw new UserError('pass a sandbox: the result of createSandbox(), or {baseUrl: "http://…"}')
}
