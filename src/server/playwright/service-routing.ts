/** Leads what a page asks of the service, over HTTP and sockets, to a sandbox. */
import type { BrowserContext, Request, Route, WebSocketRoute } from '@playwright/test'
import { webSocketClass } from '../../platform/web-socket.ts'

/** Where a sandbox is reached. */
export interface SandboxAddress {
  baseUrl: string
  wsBaseUrl: string
}

/**
 * Routes every request and socket of a context's pages to these origins to the sandbox. Paths,
 * queries, bodies and headers stay as the page sends them, so what it signed stays signed.
 *
 * @param serviceUrls where the page believes the service to be: `https://host`, with or without a
 *   path, which is not looked at
 */
export async function routeService(
  context: BrowserContext,
  serviceUrls: readonly string[],
  sandbox: SandboxAddress,
): Promise<void> {
  const hosts = new Set(serviceUrls.map(hostOf))
  const isService = (url: URL) => hosts.has(url.host)
  await context.route(isService, (route, request) => forward(route, request, sandbox.baseUrl))
  await context.routeWebSocket(isService, (page) => {
    const { pathname, search } = new URL(page.url())
    bridge(page, `${sandbox.wsBaseUrl}${pathname}${search}`)
  })
}

function hostOf(serviceUrl: string): string {
  if (!URL.canParse(serviceUrl))
    throw new TypeError(`serviceUrl is ${JSON.stringify(serviceUrl)}: give it as https://host`)
  return new URL(serviceUrl).host
}

async function forward(route: Route, request: Request, baseUrl: string): Promise<void> {
  const { pathname, search } = new URL(request.url())
  try {
    const url = `${baseUrl}${pathname}${search}`
    // The test's own limit ends a request that a scenario leaves without an answer.
    const response = await route.fetch({ url, maxRedirects: 0, timeout: 0 })
    await route.fulfill({ response })
  } catch {
    // Dropped by a scenario, or the page has gone and nobody is there to be told.
    await route.abort('connectionreset').catch(() => {})
  }
}

/** Carries frames both ways, and closes either side with the code of the other. */
function bridge(page: WebSocketRoute, url: string): void {
  const service = new (webSocketClass())(url)
  service.binaryType = 'arraybuffer'
  const early: (string | Uint8Array<ArrayBuffer>)[] = []
  let send = (data: string | Uint8Array<ArrayBuffer>): void => void early.push(data)
  page.onMessage((data) => send(typeof data === 'string' ? data : new Uint8Array(data)))
  page.onClose((code, reason) => service.close(ownCode(code), reason))
  service.onopen = () => {
    send = (data) => service.send(data)
    for (const data of early) send(data)
  }
  service.onmessage = ({ data }) => page.send(typeof data === 'string' ? data : Buffer.from(data))
  service.onclose = ({ code, reason }) => void page.close({ code, reason }).catch(() => {})
  // A refused upgrade is an error and then a close; the close says all there is to say.
  service.onerror = () => {}
}

/** A client may close with these codes only; what says that there was none is none. */
function ownCode(code: number | undefined): number | undefined {
  return code === 1000 || (code !== undefined && code >= 3000 && code <= 4999) ? code : undefined
}
