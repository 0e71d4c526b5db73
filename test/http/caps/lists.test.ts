/** Every list of a request is read up to its cap. */
import { expect, test } from 'bun:test'
import { requestedMarket } from '../../fixtures/requested-market.ts'
import { PARAMETER_CAPS } from './cap.ts'
import { LIST_TRIALS } from './list-trials.ts'

const market = await requestedMarket()
const LISTS = PARAMETER_CAPS.filter(
  ({ parameter: { schema } }) => schema.type === 'array' || schema['x-list'] !== undefined,
)

test('every list has a trial, and every trial a list', () => {
  expect(Object.keys(LIST_TRIALS).sort()).toEqual(LISTS.map(({ id }) => id).sort())
})

test.each(LISTS)('of $id $most are read', ({ id, operation, most }) => {
  const trial = LIST_TRIALS[id]
  const read = (count: number) => {
    const request = trial?.request(count, market) ?? {}
    return trial?.read(market.ask(operation.method, operation.path, request) as never, count)
  }
  expect([most - 1, most, most + 1].map(read)).toEqual([most - 1, most, most])
})
