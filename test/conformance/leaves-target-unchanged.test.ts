/** Cases that fail restore their target; that the others do, `suite.test.ts` checks. */
import { expect, test } from 'bun:test'
import { HAND_WRITTEN_CASES } from '../../src/conformance/cases.ts'
import { changedTransport } from '../../src/conformance/lies/lying-transport.ts'
import { futureSigning, leftovers, memoryTarget, runCase } from '../fixtures/memory-probe.ts'
import { DISTRIBUTOR_DEVIATIONS } from './deviations/by-hand/distributor.ts'
import { SIGNAL_DEVIATIONS } from './deviations/by-hand/signal.ts'

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
    const before = await leftovers(target, transport)
    const nowS = () => Math.floor(futureSigning.nowMs() / 1000)
    const place = { transport, nowS, nowMs: () => sandbox.clock.nowMs() }
    for (const one of HAND_WRITTEN_CASES)
      if (one.id === caseId) await runCase(target, changedTransport(transport, change(place)), one)
    expect(await leftovers(target, transport)).toEqual(before)
  })
