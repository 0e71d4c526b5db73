/** What the suite sees of how things are carried, against our own sandbox over a port. */
import { expect, test } from 'bun:test'
import { hostClock, type SystemClock } from '../../src/clock/system-clock.ts'
import { conform } from '../../src/conformance/conform.ts'
import { httpTransport } from '../../src/conformance/http-transport.ts'
import { jsonReport } from '../../src/conformance/reports/json.ts'
import { runCases } from '../../src/conformance/runner.ts'
import { temporarySandbox } from '../../src/conformance/target-place.ts'
import { isSocket, type TargetTransport } from '../../src/conformance/target-transport.ts'
import { CARRIED_CASES } from '../fixtures/carried-cases.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { fixedClock } from '../fixtures/fixed-clock.ts'
import { serveRegistry } from '../fixtures/test-server.ts'
import { skippedOf, UNJUDGED, unpassed } from '../fixtures/unjudged-cases.ts'

const HANGING_MS = 600_000

/** Between two answers over a slow network no price changes: the cases move the market by hand. */
const stopped: SystemClock = { ...fixedClock, monotonicMs: () => 0 }

/** A transport whose sockets wait longer: it is the machine that may be slow, not the service. */
const patient = (transport: TargetTransport): TargetTransport => ({
  ...transport,
  connect: async (path) => {
    const opened = await transport.connect(path)
    if (!isSocket(opened)) return opened
    return Object.assign(Object.create(opened), {
      stirred: (ms: number) => opened.waitForActivity(20 * ms),
    })
  },
})

test('everything holds over a port as it does in memory, in a sandbox made for it', async () => {
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
  const results = await runCases(CARRIED_CASES, settings)
  await drop()
  expect(unpassed(results)).toEqual([])
  expect(registry.list()).toHaveLength(1)
  // So it is in memory too, where all cases run: `suite.test.ts`.
  const ids = new Set(results.map(({ id }) => id))
  expect(skippedOf(results)).toEqual(UNJUDGED.filter((id) => ids.has(id)).sort())
})

const SEEDED = ['channel.userFills.streams', 'answer.coin', 'authentication.window']

test('two runs with the same seed say the same, durations and addresses apart', async () => {
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
