/**
 * A conformance case of each kind through the handlers, on any runtime: `suite.js CONTROL_URL`.
 * Prints each case's result as JSON.
 */

import { setupServer } from 'msw/node'
import { hostClock } from '../../../src/clock/system-clock.ts'
import { runCases } from '../../../src/conformance/runner.ts'
import { temporarySandbox } from '../../../src/conformance/target-place.ts'
import { handlers } from '../../../src/server/transport/msw/index.ts'
import { CARRIED_KINDS } from '../../fixtures/carried-cases.ts'
import { fetchTransport, ORIGIN } from '../fetch-transport.ts'

const HANGING_MS = 600_000

const { base, target, drop } = await temporarySandbox(process.argv[2] ?? '', 5_000)
const server = setupServer(...handlers({ baseUrl: base }, { origin: ORIGIN }))
server.listen({ onUnhandledFrame: 'error' })
const results = await runCases(CARRIED_KINDS, {
  target,
  transport: fetchTransport(HANGING_MS),
  systemClock: hostClock,
  nonce: 'node',
  caseTimeoutMs: HANGING_MS,
})
server.close()
await drop()
console.log(JSON.stringify(results.map(({ id, verdict, message }) => ({ id, verdict, message }))))
