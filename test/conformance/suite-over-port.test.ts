/** The suite over a real port, against our own sandbox. */
import { expect, test } from 'bun:test'
import { hostClock, type SystemClock } from '../../src/clock/system-clock.ts'
import { conform } from '../../src/conformance/conform.ts'
import { httpTransport } from '../../src/conformance/http-transport.ts'
import { jsonReport } from '../../src/conformance/reports/json.ts'
import { runCases } from '../../src/conformance/runner.ts'
import { temporarySandbox } from '../../src/conformance/target-place.ts'
import {
  isSocket,
  type TargetTransport,
  type TransportSocket,
} from '../../src/conformance/target-transport.ts'
import { SCENARIOS_FOLDER } from '../../src/platform/environment.ts'
import { scenarioLibrary } from '../../src/sandbox/scenario/scenario-library.ts'
import { CARRIED_KINDS } from '../fixtures/carried-cases.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { fixedClock } from '../fixtures/fixed-clock.ts'
import { serveRegistry } from '../fixtures/test-server.ts'
import { SELDOM_JUDGED, skippedOf, UNJUDGED, unpassed } from '../fixtures/unjudged-cases.ts'

const HANGING_MS = 600_000

/**
 * No price changes between two responses over a slow network: the cases move the market by hand.
 */
const stopped: SystemClock = { ...fixedClock, monotonicMs: () => 0 }

/** A transport with longer socket waits: the machine may be slow, not the service. */
const patient = (transport: TargetTransport): TargetTransport => ({
  ...transport,
  connect: async (path) => {
    const opened = await transport.connect(path)
    if (!isSocket(opened)) return opened
    const waiting: Pick<TransportSocket, 'waitForActivity'> = {
      waitForActivity: (ms) => opened.waitForActivity(4 * ms),
    }
    return Object.assign(Object.create(opened), waiting)
  },
})

test('cases of each kind pass over a port as in memory, in a sandbox of their own', async () => {
  const { registry } = await recordedRegistry({ clock: 'running' }, stopped)
  const { origin } = await serveRegistry(registry)
  const { base, target, drop } = await temporarySandbox(`${origin}/_control`, 5_000)
  const transport = patient(httpTransport(base, { answerMs: HANGING_MS }))
  const settings = {
    target,
    transport,
    systemClock: fixedClock,
    nonce: 'port',
    caseTimeoutMs: HANGING_MS,
  }
  const results = await runCases(CARRIED_KINDS, settings)
  await drop()
  expect(unpassed(results)).toEqual([])
  expect(registry.list()).toHaveLength(1)
  // Also true in memory, where all cases run: `suite.test.ts`.
  const ids = new Set(results.map(({ id }) => id))
  const always = skippedOf(results).filter((id) => !SELDOM_JUDGED.includes(id))
  expect(always).toEqual(UNJUDGED.filter((id) => ids.has(id)).sort())
})

test('a sandbox for a run is calm, whatever scenario the server begins others with', async () => {
  const faulty = scenarioLibrary(SCENARIOS_FOLDER)('html-errors')
  const { registry } = await recordedRegistry({ clock: 'held', scenarios: [faulty] }, fixedClock)
  const { origin } = await serveRegistry(registry)
  const settings = { controlUrl: `${origin}/_control`, only: ['answer.coin'] }
  const { ended, counts } = await conform(settings)
  expect([ended, counts.failed, counts.passed > 0]).toEqual([null, 0, true])
})

const SEEDED = ['channel.userFills.streams', 'answer.coin', 'authentication.window']

test('two runs with the same seed are equal, except for durations and addresses', async () => {
  const { registry } = await recordedRegistry({ clock: 'running' }, hostClock)
  const { origin } = await serveRegistry(registry)
  const run = async () => {
    const settings = { controlUrl: `${origin}/_control`, only: SEEDED, seed: 5 }
    const { target, ...report } = JSON.parse(jsonReport(await conform(settings)))
    return JSON.stringify(report, (name, value) => (name === 'durationMs' ? 0 : value), 1)
  }
  const first = await run()
  expect(JSON.parse(first).counts.failed).toBe(0)
  expect(await run()).toBe(first)
})
