/** Every parameter of every operation has a case for its effect, or a reason for none. */
import { expect, test } from 'bun:test'
import { HAND_WRITTEN_CASES } from '../../src/conformance/cases.ts'
import { DERIVED_CASES } from '../../src/conformance/derived.ts'
import { EFFECTS } from '../../src/conformance/effects.ts'
import { OPERATIONS } from '../../src/contract/catalogue.ts'
import { fullName, parametersOf, typedParametersOf } from '../../src/contract/parameters.ts'

const DECLARED = OPERATIONS.filter(({ profile, servedWhen }) => !profile && !servedWhen).flatMap(
  (operation) =>
    [...parametersOf(operation), ...typedParametersOf(operation)].map(
      (parameter) => [operation.id, fullName(parameter)] as const,
    ),
)

const ENTRIES = Object.entries(EFFECTS).flatMap(([id, entries]) =>
  Object.entries(entries).map(([name, entry]) => ({ id, name, entry })),
)

const CASE_IDS = [...HAND_WRITTEN_CASES, ...DERIVED_CASES].map(({ id }) => id)

test('every parameter of every operation has an entry, and no entry is of another', () => {
  const declared = DECLARED.map(([id, name]) => `${id} ${name}`)
  const entries = ENTRIES.map(({ id, name }) => `${id} ${name}`)
  expect(declared.filter((one) => !entries.includes(one))).toEqual([])
  expect(entries.filter((one) => !declared.includes(one))).toEqual([])
})

test('entries name existing cases', () => {
  const missing = ENTRIES.filter(({ id, name, entry }) => {
    if ('reason' in entry) return false
    if ('caseId' in entry) return !CASE_IDS.includes(entry.caseId)
    if ('counted' in entry) return !CASE_IDS.includes(`limits.of-two.${id}.${name}`)
    return !CASE_IDS.includes(`effects.${id}.${name}`)
  })
  expect(missing.map(({ id, name }) => `${id} ${name}`)).toEqual([])
})

test('only externally invisible effects have a reason instead of a case', () => {
  const reasons = ENTRIES.flatMap(({ id, name, entry }) =>
    'reason' in entry ? [[`${id} ${name}`, entry.reason]] : [],
  )
  expect(Object.fromEntries(reasons)).toEqual({
    'perpdex.batchMaxDrawdown scope': 'there is one value',
    'perpdex.maxDrawdown scope': 'there is one value',
    'perpdex.info spotClearinghouseState.dex': 'there is one spot account',
    'perpdex.completedTradesByTime coin': 'whether it counts is open: completed-by-time-coin',
    'perpdex.openInterestTopCoins interval': 'what it does is open: top-coins-window',
    'perpdex.whaleEvents coin': 'whether it counts is open: whale-event-coin',
    'signal.addAlert remark': 'no answer shows it',
  })
})
