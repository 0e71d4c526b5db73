/** Each of these departs from the contract in one way, and the case that is named notices. */
import { expect, test } from 'bun:test'
import { HAND_WRITTEN_CASES } from '../../src/conformance/cases.ts'
import { memoryTarget, runCase } from '../fixtures/memory-probe.ts'
import { CALLER_DEVIATIONS } from './deviations/authentication.ts'
import { DISTRIBUTOR_DEVIATIONS } from './deviations/distributor.ts'
import { LIMIT_DEVIATIONS } from './deviations/limits.ts'
import { MIX_SIGNAL_CONTENT_DEVIATIONS } from './deviations/mix-signal-content.ts'
import { PERPDEX_DEVIATIONS } from './deviations/perpdex.ts'
import { PUSH_DEVIATIONS } from './deviations/pushes.ts'
import { ANSWER_DEVIATIONS } from './deviations/responses.ts'
import { SOCKET_DEVIATIONS } from './deviations/sockets.ts'

const DEVIATIONS = [
  ...[...CALLER_DEVIATIONS, ...ANSWER_DEVIATIONS, ...MIX_SIGNAL_CONTENT_DEVIATIONS],
  ...[...PERPDEX_DEVIATIONS, ...DISTRIBUTOR_DEVIATIONS, ...SOCKET_DEVIATIONS],
  ...[...PUSH_DEVIATIONS, ...LIMIT_DEVIATIONS],
]

for (const { title, caseId, apply } of DEVIATIONS)
  test(`${title}: noticed by ${caseId}`, async () => {
    const one = HAND_WRITTEN_CASES.find(({ id }) => id === caseId)
    if (!one) throw new Error(`there is no case ${caseId}`)
    const { target, carrier } = await memoryTarget()
    const said = await runCase(target, apply(carrier), one)
    expect(said).toBeString()
    expect(said).not.toStartWith('skipped')
  })
