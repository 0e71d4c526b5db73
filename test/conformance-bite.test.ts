/** Each of these departs from the contract in one way, and the case that is named notices. */
import { expect, test } from 'bun:test'
import { HAND_WRITTEN } from '../src/conformance/cases.ts'
import { ANSWER_DEVIATIONS } from './deviations/answers.ts'
import { CALLER_DEVIATIONS } from './deviations/callers.ts'
import { DISTRIBUTOR_DEVIATIONS } from './deviations/distributor.ts'
import { FEATURE_DEVIATIONS } from './deviations/features.ts'
import { LIMIT_DEVIATIONS } from './deviations/limits.ts'
import { PERPDEX_DEVIATIONS } from './deviations/perpdex.ts'
import { PUSH_DEVIATIONS } from './deviations/pushes.ts'
import { SOCKET_DEVIATIONS } from './deviations/sockets.ts'
import { probed, tried } from './probes.ts'

const DEVIATIONS = [
  ...[...CALLER_DEVIATIONS, ...ANSWER_DEVIATIONS, ...FEATURE_DEVIATIONS],
  ...[...PERPDEX_DEVIATIONS, ...DISTRIBUTOR_DEVIATIONS, ...SOCKET_DEVIATIONS],
  ...[...PUSH_DEVIATIONS, ...LIMIT_DEVIATIONS],
]

for (const { says, noticed, through } of DEVIATIONS)
  test(`${says}: noticed by ${noticed}`, async () => {
    const one = HAND_WRITTEN.find(({ id }) => id === noticed)
    if (!one) throw new Error(`there is no case ${noticed}`)
    const { target, carrier } = await probed()
    const said = await tried(target, through(carrier), one)
    expect(said).toBeString()
    expect(said).not.toStartWith('skipped')
  })
