/** A page with its own sandbox, driven by the test through `window.page`. */
import { setupWorker } from 'msw/browser'
import { type PocketSandboxOptions, pocketSandbox } from '../../../src/entries/browser.ts'
import { client } from '../../../src/entries/client.ts'
import { handlers } from '../../../src/entries/msw.ts'
import { conform } from './pocket-conformance.ts'

const ORIGIN = 'https://api.market-data.example'

/** Starts everything; returns an error, or null. */
async function start(options: PocketSandboxOptions): Promise<string | null> {
  try {
    const sandbox = await pocketSandbox(options)
    const worker = setupWorker(...handlers(sandbox, { origin: ORIGIN }))
    await worker.start({ quiet: true, onUnhandledFrame: 'bypass' })
    const wsBaseUrl = ORIGIN.replace('http', 'ws')
    const service = client({ baseUrl: ORIGIN, wsBaseUrl, ...sandbox.keys.full })
    Object.assign(page, { sandbox, service })
    return null
  } catch (error) {
    return (error as Error).message
  }
}

const page = { start, ORIGIN }
Object.assign(globalThis, { page, conform })
