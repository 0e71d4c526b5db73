/** Cases leave a target as they found it, also when they fail on the way. */
import { expect, test } from 'bun:test'
import type { Carrier } from '../src/conformance/carrier.ts'
import { HAND_WRITTEN } from '../src/conformance/cases.ts'
import { Probe } from '../src/conformance/probe.ts'
import type { Target } from '../src/conformance/target.ts'
import { DISTRIBUTOR_DEVIATIONS } from './deviations/distributor.ts'
import { FEATURE_DEVIATIONS } from './deviations/features.ts'
import { ahead, probed, tried } from './probes.ts'

/** What a case could leave behind: levels with all they grant, and alerts. */
async function left(target: Target, carrier: Carrier): Promise<unknown> {
  let nonce = 0
  const nowS = () => Math.floor(ahead.nowMs() / 1000)
  const probe = new Probe(target, carrier, { nowS, nonce: () => `left-${nonce++}` })
  const levels = await probe.ask({ path: '/distributor/levels', by: 'partner' })
  const { data: names } = levels.json as { data: string[] }
  const grants: unknown[] = []
  for (const name of names)
    grants.push((await probe.ask({ path: `/distributor/levels/${name}`, by: 'partner' })).json)
  const info = await probe.ask({ path: '/distributor/info', by: 'partner' })
  const alerts = await probe.ask({ path: '/signal/getSignalAlertSetList' })
  return { names, grants, info: info.json, alerts: alerts.json }
}

test('after all cases levels, sub keys and alerts are as before', async () => {
  const { target, carrier } = await probed()
  const before = await left(target, carrier)
  for (const one of HAND_WRITTEN) await tried(target, carrier, one)
  expect(await left(target, carrier)).toEqual(before)
})

/** Services that cannot be tidied up: they do not delete, or keep another level than was PUT. */
const HINDERED = new Set([
  ...['DELETE removes nothing', 'an alert is not deleted', 'one action opens two sockets'],
])

for (const { says, noticed, through } of [...DISTRIBUTOR_DEVIATIONS, ...FEATURE_DEVIATIONS]) {
  if (HINDERED.has(says) || !/^(levels|sub-keys|quota|signals\.alerts)/.test(noticed)) continue
  test(`${noticed} tidies up when ${says}`, async () => {
    const { target, carrier } = await probed()
    const before = await left(target, carrier)
    for (const one of HAND_WRITTEN)
      if (one.id === noticed) await tried(target, through(carrier), one)
    expect(await left(target, carrier)).toEqual(before)
  })
}
