/** Each of these departs from the contract in one way, and the case that is named notices. */
import { expect, test } from 'bun:test'
import { HAND_WRITTEN_CASES } from '../../src/conformance/cases.ts'
import { memoryTarget, runCase } from '../fixtures/memory-probe.ts'
import { AUTHENTICATION_DEVIATIONS } from './deviations/authentication.ts'
import { COIN_DEVIATIONS } from './deviations/coin.ts'
import { CONTENT_DEVIATIONS } from './deviations/content.ts'
import { DISTRIBUTOR_DEVIATIONS } from './deviations/distributor.ts'
import { ENVELOPES_DEVIATIONS } from './deviations/envelopes.ts'
import { ERRORS_DEVIATIONS } from './deviations/errors.ts'
import { FUTURES_DEVIATIONS } from './deviations/futures.ts'
import { INDEX_DEVIATIONS } from './deviations/index.ts'
import { INDICATOR_DEVIATIONS } from './deviations/indicator.ts'
import { LIMIT_DEVIATIONS } from './deviations/limits.ts'
import { MIX_DEVIATIONS } from './deviations/mix.ts'
import { PERPDEX_DEVIATIONS } from './deviations/perpdex.ts'
import { PUSH_DEVIATIONS } from './deviations/pushes.ts'
import { SIGNAL_DEVIATIONS } from './deviations/signal.ts'
import { SOCKET_DEVIATIONS } from './deviations/sockets.ts'
import { STOCK_DEVIATIONS } from './deviations/stock.ts'

const DEVIATIONS = [
  ...[...AUTHENTICATION_DEVIATIONS, ...ENVELOPES_DEVIATIONS, ...ERRORS_DEVIATIONS],
  ...[...LIMIT_DEVIATIONS, ...DISTRIBUTOR_DEVIATIONS, ...STOCK_DEVIATIONS],
  ...[...FUTURES_DEVIATIONS, ...INDEX_DEVIATIONS, ...COIN_DEVIATIONS],
  ...[...MIX_DEVIATIONS, ...SIGNAL_DEVIATIONS, ...CONTENT_DEVIATIONS],
  ...[...INDICATOR_DEVIATIONS, ...PERPDEX_DEVIATIONS, ...SOCKET_DEVIATIONS],
  ...[...PUSH_DEVIATIONS],
]

for (const { title, caseId, apply } of DEVIATIONS)
  test(`${title}: noticed by ${caseId}`, async () => {
    const one = HAND_WRITTEN_CASES.find(({ id }) => id === caseId)
    if (!one) throw new Error(`there is no case ${caseId}`)
    const { target, transport } = await memoryTarget()
    const verdict = await runCase(target, apply(transport), one)
    expect(verdict).toBeString()
    expect(verdict).not.toStartWith('skipped')
  })
