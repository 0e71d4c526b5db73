/** A backend for a running sandbox, over HTTP and WebSocket. */
import {
  type Backend,
  type BackendRequest,
  type BackendSocket,
  LostConnection,
  type SocketListener,
} from './backend.ts'

/** The address of a sandbox, as `createSandbox()` and the control plane return it. */
export interface SandboxAddress {
  /** `http://127.0.0.1:4010/s/…` */
  readonly baseUrl: string
  /** Base URL for sockets; derived from `baseUrl` by default. */
  readonly wsBaseUrl?: string
}

/** The backend for the sandbox at an address. */
export function networkBackend({ baseUrl, wsBaseUrl }: SandboxAddress): Backend {
  const base = withoutEnd(baseUrl)
  const wsBase = withoutEnd(wsBaseUrl ?? base.replace(/^http/, 'ws'))
  return {
    ownUrls: [base, wsBase],
    request: (request) => forward(base, request),
    connect: (path, listener) => connect(`${wsBase}${path}`, listener),
  }
}

const withoutEnd = (url: string) => url.replace(/\/+$/, '')

async function forward(base: string, request: BackendRequest): Promise<Response> {
  const { method, path, body, signal } = request
  const headers = without(request.headers, ...REQUEST_ONLY)
  let received: Response
  try {
    received = await fetch(`${base}${path}`, { method, headers, body, signal, redirect: 'manual' })
  } catch (cause) {
    if (!isUnreachable(cause)) throw new LostConnection('the connection was lost', { cause })
    return unreachableResponse(base)
  }
  const { status, statusText } = received
  const hasBody = method !== 'HEAD' && !BODILESS.has(status)
  return new Response(hasBody ? received.body : null, {
    status,
    statusText,
    headers: without(received.headers, ...RESPONSE_ONLY),
  })
}

/** Headers of one connection, which are not forwarded (RFC 9110, 7.6.1). */
const HOP_BY_HOP = [
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding'],
  'content-length',
]
/** Headers that `fetch` sets itself. */
const REQUEST_ONLY = ['host', 'expect', 'upgrade']
/** `fetch` has decoded the body. */
const RESPONSE_ONLY = ['content-encoding']

function without(given: Headers, ...names: readonly string[]): Headers {
  const headers = new Headers(given)
  for (const name of [...HOP_BY_HOP, ...names]) headers.delete(name)
  return headers
}

const BODILESS = new Set([204, 205, 304])

/** A missing sandbox would look like a failure of the service to the client. */
function isUnreachable(error: unknown): boolean {
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  if (UNREACHABLE.has(String(code))) return true
  return cause instanceof Error && isUnreachable(cause)
}

const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ConnectionRefused'])

const unreachableResponse = (base: string) =>
  Response.json(
    {
      code: '502',
      msg: `no sandbox answers at ${base}: start it, or hand in its baseUrl`,
      data: null,
    },
    { status: 502 },
  )

/** Resolves when the sandbox has accepted or refused the client. */
function connect(url: string, listener: SocketListener): Promise<BackendSocket | null> {
  const socket = new (directWebSocket())(url)
  return new Promise((resolve) => {
    let isOpen = false
    socket.onopen = () => {
      isOpen = true
      resolve({
        send: (data) => socket.send(data),
        close: (code, reason) => socket.close(code, reason),
      })
    }
    socket.onmessage = ({ data }) => listener.frame(data as string)
    // Older versions of Node report no more of a refused upgrade.
    socket.onerror = () => {
      if (!isOpen) resolve(null)
    }
    socket.onclose = ({ code, reason }) => {
      if (isOpen) listener.closed(code, reason)
      else resolve(null)
    }
  })
}

/** The class below msw's replacement, whose sockets msw would intercept again. */
const directWebSocket = (): typeof WebSocket => WebSocket.prototype.constructor as typeof WebSocket
