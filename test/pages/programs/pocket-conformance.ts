/** A page in which the conformance suite runs against the sandbox that the page has. */

import { http } from 'msw'
import { setupWorker } from 'msw/browser'
import { hostClock } from '../../../src/clock/system-clock.ts'
import { runCases } from '../../../src/conformance/runner.ts'
import { temporarySandbox } from '../../../src/conformance/target-place.ts'
import { pocketSandbox } from '../../../src/entries/browser.ts'
import { handlers } from '../../../src/entries/msw.ts'
import { CARRIED_CASES } from '../../fixtures/carried-cases.ts'
import { fetchTransport, ORIGIN } from '../../msw/fetch-transport.ts'

/** What became of each case. */
async function conform() {
  const sandbox = await pocketSandbox()
  // The suite asks for a sandbox of its own where a server would have its control plane.
  const control = http.all(new RegExp(`^${ORIGIN}/_control/`), async ({ request }) => {
    const { method, url, headers, signal } = request
    const body = request.body === null ? null : new Uint8Array(await request.arrayBuffer())
    return sandbox.request({ method, path: url.slice(ORIGIN.length), headers, body, signal })
  })
  const worker = setupWorker(...handlers(sandbox, { origin: ORIGIN }), control)
  await worker.start({ quiet: true, onUnhandledFrame: 'bypass' })
  const { target } = await temporarySandbox(`${ORIGIN}/_control`, PATIENCE_MS)
  // Nothing happens between two requests: the cases move the market by hand.
  for (const { id } of await sandbox.server.sandboxes.list())
    await sandbox.server.clock.set(id, { state: 'held' })
  const results = await runCases(CARRIED_CASES, {
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

Object.assign(globalThis, { conform })
