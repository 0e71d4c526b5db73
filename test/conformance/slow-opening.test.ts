import { expect, test } from 'bun:test'
import { IDLE_CASES, PUSH_TIMING_CASES } from '../../src/conformance/groups/sockets/timing.ts'
import type { TargetTransport } from '../../src/conformance/target-transport.ts'
import { memoryTarget, runCase } from '../fixtures/memory-probe.ts'

/** A machine so busy that a running sandbox clock advances while a socket opens. */
async function slowTarget() {
  const { sandbox, target, transport } = await memoryTarget()
  const slow: TargetTransport = {
    request: (request) => transport.request(request),
    connect: async (path) => {
      const opened = await transport.connect(path)
      if (sandbox.clock.isRunning) await sandbox.clock.advance(OPENING_MS)
      return opened
    },
  }
  return { target, slow }
}

const OPENING_MS = 2_000

for (const one of [...IDLE_CASES, ...PUSH_TIMING_CASES])
  test(`${one.id} tolerates slow openings of sockets`, async () => {
    const { target, slow } = await slowTarget()
    expect(await runCase(target, slow, one)).toBe(null)
  })
