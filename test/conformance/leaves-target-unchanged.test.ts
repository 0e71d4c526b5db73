/** Cases restore their target, even when they fail. */
import { expect, test } from 'bun:test'
import { HAND_WRITTEN_CASES } from '../../src/conformance/cases.ts'
import { Probe } from '../../src/conformance/probe.ts'
import type { Target } from '../../src/conformance/target.ts'
import type { TargetTransport } from '../../src/conformance/target-transport.ts'
import { futureSigning, memoryTarget, runCase } from '../fixtures/memory-probe.ts'
import { DISTRIBUTOR_DEVIATIONS } from './deviations/by-hand/distributor.ts'
import { SIGNAL_DEVIATIONS } from './deviations/by-hand/signal.ts'
import { changedTransport } from './deviations/change.ts'

/** Possible leftovers of a case: levels with their permissions, and alerts. */
async function left(target: Target, transport: TargetTransport): Promise<unknown> {
  let nonce = 0
  const nowS = () => Math.floor(futureSigning.nowMs() / 1000)
  const probe = new Probe(target, transport, { nowS, nonce: () => `left-${nonce++}` })
  const levels = await probe.request({ path: '/distributor/levels', signedBy: 'partner' })
  const { data: names } = levels.json as { data: string[] }
  const grants: unknown[] = []
  for (const name of names)
    grants.push(
      (await probe.request({ path: `/distributor/levels/${name}`, signedBy: 'partner' })).json,
    )
  const info = await probe.request({ path: '/distributor/info', signedBy: 'partner' })
  const alerts = await probe.request({ path: '/signal/getSignalAlertSetList' })
  return { names, grants, info: info.json, alerts: alerts.json }
}

test('after all cases levels, sub keys and alerts are as before', async () => {
  const { target, transport } = await memoryTarget()
  const before = await left(target, transport)
  for (const one of HAND_WRITTEN_CASES) await runCase(target, transport, one)
  expect(await left(target, transport)).toEqual(before)
})

/**
 * Services that prevent the restoration: they do not delete, or store another level than was PUT.
 */
const HINDERED = new Set([
  'rule.distributor.levels.life: DELETE removes nothing',
  'rule.signal.alerts: an alert is not deleted',
  'rule.distributor.sub-keys.sockets: one action opens two sockets',
])

const CHANGING = /^(distributor\.(levels|sub-keys|quota)|signal\.alerts)/
const TESTED = [...DISTRIBUTOR_DEVIATIONS, ...SIGNAL_DEVIATIONS].filter(
  ({ id, caseId = '' }) => CHANGING.test(caseId) && !HINDERED.has(id),
)

test('there are deviations of levels, sub keys, quotas and alerts to try', () => {
  expect(new Set(TESTED.map(({ caseId = '' }) => CHANGING.exec(caseId)?.[0]))).toEqual(
    new Set([
      ...['distributor.levels', 'distributor.sub-keys', 'distributor.quota'],
      'signal.alerts',
    ]),
  )
})

for (const { id, caseId, change } of TESTED)
  test(`${caseId} cleans up after ${id}`, async () => {
    const { target, transport, sandbox } = await memoryTarget()
    const before = await left(target, transport)
    const nowS = () => Math.floor(futureSigning.nowMs() / 1000)
    const place = { transport, nowS, nowMs: () => sandbox.clock.nowMs() }
    for (const one of HAND_WRITTEN_CASES)
      if (one.id === caseId) await runCase(target, changedTransport(transport, change(place)), one)
    expect(await left(target, transport)).toEqual(before)
  })
