import { expect, test } from 'bun:test'
import { SkipCase } from '../../src/conformance/case-outcome.ts'
import { PUSH_CASES } from '../../src/conformance/groups/sockets/pushes.ts'
import { IDLE_CASES, PUSH_TIMING_CASES } from '../../src/conformance/groups/sockets/timing.ts'
import { Probe } from '../../src/conformance/probe.ts'
import { futureSigning, memoryTarget } from '../fixtures/memory-probe.ts'

const CASES = [...PUSH_CASES, ...IDLE_CASES, ...PUSH_TIMING_CASES].filter(
  ({ needs }) => !needs?.includes('control'),
)

/** A probe without a control plane, whose waits advance the sandbox's clock. */
async function patientProbe(patienceMs: number) {
  const { sandbox, transport, target } = await memoryTarget()
  const { control: _, ...alone } = target
  let nonce = 0
  const waited: number[] = []
  const signing = {
    nowS: () => Math.floor(futureSigning.nowMs() / 1000),
    nonce: () => `patient-${nonce++}`,
    wait: async (ms: number) => {
      waited.push(ms)
      await sandbox.clock.advance(ms)
    },
  }
  return { waited, probe: new Probe({ ...alone, patienceMs }, transport, signing) }
}

test('with patience the idle rule and pushes are checked without a control plane', async () => {
  expect(CASES.length).toBeGreaterThan(8)
  for (const one of CASES) {
    const { probe, waited } = await patientProbe(60_000)
    await one.run(probe)
    expect([one.id, waited.length > 0]).toEqual([one.id, true])
  }
})

test('with little patience only long cases are skipped, with their duration', async () => {
  const skipped: string[] = []
  for (const one of CASES) {
    const { probe, waited } = await patientProbe(5000)
    const verdict = await one.run(probe).catch((error) => error)
    if (verdict === undefined) continue
    expect(verdict).toBeInstanceOf(SkipCase)
    expect(verdict.message).toMatch(/^it takes [\d.]+ s, for which the patience is too short$/)
    expect(waited).toEqual([])
    skipped.push(one.id)
  }
  const ways = ['idle', 'pushes', 'protocol-pings', 'heartbeat']
  expect(skipped).toEqual(ways.map((way) => `sockets.timing.${way}`))
})
