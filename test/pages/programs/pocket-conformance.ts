/** The conformance suite in a page, against the sandbox of the page. */

import { http } from 'msw'
import { setupWorker } from 'msw/browser'
import { hostClock } from '../../../src/clock/system-clock.ts'
import { runCases } from '../../../src/conformance/runner.ts'
import { temporarySandbox } from '../../../src/conformance/target-place.ts'
import { pocketSandbox } from '../../../src/entries/browser.ts'
import { handlers } from '../../../src/entries/msw.ts'
import { CARRIED_KINDS } from '../../fixtures/carried-cases.ts'
import { fetchTransport, ORIGIN } from '../../msw/fetch-transport.ts'

/** Result of a case of each kind. */
export async function conform() {
  const sandbox = await pocketSandbox()
  // The suite requests a new sandbox at the address of a control plane.
  const control = http.all(new RegExp(`^${ORIGIN}/_control/`), async ({ request }) => {
    const { method, url, headers, signal } = request
    const body = request.body === null ? null : new Uint8Array(await request.arrayBuffer())
    return sandbox.request({ method, path: url.slice(ORIGIN.length), headers, body, signal })
  })
  const worker = setupWorker(...handlers(sandbox, { origin: ORIGIN }), control)
  await worker.start({ quiet: true, onUnhandledFrame: 'bypass' })
  const { target } = await temporarySandbox(`${ORIGIN}/_control`, PATIENCE_MS)
  // No events occur between two requests: the cases move the market by hand.
  for (const { id } of await sandbox.server.sandboxes.list())
    await sandbox.server.clock.set(id, { state: 'held' })
  const results = await runCases(CARRIED_KINDS, {
    target,
    transport: fetchTransport(HANGING_MS),
    systemClock: hostClock,
    nonce: 'page',
    caseTimeoutMs: HANGING_MS,
  })
  return results.map(({ id, verdict, message }) => ({ id, verdict, message }))
}

const PATIENCE_MS = 5_000
const HANGING_MS = 600_000
