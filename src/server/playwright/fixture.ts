/**
 * Playwright's `test` with a sandbox for each test.
 *
 * `sandbox` is created before the test and closed after it; requests and sockets of the test's
 * pages to `serviceUrls` go to it. When a test fails, the sandbox's journal is attached to the
 * report: every request and frame, with the reason for its response; and the refusals with their
 * reasons as text.
 */
import {
  type BrowserContext,
  test as base,
  type Request,
  type Route,
  type TestInfo,
  type WebSocketRoute,
} from '@playwright/test'
import type { JournalEntry } from '../../clients/control/records.ts'
import { reasonLines } from '../../contract/reason-text.ts'
import { webSocketClass } from '../../platform/web-socket.ts'
import type { CreateSandboxOptions, SandboxHandle } from '../embedding/create-sandbox.ts'
import { createSandbox } from '../embedding/node.ts'

export { expect } from '@playwright/test'

/** Settings of a project, a file or a group: `test.use({…})` or `use` of the configuration. */
export interface SandboxSettings {
  /** The options of `createSandbox`. */
  sandboxOptions: CreateSandboxOptions
  /** The service's addresses in the pages: `['https://api.service.example']`. */
  serviceUrls: readonly string[]
}

export interface SandboxFixtures {
  /** A sandbox of the test's own. */
  sandbox: SandboxHandle
}

export const test = base.extend<SandboxSettings & SandboxFixtures>({
  sandboxOptions: [{}, { option: true }],
  serviceUrls: [[], { option: true }],
  sandbox: async ({ sandboxOptions }, use, testInfo) => {
    const sandbox = await createSandbox(sandboxOptions)
    try {
      await use(sandbox)
      if (testInfo.status !== testInfo.expectedStatus) await attachJournal(sandbox, testInfo)
    } finally {
      await sandbox.close()
    }
  },
  context: async ({ context, serviceUrls, sandbox }, use) => {
    await routeService(context, serviceUrls, sandbox)
    await use(context)
  },
})

/** Maximum number of attached entries, the newest: the cause of the failure is among them. */
const ENTRIES_MAX = 2_000

async function attachJournal({ control }: SandboxHandle, testInfo: TestInfo): Promise<void> {
  const entries = await control.journal.read({ limit: ENTRIES_MAX })
  const body = JSON.stringify(entries, null, 2)
  await testInfo.attach('sandbox journal', { body, contentType: 'application/json' })
  const refusals = refusalsText(entries.entries)
  if (refusals !== '')
    await testInfo.attach('refused requests', { body: refusals, contentType: 'text/plain' })
}

/** Refused and affected requests and sockets, with the reason of each. */
const refusalsText = (entries: readonly JournalEntry[]): string =>
  entries
    .flatMap((entry) => {
      if ((entry.kind !== 'request' && entry.kind !== 'socket') || entry.reason === null) return []
      const what = entry.kind === 'request' ? entry.method : 'socket'
      const head = `${what} ${entry.path} -> ${entry.status}`
      return [[head, ...reasonLines(entry.reason)].join('\n  ')]
    })
    .join('\n\n')

// What a page requests of the service goes to the sandbox, over HTTP and sockets.

/** The address of a sandbox. */
interface SandboxAddress {
  baseUrl: string
  wsBaseUrl: string
}

/**
 * Routes every request and socket of a context's pages to these origins to the sandbox. Paths,
 * queries, bodies and headers stay as the page sends them, so that signatures stay valid.
 *
 * @param serviceUrls addresses of the service in the page: `https://host`, with or without a path,
 * which is ignored
 */
async function routeService(
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
    // The test's own limit ends a request that a scenario leaves without a response.
    const response = await route.fetch({ url, maxRedirects: 0, timeout: 0 })
    await route.fulfill({ response })
  } catch {
    // Dropped by a scenario, or the page has gone.
    await route.abort('connectionreset').catch(() => {})
  }
}

/** Forwards frames both ways, and closes either side with the code of the other. */
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
  // A refused upgrade is an error and then a close, which has all the information.
  service.onerror = () => {}
}

/** A client may close with these codes only; the code for a missing one is not among them. */
function ownCode(code: number | undefined): number | undefined {
  return code === 1000 || (code !== undefined && code >= 3000 && code <= 4999) ? code : undefined
}
