/** A conformance case of each kind through msw: in process, and bridged to a served sandbox. */

import { expect, test } from 'bun:test'
import type { SystemClock } from '../../src/clock/system-clock.ts'
import { runCases } from '../../src/conformance/runner.ts'
import type { Target } from '../../src/conformance/target.ts'
import { temporarySandbox } from '../../src/conformance/target-place.ts'
import { handlers } from '../../src/server/transport/msw/index.ts'
import { registryBackend } from '../../src/server/transport/msw/registry-backend.ts'
import { CARRIED_KINDS } from '../fixtures/carried-cases.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { fixedClock } from '../fixtures/fixed-clock.ts'
import { futureSigning, memoryTarget } from '../fixtures/memory-probe.ts'
import { serveRegistry } from '../fixtures/test-server.ts'
import { intercept } from './bun-network.ts'
import { EXEMPTIONS, unexpected } from './exemptions.ts'
import { fetchTransport, ORIGIN } from './fetch-transport.ts'
import { hasRuntimes } from './runtimes.ts'

const HANGING_MS = 600_000

/** A running clock is paused with it: the cases move the market by hand. */
const stopped: SystemClock = { ...fixedClock, monotonicMs: () => 0 }

const run = (target: Target, systemClock: SystemClock) =>
  runCases(CARRIED_KINDS, {
    target,
    transport: fetchTransport(HANGING_MS),
    systemClock,
    nonce: 'msw',
    caseTimeoutMs: HANGING_MS,
  })

test('every exemption names a case', () => {
  const ids = new Set(CARRIED_KINDS.map(({ id }) => id))
  expect(Object.keys(EXEMPTIONS).filter((id) => !ids.has(id))).toEqual([])
})

test('all cases pass in process', async () => {
  const { registry, target } = await memoryTarget()
  const stop = intercept(handlers(registryBackend(registry), { origin: ORIGIN }))
  const results = await run(target, futureSigning)
  stop()
  expect(unexpected(results)).toEqual([])
})

// With registry versions, `versions.test.ts` runs the same on Node.
test.skipIf(hasRuntimes)('all cases pass bridged to a sandbox', async () => {
  const { registry } = await recordedRegistry({ clock: 'running' }, stopped)
  const { origin } = await serveRegistry(registry)
  const { base, target, drop } = await temporarySandbox(`${origin}/_control`, 5_000)
  const stop = intercept(handlers({ baseUrl: base }, { origin: ORIGIN }))
  const results = await run(target, fixedClock)
  stop()
  await drop()
  expect(unexpected(results)).toEqual([])
})
