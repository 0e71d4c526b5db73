/** A page with a sandbox of its own, which the test drives through `window.page`. */
import { setupWorker } from 'msw/browser'
import { type PocketSandboxOptions, pocketSandbox } from '../../../src/entries/browser.ts'
import { client } from '../../../src/entries/client.ts'
import { handlers } from '../../../src/entries/msw.ts'

const ORIGIN = 'https://api.market-data.example'

/** Starts it all; answers with what is wrong, or null. */
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
Object.assign(globalThis, { page })
